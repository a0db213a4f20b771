/* Stores members: everybody who has a log. A station is a member that others operate (grants.h,
 * stations.h). Texts that a visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_MEMBERS_H
#define QSOSYNC_STORE_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "store/transaction.h"

#define MEMBER_CALLSIGN_MAX 20 /* maximum length in code points */

struct member {
    int64_t id;
    struct text callsign; /* callsign in upper case */
    struct text locator;  /* locator in its normal form */
    struct text login;
    bool active;
    bool is_operator; /* whether the member, while active, may use the operator's page */
    bool is_station;  /* whether others operate this member; nobody signs in as a station */
    bool has_page;    /* for a station: whether its page is on */
    int64_t created_at_ms;
    bool has_password;
    bool claims; /* whether the member takes part in confirmations by peers */
    /* code of the plan by which the member numbers the CB channels (qso/channels.h); no text: guess
     * the plan from the callsign */
    struct text channel_plan;
    /* time at which the member agreed to spots on other clusters; 0: never */
    int64_t announces_since_ms;
    /* The next fields are filled by all functions except store_find_member_by_number and
     * store_find_active_member. */
    int64_t qso_count;
    int64_t active_key_count;
    int64_t session_count; /* number of signed-in browsers */
    /* last day on which a key was used, in days since 1970-01-01; -1: never */
    int64_t last_used_day;
};

/* Converts a callsign to the form that members have: trimmed, in upper case, in the arena with a
 * final NUL. Returns false if the callsign is empty, too long or not UTF-8, or contains control
 * characters or invisible characters. */
bool member_read_callsign(struct arena *arena, struct text written, struct text *callsign);

/* Returns the default login name of a member, in the arena with a final NUL: the callsign in lower
 * case. */
struct text member_default_login(struct arena *arena, struct text callsign);

/* Adds an active member. Ignores id, created_at_ms, the counts, and the flags except is_operator
 * and is_station. Returns STORE_REFUSED if the callsign or the login already exists. Runs its own
 * transaction. */
enum store_result store_add_member(struct store *store, const struct member *member);

/* Adds a member as store_add_member does, inside the open write transaction. */
enum store_result store_insert_member(struct transaction *transaction, const struct member *member);

/* Finds the member with this callsign, regardless of case. The texts are in the arena. Returns
 * STORE_NONE if no member has the callsign. */
enum store_result store_find_member(struct store *store, struct arena *arena, struct text callsign,
                                    struct member *out);

/* Finds the member with this callsign in any spelling. The texts are in the arena. Returns
 * STORE_NONE if no member has the callsign. */
enum store_result store_find_similar_member(struct store *store, struct arena *arena,
                                            struct text callsign, struct member *out);

/* Finds the member with this number. The texts are in the arena, and the counts are not filled.
 * Returns STORE_NONE if no member has the number. */
enum store_result store_find_member_by_number(struct store *store, struct arena *arena,
                                              int64_t number, struct member *out);

/* Finds the active member with this number. The texts are in the arena, and the counts are not
 * filled. Returns STORE_NONE if no active member has the number. */
enum store_result store_find_active_member(struct store *store, struct arena *arena, int64_t number,
                                           struct member *out);

typedef void member_visitor(void *context, const struct member *member);

/* Calls visit for every member, sorted by callsign. The texts are valid during the call to visit.
 */
enum store_result store_list_members(struct store *store, member_visitor *visit, void *context);

/* Enables or disables the member. Disabling ends all sessions and revokes open links. Runs its own
 * transaction.
 *
 * This function and store_set_operator return STORE_REFUSED if the writer is a signed-in operator
 * and no active operator would be left. The command may leave the club without an operator. */
enum store_result store_set_member_active(struct store *store, int64_t member_id, bool active);

/* Grants or revokes the operator's role, which a station never gets. Runs its own transaction. */
enum store_result store_set_operator(struct store *store, int64_t member_id, bool is_operator);

/* Sets the locator and the login; a value without text leaves the stored value unchanged. Returns
 * STORE_REFUSED if another member has the login. Runs its own transaction. */
enum store_result store_set_member(struct store *store, int64_t member_id, struct text locator,
                                   struct text login);

/* Sets the code of the plan by which the member numbers the CB channels; no text: none. Runs its
 * own transaction. */
enum store_result store_set_channel_plan(struct store *store, int64_t member_id, struct text plan);

/* Gives the member another callsign. From then on, QSOs without a station callsign count under the
 * new callsign, and their confirmations are re-evaluated. Returns STORE_REFUSED if another member
 * has the callsign. Runs its own transaction. */
enum store_result store_rename_member(struct store *store, int64_t member_id, struct text callsign);

/* The groups by which members can be listed. */
enum member_group {
    MEMBERS_ALL,
    /* active members, not counting stations, who have no password, passkey or session, and have
     * never used a key or a token */
    MEMBERS_UNUSED,
    MEMBERS_DISABLED,
    MEMBERS_OPERATORS,
    MEMBER_GROUPS,
};

/* Returns the name of the group for programs, such as "all". */
const char *store_member_group_name(enum member_group group);

struct member_search {
    struct text part; /* part of the callsign, in any spelling; no text: any callsign */
    enum member_group group;
    struct text after; /* callsign after which the list begins; no text: all members */
    int64_t after_id;  /* number after which the list begins among equal callsigns */
    bool is_by_use;    /* whether the list is in the order of the last use, newest first */
    int64_t after_day; /* by use: the last day of use after which the list begins; a day after
                        * every use: all members; -1: members who never used the service */
};

/* A member in the list, with the counts filled. last_used_day is the last day on which a key, a
 * token or a signed-in browser was used. */
struct member_row {
    struct member member;
    int64_t invitation_until_ms;   /* expiry of an unused invitation; 0: none */
    int64_t invitation_expired_ms; /* time at which an unused invitation expired; 0: none */
};
typedef void member_row_visitor(void *context, const struct member_row *row);

/* Calls visit for at most `limit` members, sorted by callsign without its separators, or by the
 * last use and then by callsign. The texts are valid during the call to visit. */
enum store_result store_search_members(struct store *store, const struct member_search *search,
                                       int64_t limit, int64_t now_ms, member_row_visitor *visit,
                                       void *context);

/* Counts the active members, except stations, and those who have used the service since a day. */
enum store_result store_count_members_by_use(struct store *store, int64_t since_day,
                                             int64_t *members, int64_t *used);

#define MEMBER_WEEKS 26

/* Counts a member's QSOs in each of the last MEMBER_WEEKS weeks, the oldest week first. Reads only
 * an index. */
enum store_result store_count_weeks(struct store *store, int64_t member_id, int64_t now_ms,
                                    int64_t weeks[MEMBER_WEEKS]);

#endif
