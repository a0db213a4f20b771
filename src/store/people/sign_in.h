/* Finds members who sign in. */
#ifndef QSOSYNC_STORE_SIGN_IN_H
#define QSOSYNC_STORE_SIGN_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"

struct store;

/* A member who signs in. The caller erases the hash from memory. */
struct sign_in {
    int64_t member_id;
    struct text callsign;
    struct text password_hash; /* hash of the password; no text: no password */
    bool member_is_active;
};

/* Finds the member with this callsign, in any spelling that confirmation treats as equal, or with
 * this login name. A callsign has priority over a login name. In old logbooks, two members can have
 * callsigns that confirmation does not distinguish. These members can sign in only with their own
 * spelling, in upper or lower case, or with their login name. The texts are in the arena. Returns
 * STORE_NONE if no member matches. */
enum store_result store_find_sign_in(struct store *store, struct arena *arena, struct text name,
                                     struct sign_in *out);

/* Finds the member with this number. The texts are in the arena. Returns STORE_NONE if no member
 * has this number. */
enum store_result store_find_member_sign_in(struct store *store, struct arena *arena,
                                            int64_t member_id, struct sign_in *out);

#endif
