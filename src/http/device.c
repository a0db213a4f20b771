/* Names the browser and the system of a User-Agent header with fixed words. */
#include "http/device.h"

#include <string.h>

enum sign_kind { BROWSER, SYSTEM };

static const struct {
    enum sign_kind kind;
    const char *word, *name;
} signs[] = {
#define ROW(kind, word, name) {kind, word, name},
#include "schema/user_agents.inc"
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
