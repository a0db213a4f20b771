/* Describes a logbook for a person who must decide about a restore. */
#include "recovery/restored.h"

#include "store/store.h"

void restored_read_side(struct store *store, struct arena *arena, struct restored_side *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(restored_side, members, "members"), COLUMN(restored_side, qsos, "qsos"),
        COLUMN(restored_side, uploads, "uploads"), COLUMN(restored_side, callsigns, "callsigns"));
    *out = (struct restored_side){0};
    out->is_known = store_find(store, columns, arena, out, STATEMENT_READ_SIDE) == STORE_DONE;
    if (out->is_known)
        store_read_club(store, arena, &out->club);
}
