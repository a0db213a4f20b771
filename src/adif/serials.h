/* Serial numbers of contests: ADIF keeps them beside the report, operators say them in one breath,
 * and a QSO holds them in its report: "59 012". */
#ifndef QSOSYNC_ADIF_SERIALS_H
#define QSOSYNC_ADIF_SERIALS_H

#include "adif/rows.h"

/* Takes a report with a serial apart: the report alone and the serial, which point into it. False:
 * it holds none. is_number: the serial has digits only. */
bool serials_split(struct text joined, struct text *report, struct text *serial, bool *is_number);

/* Both in one text, in the arena; no text where serials_split would not give them back: they are
 * no report and serial. */
struct text serials_join(struct text report, struct text serial, struct arena *arena);

/* Is the one report the other one with a serial? */
bool serials_adds(struct text joined, struct text report);

/* Functions of rows whose slot is SLOT_RST_SENT or SLOT_RST_RCVD: the report with the serial of the
 * same direction. A number is written as STX or SRX, any other serial as STX_STRING or SRX_STRING.
 * Read, a serial that makes the report too long is left out and reported. */
void serials_read(struct reading *reading, const struct row *row);
void serials_write(struct writing *writing, const struct row *row);

#endif
