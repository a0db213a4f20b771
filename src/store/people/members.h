/* Members: everybody who has a log. Stations are members that others operate (grants.h,
 * stations.h). Texts that a visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_MEMBERS_H
#define QSOSYNC_STORE_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/transaction.h"

#define MEMBER_CALLSIGN_MAX 20 /* code points */

struct member {
    int64_t id;
    struct text callsign; /* upper case */
    struct text locator;  /* normal form */
    struct text login;
    bool active;
    bool is_operator; /* may use the operator's page, while active */
    bool is_station;  /* others operate it; nobody signs in as a station */
    bool has_page;    /* a station: its page is on */
    int64_t created_at_ms;
    bool has_password;
    bool claims;                /* takes part in confirmations by peers */
    int64_t announces_since_ms; /* when the member agreed to spots on other clusters; 0: never */
    /* Filled by store_find_member and store_list_members: */
    int64_t qso_count;
    int64_t active_key_count;
    int64_t session_count; /* browsers that are signed in */
    int64_t last_used_day; /* last day with use of any key, in days since 1970-01-01; -1: never */
};

/* Brings a callsign into the form that members have: trimmed, upper case, in the arena with a NUL
 * after it. False if it is empty, too long, not UTF-8, or has control characters. */
bool member_read_callsign(struct arena *arena, struct text written, struct text *callsign);

/* Returns the default login name of a member, in the arena with a NUL: the callsign in lower case.
 */
struct text member_default_login(struct arena *arena, struct text callsign);

/* Adds an active member who is not an operator. Ignores id, created_at_ms, the flags and the
 * counts. STORE_REFUSED: the callsign or the login already exists. Runs its own transaction. */
enum store_result store_add_member(struct store *store, const struct member *member);

/* Adds a member as store_add_member does, inside the open write transaction. */
enum store_result store_insert_member(struct transaction *transaction, const struct member *member);

/* Finds the member with this callsign, regardless of case. The texts are in the arena. STORE_NONE:
 * no such member. */
enum store_result store_find_member(struct store *store, struct arena *arena, struct text callsign,
                                    struct member *out);

/* Finds the member whose callsign is this callsign in any spelling. The texts are in the arena.
 * STORE_NONE: no such member. */
enum store_result store_find_similar_member(struct store *store, struct arena *arena,
                                            struct text callsign, struct member *out);

/* Finds the member with this number. The texts are in the arena, and the counts are not filled.
 * STORE_NONE: no such member. */
enum store_result store_find_member_by_number(struct store *store, struct arena *arena,
                                              int64_t number, struct member *out);

/* Finds the active member with this number. The texts are in the arena, and the counts are not
 * filled. STORE_NONE: no such active member. */
enum store_result store_find_active_member(struct store *store, struct arena *arena, int64_t number,
                                           struct member *out);

typedef void member_visitor(void *context, const struct member *member);

/* Calls visit for every member, by callsign; the texts are valid during the call. */
enum store_result store_list_members(struct store *store, member_visitor *visit, void *context);

/* Enables or disables the member. Disabling ends all sessions and revokes open links. Runs its own
 * transaction.
 *
 * This function and the next return STORE_REFUSED if the writer is a signed-in operator and
 * no active operator would be left. The command may do that. */
enum store_result store_set_member_active(struct store *store, int64_t member_id, bool active);

/* Grants or revokes the operator's role; a station never gets it. Runs its own
 * transaction. */
enum store_result store_set_operator(struct store *store, int64_t member_id, bool is_operator);

/* Sets the locator and the login; no text: the stored value stays. STORE_REFUSED: another member
 * has the login. Runs its own transaction. */
enum store_result store_set_member(struct store *store, int64_t member_id, struct text locator,
                                   struct text login);

/* Gives the member another callsign. QSOs without a station callsign count under the new callsign
 * from now on, and their confirmations are decided again. STORE_REFUSED: another member has the
 * callsign. Runs its own transaction. */
enum store_result store_rename_member(struct store *store, int64_t member_id, struct text callsign);

/* The members to list. */
enum member_group {
    MEMBERS_ALL,
    MEMBERS_UNUSED, /* active, without a password, and no key, token or browser was ever used */
    MEMBERS_DISABLED,
    MEMBERS_OPERATORS,
    MEMBER_GROUPS,
};

/* Returns a name for programs, such as "all". */
const char *store_member_group_name(enum member_group group);

struct member_search {
    struct text part; /* a part of the callsign, in any spelling; no text: any */
    enum member_group group;
    struct text after; /* only members after this callsign in the list; no text: all */
    int64_t after_id;  /* among equal callsigns, only members after this number */
};

/* A member in the list, with the counts filled; last_used_day is the latest use of any key,
 * token or signed-in browser. */
struct member_row {
    struct member member;
    int64_t invitation_until_ms; /* end of an unused invitation; 0: none */
};
typedef void member_row_visitor(void *context, const struct member_row *row);

/* Calls visit for at most `limit` members, by callsign without its separators; the texts are valid
 * during the call. Members that the page passes over are read as well. */
enum store_result store_search_members(struct store *store, const struct member_search *search,
                                       int64_t limit, int64_t now_ms, member_row_visitor *visit,
                                       void *context);

#endif
