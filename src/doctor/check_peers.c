/* Checks of the exchange with other clubs' services: whether each answers, whether one is waiting
 * to be paired, and whether somebody asks them. It goes by what the last visits have noted. Nothing
 * is asked here. */
#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/machine.h"
#include "store/peers.h"

#define SILENT_MS DATETIME_DAY_MS

struct look {
    struct examination *seen;
    int paired;
    int64_t asked_at_ms; /* the last time that any was */
    const char *failure; /* of the first that does not answer; NULL: all do */
    const char *waiting; /* the first that is not paired yet; NULL: none */
};

static void look_at(void *context, const struct peer *peer)
{
    struct look *look = context;
    const int length = (int)peer->name.length;
    look->paired += peer->paired_at_ms != 0;
    if (peer->asked_at_ms > look->asked_at_ms)
        look->asked_at_ms = peer->asked_at_ms;
    if (!peer->paired_at_ms && !look->waiting)
        look->waiting = print(look->seen, "%.*s", length, peer->name.bytes);
    if (peer->paired_at_ms && peer->failure.bytes && !look->failure)
        look->failure = print(look->seen, "%.*s %.*s", length, peer->name.bytes,
                              (int)peer->failure.length, peer->failure.bytes);
}

void peers_check(struct examination *seen)
{
    struct look look = {.seen = seen};
    if (store_list_peers(seen->doctor->store, look_at, &look) != STORE_DONE)
        return;
    if (look.paired && clock_wall_ms() - look.asked_at_ms > SILENT_MS)
        warn(seen, "peers",
             units_fix_by_timer(
                 seen, "qsosync-peers",
                 "let cron run qsosync-admin peer pull every five minutes; see qsosync-peers(7)"),
             "nobody has asked the other clubs for a day");
    else if (look.failure)
        warn(seen, "peers", "write to that club, or see qsosync-peers(7)", "%s", look.failure);
    else if (look.waiting)
        warn(seen, "peers", "enter its code again, or remove it with peer remove",
             "%s is not paired yet", look.waiting);
    else if (look.paired)
        fine(seen, "peers", "%d other club%s answered", look.paired, look.paired == 1 ? "" : "s");
}
