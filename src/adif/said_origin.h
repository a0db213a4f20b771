/* Data in another program's record in addition to the QSO's values: the program's ids and the end
 * of the contact. */
#ifndef QSOSYNC_ADIF_SAID_ORIGIN_H
#define QSOSYNC_ADIF_SAID_ORIGIN_H

#include "adif/rows.h"

/* Finds the ids and the end of the contact in a record whose time has already been read. */
void said_read_origin(struct reading *reading);

/* Trims and normalises an id: braces and hyphens are removed from UUIDs, which are also converted
 * to lower case. Returns false if the id is too long, not printable ASCII, empty or only zeros, or
 * if the program's name is empty. */
bool said_make_id(struct text program, struct text id, struct arena *arena, struct contact_id *out);

/* Normalises a program's name, in the arena: at most CONTACT_PROGRAM_MAX characters of printable
 * ASCII, without spaces, in upper case. Returns no text if nothing remains. */
struct text said_make_program(struct text name, struct arena *arena);

#endif
