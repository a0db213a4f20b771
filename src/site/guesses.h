/* What keeps people from guessing passwords and links: failures are counted by address, in memory
 * that all workers share, and few passwords are verified at once. Nothing is counted by callsign,
 * or a stranger could keep a member out. */
#ifndef QSOSYNC_SITE_GUESSES_H
#define QSOSYNC_SITE_GUESSES_H

#include "base/shared_file.h"
#include "http/request.h"
#include "worker/network.h"

#define GUESSES_MAX 10           /* failures of an address, */
#define GUESSES_WINDOW_MS 600000 /* in this time */

/* One try, from its begin to its end. */
struct guess {
    struct shared_file shared; /* not open: it was refused */
    struct network network;
    int64_t now_ms;
    int64_t wait_seconds; /* where it was refused: until one more would pass */
};

/* Begins a try: it counts as failed until it ends, also where its process is killed. Returns NULL,
 * or the error to answer with: the address has failed too often, or too many passwords are being
 * verified. The caller calls guess_end after NULL, and not otherwise. */
const struct error *guess_begin(struct guess *guess, struct request *request);

/* Ends the try. One that has not failed leaves no trace; those before it stay counted, or whoever
 * has a password of his own could guess on. */
void guess_end(struct guess *guess, bool has_failed);

#endif
