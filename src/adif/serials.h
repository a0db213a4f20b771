/* Serial numbers in contests. ADIF stores a serial separately from the report; operators send both
 * together. In a QSO, the report contains the serial: "59 012". */
#ifndef QSOSYNC_ADIF_SERIALS_H
#define QSOSYNC_ADIF_SERIALS_H

#include "adif/rows.h"

/* Returns whether `joined` is `report` with a serial. */
bool serials_adds(struct text joined, struct text report);

/* Read and write the report and the serial of the same direction, for rows whose slot is
 * SLOT_RST_SENT or SLOT_RST_RCVD. A number is written as STX or SRX, any other serial as STX_STRING
 * or SRX_STRING. When a record is read, a serial that makes the report too long is left out and
 * reported. */
void serials_read(struct reading *reading, const struct row *row);
void serials_write(struct writing *writing, const struct row *row);

#endif
