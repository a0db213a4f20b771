/* The members as an operator looks at them: searched, a page at a time. Only reads. */
#ifndef QSOSYNC_STORE_MEMBER_PAGES_H
#define QSOSYNC_STORE_MEMBER_PAGES_H

#include "store/members.h"

/* Which of them. */
enum member_group {
    MEMBERS_ALL,
    MEMBERS_UNUSED, /* active, without a password, and no key, token or browser was ever used */
    MEMBERS_DISABLED,
    MEMBERS_OPERATORS,
    MEMBER_GROUPS,
};

/* A name for programs: "all". */
const char *store_member_group_name(enum member_group group);

struct member_search {
    struct text part; /* of the callsign, in any spelling; no text: any */
    enum member_group group;
    struct text after; /* only what follows this callsign in the list, and the member of this */
    int64_t after_id;  /* number where two are spelled alike; no text: from the first on */
};

/* What the list shows beside the member itself, whose counts are filled; last_used_day is that of
 * any key, token or signed-in browser. */
struct member_row {
    struct member member;
    int64_t invitation_until_ms; /* of one that has not been used; 0: there is none */
};
typedef void member_row_visitor(void *context, const struct member_row *row);

/* Calls visit for at most `limit` members, by callsign without its separators; the texts are valid
 * during the call. Beside the members of the page, those that it passes over are looked at. */
enum store_result store_search_members(struct store *store, const struct member_search *search,
                                       int64_t limit, int64_t now_ms, member_row_visitor *visit,
                                       void *context);

/* The member of this number; the texts are in the arena, and the counts are not filled. */
enum store_result store_find_member_by_number(struct store *store, struct arena *arena,
                                              int64_t number, struct member *out);

#endif
