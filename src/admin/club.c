/* Commands about what the club says of itself: its name and texts on the pages, and the service's
 * own address. Options and lines follow the fields of store/club/club.h, which also decides what
 * each of them may hold. */
#include <stdlib.h>
#include <string.h>

#include "admin/command.h"
#include "base/buffer.h"
#include "base/host.h"
#include "base/host_local.h"
#include "json/write.h"
#include "store/club/club.h"

/* Browsers keep a session only if it is encrypted, or on the machine itself. */
static bool lets_sign_in(struct text address)
{
    struct web_address own;
    return host_read_address(address, &own) &&
           (own.is_encrypted || host_is_this_machine(&own.host));
}

void run_club_set(struct invocation *invocation)
{
    struct club club = {0};
    bool given[CLUB_FIELDS] = {false}, any = false;
    for (int i = 0; i < CLUB_FIELDS; i++) {
        const char *value = command_option(invocation, club_fields[i].name);
        given[i] = value != NULL;
        any = any || given[i];
        club.values[i] = text_of(value);
        const char *fault = value ? club_judge((enum club_field)i, &club.values[i]) : NULL;
        if (fault)
            command_refuse("--%s %s", club_fields[i].name, fault);
    }
    if (!any)
        command_misuse("club set needs an option, such as --name");
    command_require_done(store_set_club(invocation->store, &club, given));
    const struct text address = club.values[CLUB_ADDRESS];
    if (address.length > 0 && !lets_sign_in(address))
        command_warn("%.*s does not start with https://: members cannot sign in there",
                     (int)address.length, address.bytes);
    command_report("the club's details were changed");
}

/* A value of several lines is set off by the width of the names, so that it stays one field. */
static void append_line(struct buffer *out, const char *name, struct text value)
{
    struct text rest = value.bytes ? value : text_of("-");
    for (; rest.bytes; name = "") {
        const struct text line = text_split_next(&rest, '\n');
        buffer_print(out, "%-8s %.*s\n", name, (int)line.length, line.bytes);
    }
}

struct club command_read_club(struct invocation *invocation)
{
    struct club club;
    command_require_done(store_read_club(invocation->store, invocation->arena, &club));
    return club;
}

void run_club_show(struct invocation *invocation)
{
    const struct club club = command_read_club(invocation);
    struct buffer out = {0};
    const bool json = command_has_option(invocation, "json");
    buffer_append_string(&out, json ? "{" : "");
    for (int i = 0; i < CLUB_FIELDS; i++)
        if (club_fields[i].is_hidden && !club.values[i].bytes)
            continue; /* it is as it is everywhere */
        else if (json)
            json_write_text(&out, club_fields[i].name, club.values[i]);
        else
            append_line(&out, club_fields[i].name, club.values[i]);
    buffer_append_string(&out, json ? "}\n" : "");
    command_print(&out, json);
}

/* -- The service's address --------------------------------------------------------------------- */

/* The address at which members reach the service: from an option, the logbook, or the environment,
 * in this order. store/club/club.c decides which addresses are valid; the commands use it. */

#define VARIABLE "QSOSYNC_ADDRESS"

/* The address of the logbook or of the environment; no text: neither is set. */
static struct text known_address(struct invocation *invocation)
{
    const struct text address = command_read_club(invocation).values[CLUB_ADDRESS];
    return address.bytes ? address : text_of(getenv(VARIABLE));
}

const char *service_address_find(struct invocation *invocation, const char *given)
{
    struct text text = given ? text_of(given) : known_address(invocation);
    const char *fault = text.bytes ? club_judge(CLUB_ADDRESS, &text) : NULL;
    if (fault && given)
        command_misuse("option --address %s", fault);
    if (fault)
        command_refuse(VARIABLE " %s", fault);
    if (given && !text.bytes)
        command_misuse("option --address needs a value");
    if (!text.bytes)
        command_refuse("the service's address is not set; set it once with: "
                       "qsosync-admin club set --address https://log.example.org");
    return arena_copy(invocation->arena, text.bytes, text.length);
}

void service_address_say(struct invocation *invocation, const char *path)
{
    struct text address = known_address(invocation);
    if (address.bytes && !club_judge(CLUB_ADDRESS, &address) && address.bytes)
        command_report("The address for the program is %.*s%s.", (int)address.length, address.bytes,
                       path);
}
