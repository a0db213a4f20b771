/* Turns the rows of a sheet into records of ADIF, with the answers to the questions. The records
 * take the same route as those of an ADIF file. */
#ifndef QSOSYNC_TRANSFER_SHEET_RECORDS_H
#define QSOSYNC_TRANSFER_SHEET_RECORDS_H

#include "transfer/sheet_questions.h"
#include "transfer/sheet_result.h"

/* Reads all rows. The zone in the answers must exist (sheet_zone.h). *out is too large for the
 * stack. */
void sheet_read_records(const struct sheet *sheet, const struct sheet_facts *facts,
                        const struct table *answers, struct sheet_records *out);

#endif
