/* Names browsers and systems by the words that they put into User-Agent. Many claim to be others,
 * too, for old pages' sake: in each table the first row that fits counts. What is not known has no
 * name; nothing is stored as it was sent. */
#include "site/device.h"

#include <string.h>

struct sign {
    const char *word, *name;
};

static const struct sign browsers[] = {
    {"Edg/", "Edge"},          {"EdgA/", "Edge"},       {"EdgiOS/", "Edge"},
    {"OPR/", "Opera"},         {"Vivaldi/", "Vivaldi"}, {"SamsungBrowser/", "Samsung Internet"},
    {"FxiOS/", "Firefox"},     {"Firefox/", "Firefox"}, {"CriOS/", "Chrome"},
    {"Chromium/", "Chromium"}, {"Chrome/", "Chrome"},   {"Epiphany/", "GNOME Web"},
    {"Version/", "Safari"},
};
static const struct sign systems[] = {
    {"iPhone", "iPhone"}, {"iPad", "iPad"},       {"Android", "Android"},
    {"CrOS", "ChromeOS"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"},
    {"Linux", "Linux"},   {"FreeBSD", "FreeBSD"}, {"OpenBSD", "OpenBSD"},
};

static const char *find(const struct sign *signs, size_t count, const char *user_agent)
{
    for (size_t i = 0; user_agent && i < count; i++)
        if (strstr(user_agent, signs[i].word))
            return signs[i].name;
    return NULL;
}

struct text device_name(struct arena *arena, const char *user_agent)
{
    const char *browser = find(browsers, sizeof browsers / sizeof *browsers, user_agent);
    const char *system = find(systems, sizeof systems / sizeof *systems, user_agent);
    if (!browser)
        browser = "A browser";
    return text_of(system ? arena_print(arena, "%s on %s", browser, system) : browser);
}
