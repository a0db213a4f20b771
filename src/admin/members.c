/* Commands about members: add, list, invite, rename, set, enable, disable, delete.
 *
 * The form of a callsign and the effects of a change are decided in src/qso and the store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/api_key.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/log/cards.h"
#include "store/log/logbook_status.h"
#include "store/people/links.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "store/people/sessions.h"
#include "transfer/member_export.h"
#include "transfer/member_list.h"

/* The command member invite: makes a link that signs a member in once, and prints only the link.
 * Its QR code and its lifetime go to standard error or a terminal, so that a shell's $(...)
 * contains only the link. The store decides what a link opens. */

#define PATH "/welcome/#"

static _Noreturn void refuse_disabled(const struct member *member)
{
    command_refuse("%s is disabled; first: qsosync-admin member enable %s", member->callsign.bytes,
                   member->callsign.bytes);
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
        command_refuse("%s is a station, and stations do not sign in. Let a member operate it: "
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
    /* With the NUL that becomes the line feed in keys_print_secret. */
    char *link = arena_print(invocation->arena, "%s" PATH "%s", address, token);
    const size_t length = strlen(link);
    if (command_has_option(invocation, "qr") && !keys_print_qr_code(STDERR_FILENO, link))
        command_refuse("the QR code could not be shown; create another link");
    if (!keys_print_secret(link, length))
        command_refuse("the link could not be shown; create another one");
    datetime_format(clock_wall_ms() + valid_ms, time);
    command_report("This link signs %s in once, until %.10s %.5s UTC. It cannot be shown again.",
                   member->callsign.bytes, time, time + strlen("YYYY-MM-DDT"));
    explicit_bzero(token, sizeof token);
    explicit_bzero(link, length);
}

/* The file with all data of a member that is deleted: it must be on the disk before anything is
 * deleted. transfer/member_export.c writes the content; the command deletes the member. */

static bool write_piece(void *context, const char *bytes, size_t length)
{
    FILE *file = context;
    return fwrite(bytes, 1, length, file) == length;
}

/* A JSON object with the member, the keys (never a key itself), the QSOs as the API gives them and
 * the spots. */
static bool write_everything(void *context, FILE *file)
{
    struct invocation *invocation = context;
    return member_export_write(invocation->store, &invocation->member, clock_wall_ms(), write_piece,
                               file) == STORE_DONE;
}

/* The command member delete. It asks first, and offers to write all of the member's data to a file.
 * The schema's foreign keys and the store delete the member's data. */

static void ask(const struct member *member)
{
    char answer[16];
    if (!isatty(STDIN_FILENO))
        command_refuse("cannot ask for confirmation without a terminal; member delete --yes skips "
                       "the question");
    command_write(stderr, "Delete %s with %lld QSOs and %lld active keys? [y/N] ",
                  member->callsign.bytes, (long long)member->qso_count,
                  (long long)member->active_key_count);
    if (!fgets(answer, sizeof answer, stdin) ||
        (strcasecmp(answer, "y\n") != 0 && strcasecmp(answer, "yes\n") != 0))
        command_refuse("nothing was deleted");
}

/* Nothing may be added to the log after its export. After a failure the member is enabled again if
 * they were before. */
void run_member_delete(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const char *path = command_option(invocation, "export");
    if (!command_has_option(invocation, "yes"))
        ask(member);
    command_require_done(store_set_member_active(invocation->store, member->id, false));
    if (path && !new_file_fill(path, write_everything, invocation)) {
        if (member->active)
            store_set_member_active(invocation->store, member->id, true);
        exit(EXIT_REFUSED);
    }
    if (store_delete_member(invocation->store, member->id) != STORE_DONE)
        command_refuse("%s is now disabled, but only partly deleted; run the command again",
                       member->callsign.bytes);
    command_warn("backups still contain the log of %s; restoring one does not bring it back",
                 member->callsign.bytes);
    command_report("deleted %s", member->callsign.bytes);
}

/* The command member add --from: reads a list, names each fault by its line, and adds all members
 * or none. transfer/member_list.c reads the lines and compares them with the existing members. */

#define LIST_MAX_BYTES 1048576

void run_member_add_from(struct invocation *invocation)
{
    const char *path = command_option(invocation, "from");
    struct member_list list;
    struct listing listing = {.list = LIST_ENTRIES, .arena = invocation->arena};
    const bool dry_run = command_has_option(invocation, "dry-run");
    const struct text text = file_argument_read(path, LIST_MAX_BYTES);
    command_require_done(member_list_read(invocation->store, invocation->arena, text, &list));
    if (list.count == 0)
        command_refuse("%s lists no members", path);
    if (!dry_run && list.fault_count == 0) {
        enum store_result result = member_list_add(invocation->store, &list);
        command_require_done(result == STORE_REFUSED ? STORE_DONE : result);
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct member_entry *entry = &list.entries[i];
        const bool good = entry->fault == MEMBER_FAULT_NONE;
        const char *reason = good ? NULL : member_entry_reason(entry, invocation->arena);
        listing_add(&listing, cell(entry->line),
                    cell(good ? entry->member.callsign : entry->written),
                    cell(good ? entry->member.locator : (struct text){0}),
                    cell(good ? entry->member.login : (struct text){0}), cell(text_of(reason)));
        if (reason && !dry_run)
            command_write(stdout, "line %lld: %s\n", (long long)entry->line, reason);
    }
    if (dry_run)
        listing_print(invocation, &listing);
    if (list.fault_count > 0)
        command_refuse("%zu of %zu lines have errors; nobody was added", list.fault_count,
                       list.count);
    command_report(dry_run ? "%zu member%s would be added" : "added %zu member%s", list.count,
                   list.count == 1 ? "" : "s");
}

#define LOGIN_MAX 200

/* Handles refusals by the database, too: another member has the callsign (no text: unchanged) or
 * the login. */
static void expect_saved(struct invocation *invocation, enum store_result result,
                         struct text callsign, struct text login)
{
    const char *similar = result == STORE_REFUSED && callsign.bytes
                              ? command_find_similar(invocation, callsign)
                              : NULL;
    if (similar)
        command_refuse("member %s already exists", similar);
    command_expect(result, STORE_REFUSED, "another member already has the login name %.*s",
                   (int)login.length, login.bytes);
}

static int64_t count_operators(struct invocation *invocation)
{
    struct logbook_status status;
    command_require_done(store_read_status(invocation->store, &status));
    return status.operators;
}

/* The last line alone tells the person who sets the service up that the operator's page is for
 * operators. */
void run_member_add(struct invocation *invocation)
{
    const char *login = command_option(invocation, "login");
    struct member member = {.is_operator = command_read_switch(invocation, "operator")};
    member.locator = command_read_locator(invocation);
    member.callsign = command_read_callsign(invocation, invocation->arguments[0]);
    member.login = login ? command_read_text("the login name", login, LOGIN_MAX)
                         : member_default_login(invocation->arena, member.callsign);
    expect_saved(invocation, store_add_member(invocation->store, &member), member.callsign,
                 member.login);
    if (count_operators(invocation) > 0)
        command_report("added %s%s", member.callsign.bytes,
                       member.is_operator ? ", an operator" : "");
    else
        command_report("added %s; there is no operator yet: qsosync-admin member set %s "
                       "--operator on",
                       member.callsign.bytes, member.callsign.bytes);
}

/* The command may remove the last operator: the person who runs it can make another one. */
void run_member_set(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    struct text login = {0};
    const char *wanted_login = command_option(invocation, "login");
    const bool sets_role = command_has_option(invocation, "operator");
    if (!command_has_option(invocation, "locator") && !wanted_login && !sets_role)
        command_misuse("missing option --locator, --login or --operator of member set");
    const bool is_operator = command_read_switch(invocation, "operator");
    const struct text locator = command_read_locator(invocation);
    if (wanted_login)
        login = command_read_text("the login name", wanted_login, LOGIN_MAX);
    if (member->is_station && (login.bytes || sets_role))
        command_refuse("%s is a station: it has no login name and no role", member->callsign.bytes);
    if (text_equals(login, member->login))
        login = (struct text){0};
    if (locator.bytes || login.bytes)
        expect_saved(invocation, store_set_member(invocation->store, member->id, locator, login),
                     (struct text){0}, login);
    if (sets_role)
        command_require_done(store_set_operator(invocation->store, member->id, is_operator));
    if (sets_role && !is_operator && count_operators(invocation) == 0)
        command_warn("there is now no active operator");
    command_report("changed %s", member->callsign.bytes);
}

void run_member_rename(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const struct text callsign = command_read_callsign(invocation, invocation->arguments[1]);
    expect_saved(invocation, store_rename_member(invocation->store, member->id, callsign), callsign,
                 member->login);
    const struct member renamed = command_find_member(invocation, callsign.bytes);
    command_report("%s is now %s; the login name is %s", member->callsign.bytes, callsign.bytes,
                   renamed.login.bytes);
}

static void add_row(void *context, const struct member *member)
{
    struct listing *listing = context;
    listing_add(listing, cell(member->callsign), cell(member->locator), cell(member->login),
                cell(member->active), cell(member->is_operator), cell(member->qso_count),
                cell(member->active_key_count), cell(member->session_count),
                cell(member->has_password), cell_time(member->created_at_ms),
                cell_day(member->last_used_day));
}

void run_member_list(struct invocation *invocation)
{
    struct listing listing = {.list = LIST_MEMBERS, .arena = invocation->arena};
    command_require_done(store_list_members(invocation->store, add_row, &listing));
    listing_print(invocation, &listing);
}

void run_member_set_active(struct invocation *invocation)
{
    const bool active = invocation->command->which;
    const struct member *member = &invocation->member;
    command_require_done(store_set_member_active(invocation->store, member->id, active));
    command_report("%s is %s", member->callsign.bytes, active ? "enabled" : "disabled");
}

void run_card_remove(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    command_expect(store_remove_card(invocation->store, member->id, true), STORE_NONE,
                   "%s has no card", member->callsign.bytes);
    command_report("removed the card of %s", member->callsign.bytes);
}
