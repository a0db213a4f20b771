/* What keeps people from guessing passwords and links: failures are counted in memory that all
 * workers share, and few passwords are verified at once. An address is refused after too many. An
 * account is slowed, and only for places from which its member has not signed in: nobody can keep a
 * member out. */
#ifndef QSOSYNC_SITE_GUESSES_H
#define QSOSYNC_SITE_GUESSES_H

#include "base/shared_file.h"
#include "http/request.h"
#include "site/slowing.h"
#include "worker/route.h"

/* One attempt, from start to end. */
struct guess {
    struct shared_file shared; /* not open: it was refused */
    struct network network;
    struct slowing_places places;
    struct text name;
    int64_t member_id;
    int64_t now_ms, day;
    bool is_known; /* the member has signed in from there before */
    bool used_account_turn, used_place_turn;
    int64_t wait_ms; /* if it was rejected: time until another attempt is allowed */
};

/* Begins an attempt: it counts as failed until it ends, even if its process is killed. What is
 * guessed is the password behind a callsign, as it was typed, and the member's of this number (0:
 * there is none), perhaps by a browser that is signed in as that member; or (no text) a link or a
 * passkey, which takes no work. Returns NULL, or the error to answer with: the address or its wider
 * network has failed too often, the account is slowed, or too many passwords are being verified.
 * The caller calls guess_end after NULL, and not otherwise. */
const struct error *guess_begin(struct guess *guess, struct request *request, struct text name,
                                int64_t member_id, bool is_signed_in);

/* Ends the attempt. One that has not failed is not counted, and the member has signed in from
 * there. Earlier failures stay counted: otherwise a member could guess others' passwords forever.
 */
void guess_end(struct guess *guess, bool has_failed);

/* The member has used a session from the address of the request. */
void guess_note_use(struct request *request, int64_t member_id);

#endif
