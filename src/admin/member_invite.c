/* The command member invite: creates a link that signs a member in once, and prints the link. The
 * QR code is printed on standard error, and the expiry only on a terminal, so that a shell's $(...)
 * contains only the link. The store decides what a link opens. */
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/output.h"
#include "admin/secret.h"
#include "admin/service_address.h"
#include "admin/values.h"
#include "base/api_key.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/people/members.h"
#include "store/people/links.h"

#define PATH "/welcome/#"

static _Noreturn void refuse_disabled(const struct member *member)
{
    command_refuse("%s is disabled; enable the member with: qsosync-admin member enable %s",
                   member->callsign.bytes, member->callsign.bytes);
}

void run_member_invite(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    char token[API_KEY_LINK_LENGTH + 1], time[DATETIME_TEXT_LENGTH];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    const int64_t valid_ms =
        command_read_number(invocation, "days", INVITATION_DAYS_MAX, INVITATION_DAYS) *
        DATETIME_DAY_MS;
    if (member->is_station)
        command_refuse(
            "%s is a station, and stations cannot sign in; let a member operate it with: "
            "qsosync-admin station grant %s MEMBER",
            member->callsign.bytes, member->callsign.bytes);
    if (!member->active)
        refuse_disabled(member);
    const char *address = service_address_find(invocation, command_option(invocation, "address"));
    api_key_make(API_KEY_LINK, token);
    api_key_fingerprint((struct text){token, API_KEY_LINK_LENGTH}, fingerprint);
    enum store_result result =
        command_has_option(invocation, "new")
            ? store_invite_new(invocation->store, member->id, fingerprint, valid_ms)
            : store_add_link(invocation->store, member->id, LINK_INVITATION, fingerprint, valid_ms);
    if (result == STORE_REFUSED)
        refuse_disabled(member);
    command_require_done(result);
    /* secret_print overwrites the final NUL */
    char *link = arena_print(invocation->arena, "%s" PATH "%s", address, token);
    const size_t length = strlen(link);
    if (command_has_option(invocation, "qr") && !secret_print_qr_code(STDERR_FILENO, link))
        command_refuse("the QR code could not be shown; create another link");
    if (!secret_print(link, length))
        command_refuse("the link could not be shown; create another link");
    datetime_format(clock_wall_ms() + valid_ms, time);
    output_report("This link signs %s in once, until %.10s %.5s UTC. It cannot be shown again.",
                  member->callsign.bytes, time, time + strlen("YYYY-MM-DDT"));
    explicit_bzero(token, sizeof token);
    explicit_bzero(link, length);
}
