/* An entry of a list of members, and the reason why it cannot become a member. */
#ifndef QSOSYNC_TRANSFER_MEMBER_ENTRY_H
#define QSOSYNC_TRANSFER_MEMBER_ENTRY_H

#include "store/people/members.h"

#define MEMBER_LIST_MAX 5000 /* entries */

/* The reasons why a line cannot become a member. */
enum member_fault {
    MEMBER_FAULT_NONE,
    MEMBER_FAULT_TEXT,     /* not UTF-8 */
    MEMBER_FAULT_CALLSIGN, /* none, too long, or with control characters */
    MEMBER_FAULT_MISSING,  /* no locator */
    MEMBER_FAULT_LOCATOR,
    MEMBER_FAULT_MORE,   /* more than a callsign and a locator */
    MEMBER_FAULT_TWICE,  /* an earlier line has this callsign, in any spelling */
    MEMBER_FAULT_EXISTS, /* a member has this callsign */
    MEMBER_FAULT_LOGIN,  /* a member has this login name */
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

/* Return a fault as a word for programs ("locator"), and as a sentence without a full stop for
 * people, in the arena. */
const char *member_fault_name(enum member_fault fault);
const char *member_entry_reason(const struct member_entry *entry, struct arena *arena);

#endif
