/* Commands that set and show the club's details and the service's own address. The options and the
 * printed lines correspond to the fields in store/club/club.h. store/club/club.c decides which
 * values are valid. */
#include "admin/club.h"

#include <stdlib.h>
#include <string.h>

#include "admin/command.h"
#include "admin/output.h"
#include "admin/values.h"
#include "base/buffer.h"
#include "base/host.h"
#include "base/host_local.h"
#include "json/write.h"
#include "store/club/club.h"

/* Returns whether members can sign in at this address. Browsers keep a session only if the address
 * is https, or is on this machine. */
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
        const char *fault = value ? club_check_value((enum club_field)i, &club.values[i]) : NULL;
        if (fault)
            command_refuse("--%s %s", club_fields[i].name, fault);
    }
    if (!any)
        command_misuse("club set needs an option, such as --name");
    command_require_done(store_set_club(invocation->store, &club, given));
    const struct text address = club.values[CLUB_ADDRESS];
    if (address.length > 0 && !lets_sign_in(address))
        command_warn("%.*s does not start with https://, so members cannot sign in there",
                     (int)address.length, address.bytes);
    output_report("the club's details were changed");
}

/* Appends a value after its name. Further lines of the value are indented, so that the value
 * remains one field. */
static void append_line(struct buffer *out, const char *name, struct text value)
{
    struct text rest = value.bytes ? value : text_of("-");
    for (; rest.bytes; name = "") {
        const struct text line = text_split_next(&rest, '\n');
        buffer_print(out, "%-8s %.*s\n", name, (int)line.length, line.bytes);
    }
}

struct club club_read(struct invocation *invocation)
{
    struct club club;
    command_require_done(store_read_club(invocation->store, invocation->arena, &club));
    return club;
}

void run_club_show(struct invocation *invocation)
{
    const struct club club = club_read(invocation);
    struct buffer out = {0};
    const bool json = command_has_option(invocation, "json");
    buffer_append_string(&out, json ? "{" : "");
    for (int i = 0; i < CLUB_FIELDS; i++)
        if (club_fields[i].is_hidden && !club.values[i].bytes)
            continue; /* a hidden field without a value has its default */
        else if (json)
            json_write_text(&out, club_fields[i].name, club.values[i]);
        else
            append_line(&out, club_fields[i].name, club.values[i]);
    buffer_append_string(&out, json ? "}\n" : "");
    output_print(&out, json);
}
