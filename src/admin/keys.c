/* Commands about API keys and upload tokens (add, list, revoke), which are stored alike, about
 * uploads in general, and about the devices of members. A key or a token is shown once, when it is
 * created; a key with a QR code if a person can see it. src/base/api_key.c and the store create and
 * store them. */
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/api_key.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "links/setup_link.h"
#include "store/credentials.h"
#include "store/log/uploads.h"
#include "store/people/devices.h"
#include "store/people/keys.h"

bool keys_print_secret(char *secret, size_t length)
{
    signal(SIGPIPE, SIG_IGN);
    secret[length] = '\n';
    return write(STDOUT_FILENO, secret, length + 1) == (ssize_t)length + 1;
}

bool keys_print_qr_code(int file, const char *link)
{
    struct buffer lines = {0};
    signal(SIGPIPE, SIG_IGN);
    bool printed = qr_code_append_lines(link, &lines) &&
                   write(file, lines.bytes, lines.length) == (ssize_t)lines.length;
    if (lines.length > 0)
        explicit_bzero(lines.bytes, lines.length);
    buffer_free(&lines);
    return printed;
}

/* The differences between keys and tokens in these commands. */
struct kind {
    enum credential credential;
    const char *name, *word;
    size_t length;
    const char *path; /* where a program finds what it is for */
    unsigned hidden;  /* columns that the other kind has, or only keys of the app */
};

/* The places of columns. */
enum { NUMBER, MEMBER, MADE_BY, NAME, DEVICE, SCOPE, KEY, TOKEN, MAY_READ };

/* Indexed by the command's row among those with its function. */
static const struct kind kinds[] = {
    {CREDENTIAL_KEY, "key", "key", API_KEY_LENGTH, "/api/v1",
     1 << DEVICE | 1 << TOKEN | 1 << MAY_READ},
    {CREDENTIAL_TOKEN, "upload token", "token", API_KEY_TOKEN_LENGTH, "/cloudlog",
     1 << DEVICE | 1 << SCOPE | 1 << KEY},
};

/* A key that nobody has seen must not stay valid: it would count towards the member's ten. The
 * terminal may be closed by now; then it counts as not shown. */
static void show_once(struct invocation *invocation, const struct kind *kind, char *secret,
                      int64_t number, const char *address)
{
    const struct member *member = &invocation->member;
    bool shown = true, on = true;
    if (address) {
        char *link = setup_link_make(invocation->arena, address, secret);
        shown = keys_print_qr_code(STDOUT_FILENO, link);
        explicit_bzero(link, strlen(link));
    }
    if (!shown || !keys_print_secret(secret, kind->length)) {
        if (store_revoke_key(invocation->store, kind->credential, member->id, number) != STORE_DONE)
            command_refuse("the %s could not be shown; revoke number %lld", kind->word,
                           (long long)number);
        command_refuse("the %s could not be shown and was revoked", kind->word);
    }
    if (kind->credential == CREDENTIAL_KEY && !member->active)
        command_warn("%s is disabled: the key will work after qsosync-admin member enable %s",
                     member->callsign.bytes, member->callsign.bytes);
    if (kind->credential == CREDENTIAL_TOKEN &&
        store_read_uploads(invocation->store, &on) == STORE_DONE && !on)
        command_warn("uploads are off: the token will work after qsosync-admin uploads on");
    command_report("This is %s %lld of %s. It cannot be shown again.", kind->name,
                   (long long)number, member->callsign.bytes);
    service_address_say(invocation, kind->path);
}

void run_key_add(struct invocation *invocation)
{
    const struct kind *kind = &kinds[invocation->command->which];
    const struct member *member = &invocation->member;
    const bool is_key = kind->credential == CREDENTIAL_KEY;
    char secret[API_KEY_TOKEN_LENGTH + 1];
    struct key wanted = {.may_read = !is_key && command_has_option(invocation, "may-read")};
    const char *address = NULL; /* address of the API for the QR code; NULL: no code */
    int64_t number = 0;
    _Static_assert(API_KEY_TOKEN_LENGTH > API_KEY_LENGTH, "the longer of both");
    if (is_key) {
        const char *scope = command_option(invocation, "scope");
        wanted.scope = strcasecmp(scope, "READ") == 0    ? SCOPE_READ
                       : strcasecmp(scope, "WRITE") == 0 ? SCOPE_WRITE
                                                         : SCOPE_NONE;
        if (wanted.scope == SCOPE_NONE)
            command_misuse("option --scope must be READ or WRITE");
        const char *given = command_option(invocation, "address");
        if (command_has_option(invocation, "qr"))
            address = arena_print(invocation->arena, "%s/api/v1",
                                  service_address_find(invocation, given));
        else if (given)
            command_misuse("option --address is for the QR code: add --qr");
    }
    wanted.name =
        command_read_text(arena_print(invocation->arena, "the name of the %s", kind->word),
                          command_option(invocation, "name"), KEY_NAME_MAX);
    api_key_make(is_key ? API_KEY_KEY : API_KEY_TOKEN, secret);
    enum store_result result =
        store_add_key(invocation->store, member->id, &wanted, secret, &number);
    if (result == STORE_CONFLICT)
        command_refuse("%s has an active %s with the name %.*s; choose another name, or revoke it",
                       member->callsign.bytes, kind->name, (int)wanted.name.length,
                       wanted.name.bytes);
    command_expect(result, STORE_REFUSED, "%s already has %d active %ss; revoke one first",
                   member->callsign.bytes, KEY_ACTIVE_MAX, kind->name);
    show_once(invocation, kind, secret, number, address);
    explicit_bzero(secret, sizeof secret);
}

static void add_row(void *context, const struct key *key)
{
    struct listing *listing = context;
    const struct text device = key->is_app && key->revoked_at_ms == 0
                                   ? devices_name(listing->arena, key->browser, key->name)
                                   : (struct text){0};
    if (device.bytes)
        listing->hidden &= ~(1U << DEVICE);
    listing_add(listing, cell(key->number), cell(key->member), cell(key->maker), cell(key->name),
                cell(device), cell(text_of(store_scope_name(key->scope))), cell(key->hint),
                cell(key->hint), cell(key->may_read), cell_time(key->created_at_ms),
                cell_day(key->last_used_day), cell_time(key->revoked_at_ms));
}

void keys_collect_all(const struct invocation *invocation, struct listing *listing)
{
    *listing = (struct listing){
        .list = LIST_KEYS, .hidden = kinds[0].hidden | 1 << MADE_BY, .arena = invocation->arena};
    command_require_done(store_list_all_keys(invocation->store, add_row, listing));
}

/* For all members, or for one; a station's list shows who made them. */
void run_key_list(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const struct kind *kind = &kinds[invocation->command->which];
    struct listing listing = {.list = LIST_KEYS,
                              .hidden = kind->hidden | 1 << MEMBER |
                                        (member->is_station ? 0 : 1 << MADE_BY),
                              .arena = invocation->arena};
    if (invocation->arguments[0])
        command_require_done(
            store_list_keys(invocation->store, kind->credential, member->id, add_row, &listing));
    else
        keys_collect_all(invocation, &listing);
    listing_print(invocation, &listing);
}

void run_key_revoke(struct invocation *invocation)
{
    const struct kind *kind = &kinds[invocation->command->which];
    const struct member *member = &invocation->member;
    int64_t number;
    if (!text_parse_integer(text_of(invocation->arguments[1]), 1, INT64_MAX, &number))
        command_misuse("%s is not a %s number", invocation->arguments[1], kind->word);
    command_expect(store_revoke_key(invocation->store, kind->credential, member->id, number),
                   STORE_NONE, "%s has no active %s with the number %lld", member->callsign.bytes,
                   kind->name, (long long)number);
    command_report("revoked %s %lld", kind->name, (long long)number);
}

void run_uploads(struct invocation *invocation)
{
    const bool on = invocation->command->which;
    command_require_done(store_set_uploads(invocation->store, on));
    command_report("uploads are %s", on ? "on" : "off");
}

/* -- Devices: browsers that are signed in, and their apps -------------------------------------- */

static void add_device(void *context, const struct device *device)
{
    struct listing *listing = context;
    const struct session *browser = &device->browser;
    const struct text app = device->app_count ? device->apps[0].name : (struct text){0};
    int64_t last_used_day = browser->last_used_day;
    for (size_t i = 0; i < device->app_count; i++)
        if (device->apps[i].last_used_day > last_used_day)
            last_used_day = device->apps[i].last_used_day;
    listing_add(listing, cell_if(browser->number != 0, browser->number),
                cell(devices_name(listing->arena, browser->device, app)),
                cell_time(browser->created_at_ms), cell_day(last_used_day));
}

void run_member_devices(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_DEVICES, .arena = invocation->arena};
    command_require_done(store_list_devices(invocation->store, invocation->arena,
                                            invocation->member.id, clock_wall_ms(), add_device,
                                            &listing));
    listing_print(invocation, &listing);
}

void run_member_sign_out(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    int64_t number = 0;
    const char *wanted = invocation->arguments[1];
    if (wanted && !text_parse_integer(text_of(wanted), 1, INT64_MAX, &number))
        command_misuse("%s is not the number of a device", wanted);
    command_expect(wanted ? store_sign_out_device(invocation->store, member->id, number)
                          : store_sign_out_devices(invocation->store, member->id, 0),
                   STORE_NONE, "%s has no signed-in device with the number %lld",
                   member->callsign.bytes, (long long)number);
    command_report("%s was signed out %s", member->callsign.bytes, wanted ? "there" : "everywhere");
}
