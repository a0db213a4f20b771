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

/* What is guessed. */
struct guess_target {
    struct text name;  /* what was typed as a callsign; no text: a link, which takes no work */
    int64_t member_id; /* whose that is; 0: nobody's */
    bool is_signed_in; /* it comes from a browser that is signed in as that member */
};

/* One try, from its begin to its end. */
struct guess {
    struct shared_file shared; /* not open: it was refused */
    struct network network;
    struct slowing_places places;
    int64_t member_id;
    int64_t now_ms, day;
    bool used_account_turn, used_place_turn;
    int64_t wait_ms; /* if it was refused: until one more would pass */
};

/* Begins a try: it counts as failed until it ends, also if its process is killed. Returns NULL,
 * or the error to answer with: the address or its wider network has failed too often, the account
 * is slowed, or too many passwords are being verified. The caller calls guess_end after NULL, and
 * not otherwise. */
const struct error *guess_begin(struct guess *guess, struct request *request,
                                const struct guess_target *target);

/* Ends the attempt. One that has not failed is not counted, and the member has signed in from
 * there. Earlier failures stay counted: otherwise a member could guess others' passwords forever.
 */
void guess_end(struct guess *guess, bool has_failed);

/* The member has used a session from the address of the request. */
void guess_note_use(struct request *request, int64_t member_id);

#endif
