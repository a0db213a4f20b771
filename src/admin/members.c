/* Commands about members: add, list, invite, rename, set, enable, disable, delete.
 *
 * What a callsign may be, and what follows from a change, is decided in src/qso and the store. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/listing.h"
#include "base/api_key.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/log.h"
#include "store/members.h"
#include "store/sessions.h"
#include "transfer/everything.h"
#include "transfer/member_list.h"

/* The command member invite: makes a link that signs a member in, once, and prints it alone. Beside
 * it a person is shown its QR code and told how long it works, on standard error or a terminal, so
 * that a shell's $(...) holds nothing but the link. What a link opens is decided by the store. */

#define PATH "/welcome/#"

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
    char token[API_KEY_LINK_LENGTH + 1];
    unsigned char fingerprint[API_KEY_FINGERPRINT_BYTES];
    int64_t valid_ms = days * DATETIME_DAY_MS;
    if (!api_key_make(API_KEY_LINK, token))
        return command_refuse("the system has no random numbers");
    api_key_fingerprint((struct text){token, API_KEY_LINK_LENGTH}, fingerprint);
    /* With the NUL that becomes the line feed in keys_print_secret. */
    char *link = arena_print(invocation->arena, "%s" PATH "%s", address, token);
    size_t length = strlen(link);
    enum store_result result =
        command_has_option(invocation, "new")
            ? store_invite_new(invocation->store, member->id, fingerprint, valid_ms)
            : store_add_link(invocation->store, member->id, LINK_INVITATION, fingerprint, valid_ms);
    int status = result == STORE_DONE ? show(invocation, member, link, clock_wall_ms() + valid_ms)
                 : result == STORE_REFUSED ? refuse_disabled(member)
                                           : EXIT_REFUSED;
    explicit_bzero(token, sizeof token);
    explicit_bzero(link, length);
    return status;
}

/* Runs member invite; returns the exit status. */
static int invite_member(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const char *address;
    int64_t days = INVITATION_DAYS;
    if (!command_read_number(invocation, "days", INVITATION_DAYS_MAX, &days))
        return EXIT_USAGE;
    if (member->is_station)
        return command_refuse("%s is a station: nobody signs in as it. Let a member operate it: "
                              "qsosync-admin station grant %s MEMBER",
                              member->callsign.bytes, member->callsign.bytes);
    if (!member->active)
        return refuse_disabled(member);
    int status = service_address_find(invocation, command_option(invocation, "address"), &address);
    return status == EXIT_DONE ? invite(invocation, member, address, days) : status;
}

/* The file of everything about a member that is deleted: it must be on the disk before anything is
 * gone. What is in it is left to transfer/everything.c, and the deletion to the command that asks
 * for the file. */

static bool write_piece(void *context, const char *bytes, size_t length)
{
    FILE *file = context;
    return fwrite(bytes, 1, length, file) == length;
}

/* A JSON object with the member, the keys (never a key itself), the QSOs as the API gives them and
 * the spots. */
static int write_everything(void *context, FILE *file)
{
    struct invocation *invocation = context;
    return command_finish(everything_export(invocation->store, &invocation->member, clock_wall_ms(),
                                            write_piece, file));
}

/* The command member delete. It asks first, and offers to write everything that the service holds
 * about the member to a file for them. What is deleted with a member is decided
 * by the schema's foreign keys and the store. */

/* False after a line on standard error. */
static bool ask(const struct member *member)
{
    char answer[16];
    if (!isatty(STDIN_FILENO)) {
        command_refuse(
            "nobody is there to be asked; member delete --yes deletes without a question");
        return false;
    }
    fprintf(stderr, "Delete %s with %lld QSOs and %lld active keys? [y/N] ", member->callsign.bytes,
            (long long)member->qso_count, (long long)member->active_key_count);
    if (fgets(answer, sizeof answer, stdin) &&
        (strcasecmp(answer, "y\n") == 0 || strcasecmp(answer, "yes\n") == 0))
        return true;
    command_refuse("nothing was deleted");
    return false;
}

/* Nothing may be added to the log after its export. After a failure the member is enabled again if
 * they were before. */
static bool export_first(struct invocation *invocation, const struct member *member)
{
    const char *path = command_option(invocation, "export");
    if (store_set_member_active(invocation->store, member->id, false) != STORE_DONE)
        return false;
    if (!path || new_file_fill(path, write_everything, invocation) == EXIT_DONE)
        return true;
    if (member->active)
        store_set_member_active(invocation->store, member->id, true);
    return false;
}

/* Runs the command; returns the exit status. */
static int delete_member(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    if ((!command_has_option(invocation, "yes") && !ask(member)) ||
        !export_first(invocation, member))
        return EXIT_REFUSED;
    if (store_delete_member(invocation->store, member->id) != STORE_DONE)
        return command_refuse("%s is disabled now, but not all is deleted; run the command again",
                              member->callsign.bytes);
    command_warn("backups still hold the log of %s; restoring one leaves it out",
                 member->callsign.bytes);
    return command_say("deleted %s", member->callsign.bytes);
}

/* The command member add --from: reads a list, names each fault by its line, and adds all members
 * or none. What a line may hold, and how lines are compared with the members that there are, is
 * left to transfer/member_list.c. */

#define LIST_MAX_BYTES 1048576

static const struct column entry_columns[] = {
    {"LINE", "line", CELL_NUMBER},     {"CALLSIGN", "callsign", CELL_TEXT},
    {"LOCATOR", "locator", CELL_TEXT}, {"LOGIN", "login", CELL_TEXT},
    {"FAULT", "fault", CELL_TEXT},     {NULL, NULL, CELL_TEXT},
};

static int show_entries(struct invocation *invocation, const struct member_list *list)
{
    struct listing listing = {.columns = entry_columns, .arena = invocation->arena};
    for (size_t i = 0; i < list->count; i++) {
        const struct member_entry *entry = &list->entries[i];
        bool good = entry->fault == MEMBER_FAULT_NONE;
        listing_add(&listing, cell(entry->line),
                    cell(good ? entry->member.callsign : entry->written),
                    cell(good ? entry->member.locator : (struct text){0}),
                    cell(good ? entry->member.login : (struct text){0}),
                    cell(text_of(good ? NULL : member_entry_reason(entry, invocation->arena))));
    }
    return listing_finish(invocation, &listing, STORE_DONE);
}

static int show_faults(struct invocation *invocation, const struct member_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].fault != MEMBER_FAULT_NONE)
            printf("line %lld: %s\n", (long long)list->entries[i].line,
                   member_entry_reason(&list->entries[i], invocation->arena));
    return command_finish_output();
}

/* Runs member add --from FILE; returns the exit status. */
static int add_members_from(struct invocation *invocation)
{
    const char *path = command_option(invocation, "from");
    struct text text;
    struct member_list list;
    bool dry_run = command_has_option(invocation, "dry-run");
    if (!given_file_take(path, LIST_MAX_BYTES, &text) ||
        member_list_read(invocation->store, invocation->arena, text, &list) != STORE_DONE)
        return EXIT_REFUSED;
    if (list.count == 0)
        return command_refuse("%s names no member", path);
    enum store_result result = STORE_DONE;
    if (!dry_run && list.fault_count == 0)
        result = member_list_add(invocation->store, &list);
    if (result != STORE_DONE && result != STORE_REFUSED)
        return EXIT_REFUSED;
    int status = dry_run ? show_entries(invocation, &list) : show_faults(invocation, &list);
    if (status != EXIT_DONE)
        return status;
    if (list.fault_count > 0)
        return command_refuse("%zu of %zu lines cannot become members; nobody was added",
                              list.fault_count, list.count);
    return command_say(dry_run ? "%zu member%s would be added" : "added %zu member%s", list.count,
                       list.count == 1 ? "" : "s");
}

#define LOGIN_MAX 200

/* The database refused a callsign or a login that another member has. */
static int refuse_conflict(struct invocation *invocation, struct text callsign, struct text login)
{
    const char *similar = callsign.bytes ? find_member_similar(invocation, callsign) : NULL;
    if (similar)
        return command_refuse("there is a member %s already", similar);
    return command_refuse("another member has the login name %.*s already", (int)login.length,
                          login.bytes);
}

/* Whether the role is to be given; false after a line on standard error. */
static bool read_role(const char *wanted, bool *is_operator)
{
    *is_operator = wanted && strcmp(wanted, "on") == 0;
    if (!wanted || *is_operator || strcmp(wanted, "off") == 0)
        return true;
    command_misuse("option --operator is on or off");
    return false;
}

static void count_operator(void *context, const struct member *member)
{
    int *operators = context;
    *operators += member->is_operator && member->active;
}

/* Only this line tells the person who sets the service up that the operator's page is for
 * operators. */
static int say_added(struct invocation *invocation, const struct member *member)
{
    int operators = 0;
    if (store_list_members(invocation->store, count_operator, &operators) != STORE_DONE)
        return EXIT_REFUSED;
    if (operators > 0)
        return command_say("added %s%s", member->callsign.bytes,
                           member->is_operator ? ", an operator" : "");
    return command_say("added %s; nobody is an operator yet: qsosync-admin member set %s "
                       "--operator on",
                       member->callsign.bytes, member->callsign.bytes);
}

static int add(struct invocation *invocation)
{
    struct member member = {0};
    char locator[LOCATOR_LENGTH_MAX];
    const char *login = command_option(invocation, "login");
    if (!read_role(command_option(invocation, "operator"), &member.is_operator))
        return EXIT_USAGE;
    if (!find_member_read_locator(command_option(invocation, "locator"), locator,
                                  &member.locator) ||
        !find_member_read_callsign(invocation, invocation->arguments[0], &member.callsign))
        return EXIT_REFUSED;
    member.login = member_default_login(invocation->arena, member.callsign);
    if (login && !command_read_text("the login name", login, LOGIN_MAX, &member.login))
        return EXIT_REFUSED;
    enum store_result result = store_add_member(invocation->store, &member);
    if (result == STORE_REFUSED)
        return refuse_conflict(invocation, member.callsign, member.login);
    return result == STORE_DONE ? say_added(invocation, &member) : EXIT_REFUSED;
}

/* The command may remove the last operator: the person who runs it can make another one. */
static enum store_result set_role(struct invocation *invocation, const struct member *member,
                                  bool is_operator)
{
    int operators = 0;
    enum store_result result = store_set_operator(invocation->store, member->id, is_operator);
    if (result == STORE_DONE && !is_operator &&
        store_list_members(invocation->store, count_operator, &operators) == STORE_DONE &&
        operators == 0)
        command_warn("no active member is an operator now");
    return result;
}

static int set(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    struct text locator = {0}, login = {0};
    char normal[LOCATOR_LENGTH_MAX];
    bool is_operator;
    const char *wanted_locator = command_option(invocation, "locator");
    const char *wanted_login = command_option(invocation, "login");
    const char *wanted_role = command_option(invocation, "operator");
    if (!wanted_locator && !wanted_login && !wanted_role)
        return command_misuse("missing option --locator, --login or --operator of member set");
    if (!read_role(wanted_role, &is_operator))
        return EXIT_USAGE;
    if ((wanted_locator && !find_member_read_locator(wanted_locator, normal, &locator)) ||
        (wanted_login && !command_read_text("the login name", wanted_login, LOGIN_MAX, &login)))
        return EXIT_REFUSED;
    if (member->is_station && (login.bytes || wanted_role))
        return command_refuse("%s is a station: it has no login name and no role",
                              member->callsign.bytes);
    if (text_equals(login, member->login))
        login = (struct text){0};
    enum store_result result = STORE_DONE;
    if (locator.bytes || login.bytes)
        result = store_set_member(invocation->store, member->id, locator, login);
    if (result == STORE_REFUSED)
        return refuse_conflict(invocation, (struct text){0}, login);
    if (result == STORE_DONE && wanted_role)
        result = set_role(invocation, member, is_operator);
    return command_done(result, "changed %s", member->callsign.bytes);
}

static int rename_member(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    struct text callsign;
    if (!find_member_read_callsign(invocation, invocation->arguments[1], &callsign))
        return EXIT_REFUSED;
    enum store_result result = store_rename_member(invocation->store, member->id, callsign);
    if (result == STORE_REFUSED)
        return refuse_conflict(invocation, callsign, member->login);
    struct member renamed;
    if (result == STORE_DONE)
        result = store_find_member(invocation->store, invocation->arena, callsign, &renamed);
    return command_done(result, "%s is %s now; the login name is %s", member->callsign.bytes,
                        callsign.bytes, renamed.login.bytes);
}

static const struct column member_columns[] = {
    {"CALLSIGN", "callsign", CELL_TEXT},   {"LOCATOR", "locator", CELL_TEXT},
    {"LOGIN", "login", CELL_TEXT},         {"ACTIVE", "active", CELL_FLAG},
    {"OPERATOR", "operator", CELL_FLAG},   {"QSOS", "qsos", CELL_NUMBER},
    {"KEYS", "activeKeys", CELL_NUMBER},   {"DEVICES", "devices", CELL_NUMBER},
    {"PASSWORD", "password", CELL_FLAG},   {"ADDED", "createdAt", CELL_TIME},
    {"LAST USED", "lastUsedOn", CELL_DAY}, {NULL, NULL, CELL_TEXT},
};

static void add_row(void *context, const struct member *member)
{
    struct listing *listing = context;
    listing_add(listing, cell(member->callsign), cell(member->locator), cell(member->login),
                cell(member->active), cell(member->is_operator), cell(member->qso_count),
                cell(member->active_key_count), cell(member->session_count),
                cell(member->has_password), cell(member->created_at_ms),
                cell_if(member->last_used_day >= 0, member->last_used_day));
}

static int list(struct invocation *invocation)
{
    struct listing listing = {.columns = member_columns, .arena = invocation->arena};
    enum store_result result = store_list_members(invocation->store, add_row, &listing);
    return listing_finish(invocation, &listing, result);
}

static int set_active(struct invocation *invocation)
{
    bool active = invocation->command->which;
    const struct member *member = &invocation->member;
    return command_done(store_set_member_active(invocation->store, member->id, active), "%s is %s",
                        member->callsign.bytes, active ? "enabled" : "disabled");
}

static int remove_card(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    enum store_result result = store_remove_card(invocation->store, member->id);
    if (result == STORE_NONE)
        return command_refuse("%s has no card", member->callsign.bytes);
    return command_done(result, "removed the card of %s", member->callsign.bytes);
}

const struct command members_commands[] = {
    {"member add", "CALLSIGN --locator LOCATOR [--login NAME] [--operator on|off]", "add a member",
     .run = add},
    {"member add", "--from FILE [--dry-run] [--json]",
     "add all members of a list, \"callsign, locator\" a line", .run = add_members_from},
    {"member invite", "CALLSIGN [--days N] [--qr] [--new] [--address URL]",
     "print a link that signs a member in, once", .of_member = true, .run = invite_member},
    {"member list", "[--json]", "list the members", .opening = OPENS_TO_READ, .run = list},
    {"member set", "CALLSIGN [--locator LOCATOR] [--login NAME] [--operator on|off]",
     "change a member's locator, login name or role", .of_member = true, .run = set},
    {"member rename", "CALLSIGN NEW", "give a member another callsign", .of_member = true,
     .run = rename_member},
    {"member disable", "CALLSIGN", "stop a member's keys and sign the member out",
     .of_member = true, .run = set_active},
    {"member enable", "CALLSIGN", "let a disabled member's keys work again", .of_member = true,
     .which = true, .run = set_active},
    {"member delete", "CALLSIGN [--yes] [--export FILE]",
     "delete a member with log, keys and spots; asks first", .of_member = true,
     .run = delete_member},
    {"card remove", "CALLSIGN", "remove a member's QSL card, its picture and its texts",
     .of_member = true, .run = remove_card},
    {0},
};
