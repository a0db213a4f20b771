/* A club's list of members, with one "callsign, locator" per line. All entries become members of
 * the logbook together. The operator's command and page use this module. */
#ifndef QSOSYNC_TRANSFER_MEMBER_LIST_H
#define QSOSYNC_TRANSFER_MEMBER_LIST_H

#include "transfer/member_entry.h"

struct member_list {
    struct member_entry *entries; /* sorted by line */
    size_t count;
    size_t fault_count;
};

/* Reads the list, in the arena, and compares it with the existing members. The callsign and the
 * locator are separated by a comma, a semicolon, a tab or, if there is no such character, spaces.
 * Both can be in double quotes, as spreadsheets write them. Empty lines, lines that begin with #,
 * and the heading "callsign, locator" are not entries. The list's text must outlive the result. */
enum store_result member_list_read(struct store *store, struct arena *arena, struct text list,
                                   struct member_list *out);

/* Adds all entries in one transaction or, on any failure, no entry. The list must not have faults.
 * Returns STORE_REFUSED if another writer has meanwhile added a member who prevents an entry; that
 * entry then contains the fault. */
enum store_result member_list_add(struct store *store, struct member_list *list);

#endif
