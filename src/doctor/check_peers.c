/* Checks the visits to other clubs' services. The check uses only the records of the last visits,
 * and does not send requests. */
#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/findings.h"
#include "doctor/logbook_checks.h"
#include "doctor/systemd.h"
#include "store/club/peers.h"

#define PEERS_SILENT_MS DATETIME_DAY_MS

struct peers_seen {
    struct examination *seen;
    int paired;
    int64_t asked_at_ms; /* time of the latest visit to any peer */
    /* failure of the first peer that does not answer; NULL: all peers answer */
    const char *failure;
    const char *waiting; /* name of the first unpaired peer; NULL: all peers are paired */
};

static void take_peer(void *context, const struct peer *peer)
{
    struct peers_seen *peers = context;
    const char *name = print(peers->seen, "%.*s", (int)peer->name.length, peer->name.bytes);
    if (!peer->paired_at_ms) {
        peers->waiting = peers->waiting ? peers->waiting : name;
        return;
    }
    peers->paired++;
    if (peer->asked_at_ms > peers->asked_at_ms)
        peers->asked_at_ms = peer->asked_at_ms;
    if (peer->failure.bytes && !peers->failure)
        peers->failure =
            print(peers->seen, "%s %.*s", name, (int)peer->failure.length, peer->failure.bytes);
}

void peers_check(struct examination *seen)
{
    struct peers_seen peers = {.seen = seen};
    if (store_list_peers(seen->doctor->store, take_peer, &peers) != STORE_DONE)
        return;
    if (peers.paired && clock_wall_ms() - peers.asked_at_ms > PEERS_SILENT_MS)
        found_with(seen, PEERS_NOT_ASKED,
                   systemd_fix_by_timer(seen, "qsosync-peers", PEERS_NOT_ASKED_FIX));
    else if (peers.failure)
        found(seen, PEERS_FAIL, peers.failure);
    else if (peers.waiting)
        found(seen, PEERS_WAIT, peers.waiting);
    else if (peers.paired)
        found(seen, PEERS_ANSWER, peers.paired, peers.paired == 1 ? "" : "s");
}
