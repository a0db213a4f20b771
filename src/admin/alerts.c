/* The commands alerts send and alerts test. src/alerts sends; the store decides what is due. */
#include <stdlib.h>

#include "admin/command.h"
#include "admin/output.h"
#include "admin/service_address.h"
#include "admin/values.h"
#include "alerts/send.h"
#include "store/alerts/alert_queue.h"

#define SECONDS_DEFAULT 50
#define SECONDS_MAX 3600
#define HOSTS_VARIABLE "QSOSYNC_ALERT_HOSTS"

static struct send_counts send_due(struct invocation *invocation)
{
    const struct send_options options = {
        .address = service_address_find(invocation, NULL),
        .hosts = getenv(HOSTS_VARIABLE),
        .most_ms = command_read_number(invocation, "seconds", SECONDS_MAX, SECONDS_DEFAULT) * 1000};
    struct send_counts counts = {0};
    command_require_done(alerts_send(invocation->store, &options, &counts));
    return counts;
}

void run_alerts_send(struct invocation *invocation)
{
    const struct send_counts counts = send_due(invocation);
    if (counts.sent || counts.again || counts.failed)
        output_report("%lld alerts sent, %lld to be tried again, %lld failed",
                      (long long)counts.sent, (long long)counts.again, (long long)counts.failed);
}

struct ways {
    int64_t ids[ALERT_WAYS_MAX];
    int count;
};

static void add_way(void *context, const struct alert_way *way)
{
    struct ways *ways = context;
    if (way->is_on && ways->count < ALERT_WAYS_MAX)
        ways->ids[ways->count++] = way->id;
}

void run_alerts_test(struct invocation *invocation)
{
    const int64_t member_id = invocation->member.id;
    const struct spot spot = {.dx_callsign = invocation->member.callsign,
                              .spotter = text_of("QSOSYNC"),
                              .band = BAND_ELEVEN_METERS,
                              .frequency_hz = 27555000,
                              .mode = MODE_USB};
    struct ways ways = {0};
    command_require_done(store_list_alert_ways(invocation->store, member_id, add_way, &ways));
    if (ways.count == 0)
        command_refuse("%s has no active device or address for alerts", invocation->arguments[0]);
    for (int i = 0; i < ways.count; i++)
        command_expect(store_try_alert_way(invocation->store, member_id, ways.ids[i], &spot),
                       STORE_REFUSED, "%s had too many test alerts in the last hour",
                       invocation->arguments[0]);
    run_alerts_send(invocation);
}
