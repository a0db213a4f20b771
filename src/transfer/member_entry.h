/* An entry in a list of members, and the reason why this entry cannot become a member. */
#ifndef QSOSYNC_TRANSFER_MEMBER_ENTRY_H
#define QSOSYNC_TRANSFER_MEMBER_ENTRY_H

#include "store/people/members.h"

#define MEMBER_LIST_MAX 5000 /* maximum number of entries */

/* The reasons why a line cannot become a member. */
enum member_fault {
    MEMBER_FAULT_NONE,
    MEMBER_FAULT_TEXT,     /* the line is not UTF-8 */
    MEMBER_FAULT_CALLSIGN, /* the callsign is missing, too long, or contains control characters */
    MEMBER_FAULT_MISSING,  /* the locator is missing */
    MEMBER_FAULT_LOCATOR,
    MEMBER_FAULT_MORE,   /* the line contains more than a callsign and a locator */
    MEMBER_FAULT_TWICE,  /* an earlier line has the same callsign, in any spelling */
    MEMBER_FAULT_EXISTS, /* an existing member has this callsign */
    MEMBER_FAULT_LOGIN,  /* an existing member has this login name */
    MEMBER_FAULT_LENGTH, /* this line and all later lines exceed MEMBER_LIST_MAX */
    MEMBER_FAULTS,
};

struct member_entry {
    int64_t line; /* line number in the list, from 1 */
    /* if there is no fault: callsign, locator and login as they would be stored */
    struct member member;
    enum member_fault fault;
    /* the callsign (for MEMBER_FAULT_LOCATOR, the locator) as written in the list, without control
     * characters; no text if the line was not read, or is not UTF-8 */
    struct text written;
    /* the existing member's callsign, for MEMBER_FAULT_EXISTS and MEMBER_FAULT_LOGIN */
    struct text other;
    int64_t other_line; /* number of the earlier line, for MEMBER_FAULT_TWICE */
};

/* Return a fault as a word for programs ("locator"), and as a sentence for people, without a full
 * stop, in the arena. */
const char *member_fault_name(enum member_fault fault);
const char *member_entry_reason(const struct member_entry *entry, struct arena *arena);

#endif
