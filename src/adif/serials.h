/* Serial numbers of contests. ADIF stores them separately from the report; operators send both
 * together. A QSO contains them in its report: "59 012". */
#ifndef QSOSYNC_ADIF_SERIALS_H
#define QSOSYNC_ADIF_SERIALS_H

#include "adif/rows.h"

/* Returns whether the one report is the other one with a serial. */
bool serials_adds(struct text joined, struct text report);

/* Functions of rows whose slot is SLOT_RST_SENT or SLOT_RST_RCVD: the report with the serial of the
 * same direction. A number is written as STX or SRX, any other serial as STX_STRING or SRX_STRING.
 * When reading, a serial that makes the report too long is left out and reported. */
void serials_read(struct reading *reading, const struct row *row);
void serials_write(struct writing *writing, const struct row *row);

#endif
