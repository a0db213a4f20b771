/* Reads settings; schema/settings.tsv has the name, default, range and description of each. A
 * setting is in the environment of the process or, with CGI and FastCGI, among a request's
 * variables. This file decides whether a setting is valid; other files implement its effect. */
#include "worker/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "worker/logbook_path.h"

#define PREFIX "QSOSYNC_"

struct setting {
    const char *name;
    const char *default_text; /* NULL: the default path of the logbook */
    /* range of a number. If both values are equal, the setting is a text of at most this many
     * bytes, or of any length if both values are 0. */
    int64_t minimum, maximum;
    const char *description;
};

#define ROW(name, value, minimum, maximum, description)                                            \
    [SETTING_##name] = {PREFIX #name, value, minimum, maximum, description},
static const struct setting settings[SETTING_COUNT] = {
#include "schema/settings.inc"
};

static const char *default_of(const struct setting *setting)
{
    return setting->default_text ? setting->default_text : logbook_path_default();
}

static bool is_text(const struct setting *setting)
{
    return setting->minimum == setting->maximum;
}

static bool is_too_long(const struct setting *setting, const char *text)
{
    return setting->maximum > 0 && strlen(text) > (size_t)setting->maximum;
}

const char *settings_find(enum setting_index setting, setting_lookup *lookup, void *context)
{
    const char *value = getenv(settings[setting].name);
    if (!value && lookup)
        value = lookup(context, settings[setting].name);
    return value && *value ? value : NULL;
}

const char *settings_text(enum setting_index setting, setting_lookup *lookup, void *context)
{
    const char *value = settings_find(setting, lookup, context);
    return value && !is_too_long(&settings[setting], value) ? value
                                                            : default_of(&settings[setting]);
}

static bool read_number(const struct setting *setting, const char *value, int64_t *number)
{
    return value && text_parse_integer(text_of(value), setting->minimum, setting->maximum, number);
}

int64_t settings_number(enum setting_index setting, setting_lookup *lookup, void *context)
{
    int64_t number = 0;
    if (!read_number(&settings[setting], settings_find(setting, lookup, context), &number))
        read_number(&settings[setting], settings[setting].default_text, &number);
    return number;
}

enum setting_fault settings_find_fault(const char *assignment, struct buffer *why)
{
    int64_t number;
    const size_t length = strcspn(assignment, "=");
    const char *value = assignment[length] ? assignment + length + 1 : "";
    const struct setting *setting = settings, *end = settings + SETTING_COUNT;
    while (setting < end && !text_equals((struct text){assignment, length}, text_of(setting->name)))
        setting++;
    if (strncmp(assignment, PREFIX, sizeof PREFIX - 1) != 0)
        return SETTING_FINE;
    if (setting == end) {
        buffer_print(why, "there is no setting %.*s", (int)length, assignment);
        return SETTING_UNKNOWN;
    }
    if (!*value ||
        (is_text(setting) ? !is_too_long(setting, value) : read_number(setting, value, &number)))
        return SETTING_FINE;
    if (is_text(setting))
        buffer_print(why, "%s must have at most %lld bytes", setting->name,
                     (long long)setting->maximum);
    else
        buffer_print(why, "%s must be an integer from %lld to %lld", setting->name,
                     (long long)setting->minimum, (long long)setting->maximum);
    return SETTING_WRONG;
}

bool settings_check(void)
{
    bool right = true;
    struct buffer why = {0};
    for (char **variable = environ; *variable; variable++) {
        enum setting_fault fault = settings_find_fault(*variable, &why);
        if (fault != SETTING_FINE)
            log_line("%.*s", (int)why.length, why.bytes);
        buffer_clear(&why);
        right = right && fault != SETTING_WRONG;
    }
    buffer_free(&why);
    return right;
}

void settings_print(void)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        const struct setting *setting = &settings[i];
        printf("  %-22s %s\n  %-22s default %s", setting->name, setting->description, "",
               default_of(setting));
        if (is_text(setting) && setting->maximum > 0)
            printf(", at most %lld bytes", (long long)setting->maximum);
        else if (!is_text(setting))
            printf(", %lld to %lld", (long long)setting->minimum, (long long)setting->maximum);
        putchar('\n');
    }
}
