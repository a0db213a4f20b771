/* The table of settings: name, range, default and the sentence of the manual, and how each is read.
 * One stands in the environment of the process or, by CGI and FastCGI, among a request's variables.
 * Whether a setting has an effect in a program is said here; what it does, elsewhere. */
#include "worker/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "worker/instance.h"

#define PREFIX "QSOSYNC_"

struct setting {
    const char *name;
    const char *default_text; /* NULL: where the logbook is */
    int64_t minimum, maximum; /* equal: a text */
    const char *description;
};

static const struct setting settings[SETTING_COUNT] = {
    [SETTING_DB] = {PREFIX "DB", NULL, 0, 0, "path of the database file"},
    [SETTING_RATE_LIMIT] = {PREFIX "RATE_LIMIT", "300", 0, 60000,
                            "requests that one address may make in a minute; 0: no limit"},
    [SETTING_WRITE_WAIT_MS] = {PREFIX "WRITE_WAIT_MS", "10000", 0, 60000,
                               "how long a write waits for other writers, in milliseconds"},
    [SETTING_SEND_WAIT_MS] =
        {PREFIX "SEND_WAIT_MS", "120000", 100, 600000,
         "how long a client may take nothing of a long answer, in milliseconds"},
    [SETTING_REQUEST_CPU_MS] = {PREFIX "REQUEST_CPU_MS", "5000", 10, 600000,
                                "processor time that a step of a request may take, in "
                                "milliseconds"},
    [SETTING_TOMBSTONE_DAYS] = {PREFIX "TOMBSTONE_DAYS", "730", 0, 36500,
                                "how long it is known which QSOs were deleted, in days"},
    [SETTING_HISTORY_DAYS] = {PREFIX "HISTORY_DAYS", "180", 0, 36500,
                              "for how many days changes can be undone; 0: never"},
    [SETTING_HISTORY_STATES] = {PREFIX "HISTORY_STATES", "1000000", 1, 1000000000,
                                "former states of QSOs that are kept for a member"},
    [SETTING_SANDBOX] =
        {PREFIX "SANDBOX", "1", 0, 1,
         "whether the worker gives up all files but the database's; environment only"},
    [SETTING_ADDRESS] =
        {PREFIX "ADDRESS", "", 0, 0,
         "pages: the service's own address; else the one that a request was sent to"},
    [SETTING_CLUB] = {PREFIX "CLUB", "QSOsync", 0, 0, "pages: the club's name"},
    [SETTING_NODE] = {PREFIX "NODE", "QSOSYNC", 0, 0, "cluster feed: the name of this node"},
    [SETTING_INSTANCE] = {PREFIX "INSTANCE", "", 0, 0,
                          "which of several clubs on this server; by its units alone"},
    [SETTING_CLUB_TEXT] = {PREFIX "CLUB_TEXT", "", 0, 0, "pages: a line of text below it"},
};

static const char *default_of(const struct setting *setting)
{
    return setting->default_text ? setting->default_text : logbook_path_default();
}

static const char *find(enum setting_index setting, setting_lookup *lookup, void *context)
{
    const char *value = getenv(settings[setting].name);
    if (!value && lookup)
        value = lookup(context, settings[setting].name);
    return value && *value ? value : NULL;
}

const char *settings_text(enum setting_index setting, setting_lookup *lookup, void *context)
{
    const char *value = find(setting, lookup, context);
    return value ? value : default_of(&settings[setting]);
}

bool settings_is_set(enum setting_index setting, setting_lookup *lookup, void *context)
{
    return find(setting, lookup, context) != NULL;
}

const char *settings_fixed_text(enum setting_index setting)
{
    return find(setting, NULL, NULL);
}

static bool read_number(const struct setting *setting, const char *value, int64_t *number)
{
    return value && text_parse_integer(text_of(value), setting->minimum, setting->maximum, number);
}

int64_t settings_number(enum setting_index setting, setting_lookup *lookup, void *context)
{
    int64_t number = 0;
    if (!read_number(&settings[setting], find(setting, lookup, context), &number))
        read_number(&settings[setting], settings[setting].default_text, &number);
    return number;
}

static const struct setting *find_setting(const char *assignment, size_t length)
{
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strlen(settings[i].name) == length &&
            strncmp(settings[i].name, assignment, length) == 0)
            return &settings[i];
    return NULL;
}

enum setting_fault settings_judge(const char *assignment, struct buffer *why)
{
    int64_t number;
    const size_t length = strcspn(assignment, "=");
    const struct setting *setting = find_setting(assignment, length);
    const char *value = assignment[length] ? assignment + length + 1 : "";
    if (strncmp(assignment, PREFIX, sizeof PREFIX - 1) != 0)
        return SETTING_FINE;
    if (!setting) {
        buffer_print(why, "there is no setting %.*s", (int)length, assignment);
        return SETTING_UNKNOWN;
    }
    if (setting->minimum == setting->maximum || !*value || read_number(setting, value, &number))
        return SETTING_FINE;
    buffer_print(why, "%s must be an integer from %lld to %lld", setting->name,
                 (long long)setting->minimum, (long long)setting->maximum);
    return SETTING_WRONG;
}

bool settings_check(void)
{
    bool right = true;
    struct buffer why = {0};
    for (char **variable = environ; *variable; variable++) {
        enum setting_fault fault = settings_judge(*variable, &why);
        if (fault != SETTING_FINE)
            log_line("%.*s", (int)why.length, why.bytes);
        buffer_clear(&why);
        right = right && fault != SETTING_WRONG;
    }
    buffer_free(&why);
    return right;
}

void settings_describe(struct buffer *out)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        const struct setting *setting = &settings[i];
        buffer_print(out, "  %-22s %s\n  %-22s default %s", setting->name, setting->description, "",
                     default_of(setting));
        if (setting->minimum != setting->maximum)
            buffer_print(out, ", %lld to %lld", (long long)setting->minimum,
                         (long long)setting->maximum);
        buffer_append_string(out, "\n");
    }
}
