/* Chooses the language of a client, by the country of its callsign, and finds its texts, which are
 * rows made of src/languages/feed by src/build/compile-language. When they are said, and what the
 * feed says in English alone, is left to dialogue.c. */
#include "feed/language.h"

#include <string.h>
#include <strings.h>

#include "qso/divisions.h"

static const struct {
    const char *code, *english, *text;
} rows[] = {
#include "feed/languages.inc"
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* Countries by ISO 3166-1 where one of these languages is the one that most people speak. */
static const struct {
    const char *code, *countries;
} homes[] = {
    {"en", ""},
    {"de", "DE AT LI"},
    {"es", "ES AR BO CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV UY VE"},
    {"fr", "FR GF GP MC MQ NC PF PM RE WF YT"},
    {"it", "IT SM VA"},
    {"nl", "NL SR"},
    {"pl", "PL"},
    {"pt", "PT AO BR CV GW MZ ST"},
};
enum { HOME_COUNT = sizeof homes / sizeof homes[0] };

const char *language_of_callsign(const char *callsign)
{
    const struct division *division = divisions_find(text_of(callsign));
    for (int i = 0; division && *division->iso && i < HOME_COUNT; i++)
        if (strstr(homes[i].countries, division->iso))
            return homes[i].code;
    return homes[0].code;
}

const char *language_find(const char *code)
{
    for (int i = 0; i < HOME_COUNT; i++)
        if (strcasecmp(homes[i].code, code) == 0)
            return homes[i].code;
    return NULL;
}

const char *language_say(const char *code, const char *text)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].code, code) == 0 && strcmp(rows[i].english, text) == 0)
            return rows[i].text;
    return text;
}
