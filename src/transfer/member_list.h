/* A club's list of members, one "callsign, locator" per line, that become members of the logbook
 * all at once: for the operator's command and page alike. */
#ifndef QSOSYNC_TRANSFER_MEMBER_LIST_H
#define QSOSYNC_TRANSFER_MEMBER_LIST_H

#include "store/people/members.h"

#define MEMBER_LIST_MAX 5000 /* entries */

/* Why a line cannot become a member. */
enum member_fault {
    MEMBER_FAULT_NONE,
    MEMBER_FAULT_TEXT,     /* no UTF-8 */
    MEMBER_FAULT_CALLSIGN, /* none, too long, or with control characters */
    MEMBER_FAULT_MISSING,  /* no locator */
    MEMBER_FAULT_LOCATOR,
    MEMBER_FAULT_MORE,   /* more than a callsign and a locator */
    MEMBER_FAULT_TWICE,  /* a line before has this callsign, in this or another spelling */
    MEMBER_FAULT_EXISTS, /* so has a member */
    MEMBER_FAULT_LOGIN,  /* a member has it as login name */
    MEMBER_FAULT_LENGTH, /* this line and all after it are above MEMBER_LIST_MAX */
    MEMBER_FAULTS,
};

struct member_entry {
    int64_t line;         /* in the list, from 1 */
    struct member member; /* callsign, locator and login as they would be stored, if no fault */
    enum member_fault fault;
    struct text written; /* the callsign, or for MEMBER_FAULT_LOCATOR the locator, as written in the
                            list, without control characters; no text if it is not UTF-8 */
    struct text other;   /* the member of MEMBER_FAULT_EXISTS and MEMBER_FAULT_LOGIN */
    int64_t other_line;  /* for MEMBER_FAULT_TWICE */
};

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

/* A word for programs ("locator"), and a sentence without a full stop for people, which is in the
 * arena. */
const char *member_fault_name(enum member_fault fault);
const char *member_entry_reason(const struct member_entry *entry, struct arena *arena);

#endif
