/* Commands about what the club says of itself: its name and texts on the pages, and the service's
 * own address. Options and lines follow the fields of store/club.h, which also decides what each of
 * them may hold. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "admin/command.h"
#include "base/buffer.h"
#include "json/write.h"
#include "store/club.h"

/* Browsers keep a session only if it is encrypted, or on the machine itself. */
static bool lets_sign_in(const char *address)
{
    static const char *const beginnings[] = {"https://", "http://localhost", "http://127.",
                                             "http://[::1]"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncasecmp(address, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static void warn_of_address(struct invocation *invocation, struct text address)
{
    const char *copy = arena_copy(invocation->arena, address.bytes, address.length);
    if (address.length > 0 && !lets_sign_in(copy))
        command_warn("%s is not encrypted: members cannot sign in there", copy);
}

static int set(struct invocation *invocation)
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
            return command_refuse("--%s %s", club_fields[i].name, fault);
    }
    if (!any)
        return command_misuse("missing option of club set, such as --name");
    if (store_set_club(invocation->store, &club, given) != STORE_DONE)
        return EXIT_REFUSED;
    warn_of_address(invocation, club.values[CLUB_ADDRESS]);
    return command_say("changed what the club says");
}

/* A value of several lines is set off by the width of the names, so that it stays one field. */
static void append_line(struct buffer *out, const char *name, struct text value)
{
    buffer_print(out, "%-8s ", name);
    for (size_t i = 0; i < value.length; i++) {
        buffer_append(out, value.bytes + i, 1);
        if (value.bytes[i] == '\n')
            buffer_print(out, "%9s", "");
    }
    buffer_append_string(out, value.bytes ? "\n" : "-\n");
}

static int show(struct invocation *invocation)
{
    struct club club;
    struct buffer out = {0};
    bool json = command_has_option(invocation, "json");
    if (store_read_club(invocation->store, invocation->arena, &club) != STORE_DONE)
        return EXIT_REFUSED;
    if (json)
        buffer_append_string(&out, "{");
    for (int i = 0; i < CLUB_FIELDS; i++)
        if (club_fields[i].is_hidden && !club.values[i].bytes)
            continue; /* it is as it is everywhere */
        else if (json)
            json_write_text(&out, club_fields[i].name, club.values[i]);
        else
            append_line(&out, club_fields[i].name, club.values[i]);
    if (json)
        buffer_append_string(&out, "}\n");
    return command_print(&out);
}

const struct command club_commands[] = {
    {"club set",
     "[--name NAME] [--text TEXT] [--link URL] [--contact TEXT] [--legal TEXT] "
     "[--address URL] [--accent COLOUR] [--numbers on|off] "
     "[--clusters HOST:PORT] [--station CALLSIGN] [--filter TEXT] "
     "[--pictures on|off]",
     "set what the pages say of the club, and the service's address", .run = set},
    {"club show", "[--json]", "show what the pages say of the club", .opening = OPENS_TO_READ,
     .run = show},
    {0},
};

/* -- The service's address --------------------------------------------------------------------- */

/* The address that members reach the service at: of an option, of the logbook, or of the
 * environment, in this order. What an address may be is decided by store/club.c; what is made of it
 * is left to the commands. */

#define VARIABLE "QSOSYNC_ADDRESS"

/* That of the logbook, or of the environment; no text: neither is there. */
static struct text known_address(const struct club *club)
{
    struct text address = club->values[CLUB_ADDRESS];
    return address.bytes ? address : text_of(getenv(VARIABLE));
}

int service_address_find(struct invocation *invocation, const char *given, const char **address)
{
    struct club club;
    if (store_read_club(invocation->store, invocation->arena, &club) != STORE_DONE)
        return EXIT_REFUSED;
    struct text text = given ? text_of(given) : known_address(&club);
    const char *fault = text.bytes ? club_judge(CLUB_ADDRESS, &text) : NULL;
    if (fault && given)
        return command_misuse("option --address %s", fault);
    if (fault)
        return command_refuse(VARIABLE " %s", fault);
    if (given && !text.bytes)
        return command_misuse("option --address needs a value");
    if (!text.bytes)
        return command_refuse("the address of the service is not known; set it once with: "
                              "qsosync-admin club set --address https://log.example.org");
    *address = arena_copy(invocation->arena, text.bytes, text.length);
    return EXIT_DONE;
}

int service_address_say(struct invocation *invocation, const char *path)
{
    struct club club;
    if (store_read_club(invocation->store, invocation->arena, &club) != STORE_DONE)
        return EXIT_DONE;
    struct text address = known_address(&club);
    if (!address.bytes || club_judge(CLUB_ADDRESS, &address) || !address.bytes)
        return EXIT_DONE;
    return command_say("The address for the program is %.*s%s.", (int)address.length, address.bytes,
                       path);
}
