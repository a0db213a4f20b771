/* Reads the values of options and arguments. An invalid value ends the program with a message. */
#include "admin/values.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "admin/command.h"
#include "base/datetime.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "qso/locator.h"
#include "store/people/members.h"

bool command_names(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

const char *command_option(const struct invocation *invocation, const char *name)
{
    const char *value = NULL;
    assert(!invocation->command || command_names(invocation->command->options, name));
    for (int i = 0; i < invocation->option_count; i++)
        if (strcmp(invocation->options[i].name, name) == 0)
            value = invocation->options[i].value;
    return value;
}

bool command_has_option(const struct invocation *invocation, const char *name)
{
    return command_option(invocation, name) != NULL;
}

bool command_read_time(const char *argument, int64_t *ms)
{
    return datetime_parse_day(text_of(argument), ms) || datetime_parse(text_of(argument), ms);
}

int64_t command_read_since(const struct invocation *invocation)
{
    const char *since = command_option(invocation, "since");
    int64_t ms = 0;
    if (since && !command_read_time(since, &ms))
        command_misuse(
            "option --since must be a date such as 2026-05-17, or a date and time such as "
            "2026-05-17T19:42:00Z");
    return ms;
}

int64_t command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                            int64_t otherwise)
{
    const char *given = command_option(invocation, name);
    if (given && !text_parse_integer(text_of(given), 1, maximum, &otherwise))
        command_misuse("option --%s must be an integer from 1 to %lld", name, (long long)maximum);
    return otherwise;
}

bool command_read_switch(const struct invocation *invocation, const char *name)
{
    const char *given = command_option(invocation, name);
    const bool is_on = given && strcmp(given, "on") == 0;
    if (given && !is_on && strcmp(given, "off") != 0)
        command_misuse("option --%s must be on or off", name);
    return is_on;
}

int command_read_choice(const struct invocation *invocation, const char *name, const char *one,
                        const char *other)
{
    const char *given = command_option(invocation, name);
    if (given && strcasecmp(given, one) != 0 && strcasecmp(given, other) != 0)
        command_misuse("option --%s must be %s or %s", name, one, other);
    return !given ? 0 : strcasecmp(given, one) == 0 ? 1 : 2;
}

struct text command_read_text(const char *what, const char *argument, size_t maximum)
{
    struct text trimmed = text_trim(text_of(argument));
    bool clean = text_is_utf8(trimmed.bytes, trimmed.length) && !text_has_control(trimmed);
    size_t length = clean ? text_count_code_points(trimmed) : 0;
    if (length == 0 || length > maximum)
        command_refuse("%s must be 1 to %zu printable characters", what, maximum);
    return trimmed;
}

struct text command_read_callsign(struct invocation *invocation, const char *argument)
{
    struct text callsign;
    if (!member_read_callsign(invocation->arena, text_of(argument), &callsign))
        command_refuse("the callsign must be 1 to %d printable characters", MEMBER_CALLSIGN_MAX);
    return callsign;
}

struct text command_read_locator(struct invocation *invocation)
{
    const char *given = command_option(invocation, "locator");
    struct text text = text_trim(text_of(given));
    char *normal = arena_allocate(invocation->arena, LOCATOR_LENGTH_MAX);
    if (given && !locator_normalise(text, normal))
        command_refuse("%s is not a Maidenhead locator of 4 or 6 characters", given);
    return given ? (struct text){normal, text.length} : text;
}

const char *command_find_similar(struct invocation *invocation, struct text callsign)
{
    struct member similar;
    return store_find_similar_member(invocation->store, invocation->arena, callsign, &similar) ==
                   STORE_DONE
               ? similar.callsign.bytes
               : NULL;
}

struct member command_find_member(struct invocation *invocation, const char *argument)
{
    struct member member;
    const struct text callsign = command_read_callsign(invocation, argument);
    /* the callsign is first looked up as written, because an older logbook can have two members
     * whose callsigns differ only in case */
    enum store_result result = store_find_member(invocation->store, invocation->arena,
                                                 text_trim(text_of(argument)), &member);
    if (result == STORE_NONE)
        result = store_find_member(invocation->store, invocation->arena, callsign, &member);
    const char *similar = result == STORE_NONE ? command_find_similar(invocation, callsign) : NULL;
    if (similar)
        command_refuse("no member %s; did you mean %s?", callsign.bytes, similar);
    command_expect(result, STORE_NONE, "no member %s", callsign.bytes);
    return member;
}
