/* The command member invite: makes a link that signs a member in, once, and prints it alone. Beside
 * it a person is shown its QR code and told how long it works, on standard error or a terminal, so
 * that a shell's $(...) holds nothing but the link. What a link opens is decided by the store. */
#include "admin/invite_member.h"

#include <string.h>
#include <unistd.h>

#include "admin/find_member.h"
#include "admin/keys.h"
#include "admin/service_address.h"
#include "base/api_key.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/sessions.h"

#define PATH "/welcome/#"

/* The link, with space for the line feed that keys_print_secret puts behind it; in the arena, and
 * wiped by the caller. NULL after a line on standard error. */
static char *make_link(struct invocation *invocation, const char *address,
                       unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES])
{
    char token[API_KEY_LINK_LENGTH + 1];
    char *link = NULL;
    if (api_key_make_link(token)) {
        api_key_fingerprint((struct text){token, API_KEY_LINK_LENGTH}, fingerprint);
        link = arena_print(invocation->arena, "%s" PATH "%s", address, token);
    } else
        command_refuse("the system has no random numbers");
    explicit_bzero(token, sizeof token);
    return link;
}

static int show(struct invocation *invocation, const struct member *member, char *link,
                int64_t expires_at_ms)
{
    char time[DATETIME_TEXT_LENGTH];
    if (command_has_option(invocation, "qr") && !keys_print_qr_code(STDERR_FILENO, link))
        return command_refuse("the QR code could not be shown; make another link");
    if (!keys_print_secret(link, strlen(link)))
        return command_refuse("the link could not be shown; make another one");
    datetime_format(expires_at_ms, time);
    return command_say("This link signs %s in, once, until %.10s %.5s UTC. "
                       "It cannot be shown again.",
                       member->callsign.bytes, time, time + strlen("YYYY-MM-DDT"));
}

static int refuse_disabled(const struct member *member)
{
    return command_refuse("%s is disabled; first: qsosync-admin member enable %s",
                          member->callsign.bytes, member->callsign.bytes);
}

static int invite(struct invocation *invocation, const struct member *member, const char *address,
                  int64_t days)
{
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    int64_t valid_ms = days * DATETIME_DAY_MS;
    char *link = make_link(invocation, address, fingerprint);
    if (!link)
        return EXIT_REFUSED;
    enum store_result result =
        command_has_option(invocation, "new")
            ? store_invite_new(invocation->store, member->id, fingerprint, valid_ms)
            : store_add_link(invocation->store, member->id, LINK_INVITATION, fingerprint, valid_ms);
    size_t length = strlen(link);
    int status = result == STORE_DONE ? show(invocation, member, link, clock_wall_ms() + valid_ms)
                 : result == STORE_REFUSED ? refuse_disabled(member)
                                           : EXIT_REFUSED;
    explicit_bzero(link, length);
    return status;
}

int invite_member(struct invocation *invocation)
{
    struct member member;
    const char *address;
    const char *wanted_days = command_option(invocation, "days");
    int64_t days = INVITATION_DAYS;
    if (wanted_days && !text_parse_integer(text_of(wanted_days), 1, INVITATION_DAYS_MAX, &days))
        return command_misuse("option --days takes an integer from 1 to %d", INVITATION_DAYS_MAX);
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    if (!member.active)
        return refuse_disabled(&member);
    int status = service_address_find(invocation, command_option(invocation, "address"), &address);
    return status == EXIT_DONE ? invite(invocation, &member, address, days) : status;
}
