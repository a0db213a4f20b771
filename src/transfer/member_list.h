/* A club's list of members, one "callsign, locator" per line, that become members of the logbook
 * all at once: for the operator's command and page alike. */
#ifndef QSOSYNC_TRANSFER_MEMBER_LIST_H
#define QSOSYNC_TRANSFER_MEMBER_LIST_H

#include "transfer/member_entry.h"

struct member_list {
    struct member_entry *entries; /* in the order of the lines */
    size_t count;
    size_t fault_count;
};

/* Reads the list and compares it with the existing members; all of it lives in the arena. A comma,
 * a semicolon, a tab or else blanks separate callsign and locator. Both may be in double quotes, as
 * spreadsheets write them. Blank lines, lines that begin with #, and the heading "callsign,
 * locator" are not entries. The text of the list must outlive the result. */
enum store_result member_list_read(struct store *store, struct arena *arena, struct text list,
                                   struct member_list *out);

/* Adds all of them in one transaction: all or, on any failure, none. The list has no faults
 * (assert). STORE_REFUSED: another writer was faster, and the entry has its fault now. */
enum store_result member_list_add(struct store *store, struct member_list *list);

#endif
