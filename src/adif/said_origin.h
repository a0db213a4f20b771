/* Data of another program's record in addition to the values of its QSO: the program's ids and the
 * end of the contact. */
#ifndef QSOSYNC_ADIF_SAID_ORIGIN_H
#define QSOSYNC_ADIF_SAID_ORIGIN_H

#include "adif/rows.h"

/* Finds the ids and the end of a record whose time has been read. */
void said_read_origin(struct reading *reading);

/* Trims and normalises an id: UUIDs lose braces and hyphens and become lower case. Returns false if
 * the id is too long, not ASCII, or meaningless, such as 0. */
bool said_make_id(struct text program, struct text id, struct arena *arena, struct contact_id *out);

/* Normalises the name of a program: at most CONTACT_PROGRAM_MAX characters of printable ASCII, in
 * upper case, in the arena; no text if nothing is left. */
struct text said_make_program(struct text name, struct arena *arena);

#endif
