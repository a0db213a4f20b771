/* A club's list of members, one "callsign, locator" per line, that all become members of the
 * logbook at once. The operator's command and page use it. */
#ifndef QSOSYNC_TRANSFER_MEMBER_LIST_H
#define QSOSYNC_TRANSFER_MEMBER_LIST_H

#include "transfer/member_entry.h"

struct member_list {
    struct member_entry *entries; /* in the order of the lines */
    size_t count;
    size_t fault_count;
};

/* Reads the list, in the arena, and compares it with the existing members. A comma, a semicolon, a
 * tab or else blanks separate callsign and locator. Both may be in double quotes, as spreadsheets
 * write them. Blank lines, lines that begin with #, and the heading "callsign, locator" are not
 * entries. The text of the list must outlive the result. */
enum store_result member_list_read(struct store *store, struct arena *arena, struct text list,
                                   struct member_list *out);

/* Adds all entries in one transaction or, on any failure, no entry. The list must not have faults.
 * Returns STORE_REFUSED if another writer was faster, and the entry now has its fault. */
enum store_result member_list_add(struct store *store, struct member_list *list);

#endif
