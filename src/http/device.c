/* Names the browser and the system that a User-Agent header describes, in fixed words. */
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
