/* Names the browser and the system that a User-Agent header describes, in fixed words, and the
 * program that sent it. */
#include "http/device.h"

#include <string.h>

enum sign_kind { BROWSER, SYSTEM };

/* Words that a User-Agent header can contain, and the usual names of the browser or system. The
 * first match counts. */
static const struct {
    enum sign_kind kind;
    const char *word, *name;
} signs[] = {
    {BROWSER, "Edg/", "Edge"},        {BROWSER, "EdgA/", "Edge"},
    {BROWSER, "EdgiOS/", "Edge"},     {BROWSER, "OPR/", "Opera"},
    {BROWSER, "Vivaldi/", "Vivaldi"}, {BROWSER, "SamsungBrowser/", "Samsung Internet"},
    {BROWSER, "FxiOS/", "Firefox"},   {BROWSER, "Firefox/", "Firefox"},
    {BROWSER, "CriOS/", "Chrome"},    {BROWSER, "Chromium/", "Chromium"},
    {BROWSER, "Chrome/", "Chrome"},   {BROWSER, "Epiphany/", "GNOME Web"},
    {BROWSER, "Version/", "Safari"},  {SYSTEM, "iPhone", "iPhone"},
    {SYSTEM, "iPad", "iPad"},         {SYSTEM, "Android", "Android"},
    {SYSTEM, "CrOS", "ChromeOS"},     {SYSTEM, "Windows", "Windows"},
    {SYSTEM, "Mac OS X", "macOS"},    {SYSTEM, "Linux", "Linux"},
    {SYSTEM, "FreeBSD", "FreeBSD"},   {SYSTEM, "OpenBSD", "OpenBSD"},
};

static const char *find(enum sign_kind kind, const char *user_agent)
{
    for (size_t i = 0; user_agent && i < sizeof signs / sizeof *signs; i++)
        if (signs[i].kind == kind && strstr(user_agent, signs[i].word))
            return signs[i].name;
    return NULL;
}

struct text device_name(struct arena *arena, const char *user_agent)
{
    const char *known = find(BROWSER, user_agent), *browser = known ? known : "A browser";
    const char *system = find(SYSTEM, user_agent);
    return text_of(system ? arena_print(arena, "%s on %s", browser, system) : browser);
}

/* Words at the beginning of our secrets. A program that sends its key in the wrong header must not
 * make the key visible. */
static const char *const secrets[] = {"qsosync_", "qsosyncup_", "qsosyncpo_", "qsosyncin_",
                                      "qsosyncpeer_"};

struct text device_program(struct arena *arena, const char *user_agent)
{
    if (!user_agent)
        return (struct text){0};
    if (strncmp(user_agent, "Mozilla/", 8) == 0)
        return device_name(arena, user_agent);
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (strstr(user_agent, secrets[i]))
            return (struct text){0};
    char *name = arena_allocate(arena, DEVICE_PROGRAM_MAX);
    size_t length = 0;
    for (; *user_agent && length < DEVICE_PROGRAM_MAX; user_agent++)
        if (*user_agent > ' ' && *user_agent <= '~')
            name[length++] = *user_agent;
        else if (length > 0 && name[length - 1] != ' ')
            name[length++] = ' ';
    while (length > 0 && name[length - 1] == ' ')
        length--;
    return length ? (struct text){name, length} : (struct text){0};
}
