/* Commands (add, list, revoke) about API keys and upload tokens, which are stored alike, and about
 * uploads in general. A key or token is shown only once, when it is created. With --qr, a key is
 * also shown as a QR code. src/base/api_key.c creates keys and tokens, and the store saves their
 * fingerprints. */
#include "admin/keys.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "admin/output.h"
#include "admin/secret.h"
#include "admin/service_address.h"
#include "admin/values.h"
#include "base/api_key.h"
#include "links/setup_link.h"
#include "store/credentials.h"
#include "store/log/uploads.h"
#include "store/people/devices.h"
#include "store/people/keys.h"

/* The differences between keys and tokens in these commands. */
struct kind {
    enum credential credential;
    const char *name, *word;
    size_t length;
    const char *path; /* path at which programs use the key or token */
    unsigned hidden;  /* columns that are only for the other kind, or for some keys */
};

/* The positions of the columns. */
enum {
    NUMBER,
    MEMBER,
    MADE_BY,
    NAME,
    DEVICE,
    SCOPE,
    KEY,
    TOKEN,
    MAY_READ,
    CREATED,
    LAST_USED,
    LAST_USED_BY
};

/* The two kinds, indexed by invocation->command->which. */
static const struct kind kinds[] = {
    {CREDENTIAL_KEY, "key", "key", API_KEY_LENGTH, "/api/v1",
     1 << DEVICE | 1 << TOKEN | 1 << MAY_READ | 1 << LAST_USED_BY},
    {CREDENTIAL_TOKEN, "upload token", "token", API_KEY_TOKEN_LENGTH, "/cloudlog",
     1 << DEVICE | 1 << SCOPE | 1 << KEY | 1 << LAST_USED_BY},
};

/* Shows the secret. Revokes the key or token if the secret could not be shown, for example because
 * a pipe was closed. Otherwise an unseen secret would count towards the member's limit of ten. */
static void show_once(struct invocation *invocation, const struct kind *kind, char *secret,
                      int64_t number, const char *address)
{
    const struct member *member = &invocation->member;
    bool shown = true, on = true;
    if (address) {
        char *link = setup_link_make(invocation->arena, address, secret);
        shown = secret_print_qr_code(STDOUT_FILENO, link);
        explicit_bzero(link, strlen(link));
    }
    if (!shown || !secret_print(secret, kind->length)) {
        if (store_revoke_key(invocation->store, kind->credential, member->id, number) != STORE_DONE)
            command_refuse("the %s could not be shown; revoke %s %lld", kind->word, kind->name,
                           (long long)number);
        command_refuse("the %s could not be shown, so it was revoked; run the command again",
                       kind->word);
    }
    if (kind->credential == CREDENTIAL_KEY && !member->active)
        command_warn("%s is disabled; to make the key work, run: qsosync-admin member enable %s",
                     member->callsign.bytes, member->callsign.bytes);
    if (kind->credential == CREDENTIAL_TOKEN &&
        store_read_uploads(invocation->store, &on) == STORE_DONE && !on)
        command_warn("uploads are off; to make the token work, run: qsosync-admin uploads on");
    output_report("This is %s %lld for %s. It cannot be shown again.", kind->name,
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
    const char *address = NULL; /* address of the API for the QR code; NULL: no QR code */
    int64_t number = 0;
    _Static_assert(API_KEY_TOKEN_LENGTH > API_KEY_LENGTH, "the longer of the two");
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
            command_misuse("option --address needs --qr");
    }
    wanted.name =
        command_read_text(arena_print(invocation->arena, "the name of the %s", kind->word),
                          command_option(invocation, "name"), KEY_NAME_MAX);
    api_key_make(is_key ? API_KEY_KEY : API_KEY_TOKEN, secret);
    enum store_result result =
        store_add_key(invocation->store, member->id, &wanted, secret, &number);
    if (result == STORE_CONFLICT)
        command_refuse("%s already has an active %s with the name %.*s; choose another name, or "
                       "revoke that %s",
                       member->callsign.bytes, kind->name, (int)wanted.name.length,
                       wanted.name.bytes, kind->word);
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
    if (key->program.bytes)
        listing->hidden &= ~(1U << LAST_USED_BY);
    listing_add(listing, cell(key->number), cell(key->member), cell(key->maker), cell(key->name),
                cell(device), cell(text_of(store_scope_name(key->scope))), cell(key->hint),
                cell(key->hint), cell(key->may_read), cell_time(key->created_at_ms),
                cell_day(key->last_used_day), cell(key->program), cell_time(key->revoked_at_ms));
}

void keys_collect_all(const struct invocation *invocation, struct listing *listing)
{
    *listing = (struct listing){
        .list = LIST_KEYS, .hidden = kinds[0].hidden | 1 << MADE_BY, .arena = invocation->arena};
    command_require_done(store_list_all_keys(invocation->store, add_row, listing));
}

/* Lists the keys or tokens of one member, or the keys of all members. A station's list also shows
 * who created each key. */
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
    output_report("revoked %s %lld", kind->name, (long long)number);
}

void run_uploads(struct invocation *invocation)
{
    const bool on = invocation->command->which;
    command_require_done(store_set_uploads(invocation->store, on));
    output_report("uploads are %s", on ? "on" : "off");
}
