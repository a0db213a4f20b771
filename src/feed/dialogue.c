/* Answers the lines that a cluster client types, as DXSpider does. Commands are converted to upper
 * case, and split at spaces and slashes. Clients never receive their own text back, except the
 * callsign. client.c reads and writes; follow.c finds the spots. */
#include "feed/dialogue.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/format.h"
#include "base/text.h"

#define UNKNOWN_MAX 100
#define PROMPT_PAUSE_MS 1000
#define WORDS_MAX 8
#define COLUMNS 80 /* width of a terminal */

static void say(struct buffer *out, const char *line)
{
    buffer_append_string(out, line);
    buffer_append_string(out, "\r\n");
}

/* Introduces the node. The names can be long, so lines break at spaces before column 80. */
static void say_name(const struct dialogue *dialogue, const char *greeting, struct buffer *out)
{
    struct buffer names = {0};
    buffer_print(&names, "%s%s, the DX cluster of %s", greeting, dialogue->node, dialogue->club);
    struct text rest = {names.bytes, names.length};
    while (rest.length >= COLUMNS) {
        const char *blank = memrchr(rest.bytes + 1, ' ', COLUMNS - 1);
        size_t length = blank ? (size_t)(blank - rest.bytes) : COLUMNS - 1;
        buffer_append(out, rest.bytes, length);
        say(out, "");
        rest = text_skip(rest, length + (blank != NULL));
    }
    buffer_append(out, rest.bytes, rest.length);
    say(out, "");
    buffer_free(&names);
}

void dialogue_begin(struct dialogue *dialogue, struct buffer *out)
{
    dialogue->state = DIALOGUE_LOGIN;
    say_name(dialogue, "", out);
    buffer_append_string(out, "login: ");
}

void dialogue_prompt(const struct dialogue *dialogue, int64_t now_ms, struct buffer *out)
{
    char when[sizeof "31-Dec-9999 2359Z"];
    struct tm now;
    time_t seconds = (time_t)(now_ms / 1000);
    strftime(when, sizeof when, "%d-%b-%Y %H%MZ", gmtime_r(&seconds, &now));
    buffer_print(out, "%s de %s %s dxspider >\r\n", dialogue->callsign, dialogue->node, when);
}

/* Parses a callsign, as in cluster lines, with an optional SSID from -1 to -99. */
static bool parse_callsign(const char *line, char out[DIALOGUE_CALLSIGN_MAX + 1])
{
    char callsign[SPOT_CALLSIGN_MAX + 1];
    size_t length = strcspn(line, "-");
    int64_t ssid;
    const char *rest = line + length;
    if (memchr(line, ' ', length) || memchr(line, '.', length) ||
        !spot_format_callsign((struct text){line, length}, callsign) ||
        (*rest && (rest[1] == '0' || !text_parse_integer(text_of(rest + 1), 1, 99, &ssid))))
        return false;
    format_cut(out, DIALOGUE_CALLSIGN_MAX + 1, "%s%.3s", callsign, rest);
    return true;
}

static void trim_and_raise(const char *line, char out[TELNET_LINE_MAX + 1])
{
    struct text trimmed = text_trim(text_of(line));
    text_to_upper(trimmed, out);
    out[trimmed.length] = '\0';
}

static void take_callsign(struct dialogue *dialogue, const struct telnet *line, int64_t now_ms,
                          struct buffer *out)
{
    char upper[TELNET_LINE_MAX + 1];
    trim_and_raise(line->line, upper);
    if (!*upper && !line->is_odd) {
        buffer_append_string(out, "\r\nlogin: ");
        return;
    }
    if (line->is_odd || !parse_callsign(upper, dialogue->callsign)) {
        say(out, "Sorry, that is not a valid callsign");
        dialogue->state = DIALOGUE_ENDED;
        return;
    }
    dialogue->state = DIALOGUE_OPEN;
    char hello[COLUMNS];
    format_cut(hello, sizeof hello, "Hello %s, this is ", dialogue->callsign);
    say_name(dialogue, hello, out);
    say(out, "Spots come from the members' logs. QSOsync uses DXSpider's commands.");
    say(out, "Type help for a list of commands.");
    dialogue_prompt(dialogue, now_ms, out);
}

struct command_line {
    char text[TELNET_LINE_MAX + 1];
    const char *words[WORDS_MAX]; /* "" after the last word */
    bool is_empty;                /* whether the line has only spaces */
    bool is_long;                 /* whether the line has more words than `words` */
};

static void part(const char *line, struct command_line *command)
{
    char *save = NULL;
    trim_and_raise(line, command->text);
    command->is_empty = !*command->text;
    for (int i = 0; i < WORDS_MAX; i++) {
        /* from the third word on, words can be callsigns, which contain slashes */
        char *word = strtok_r(i ? NULL : command->text, i < 2 ? " /" : " ", &save);
        command->words[i] = word ? word + strspn(word, "/") : "";
    }
    command->is_long = save && save[strspn(save, " /")];
}

/* Reads sh/dx 20, sh/dx/20 or show/dx, followed by a callsign, a band and a mode in any order.
 * "on", which DXSpider requires before a band, has no effect. */
static void show_spots(struct dialogue *dialogue, const struct command_line *command,
                       struct buffer *out)
{
    int64_t number;
    bool known = !command->is_long;
    int wanted = DIALOGUE_SHOW_DEFAULT;
    dialogue->shown = dialogue->filter;
    for (int i = 2; i < WORDS_MAX; i++) {
        const char *word = command->words[i];
        if (!*word)
            continue;
        if (text_parse_integer(text_of(word), 1, INT64_MAX, &number))
            wanted = number > DIALOGUE_SHOW_MAX ? DIALOGUE_SHOW_MAX : (int)number;
        else if (strcmp(word, "ON") != 0)
            known = known && filter_set_any(&dialogue->shown, word);
    }
    if (!known) {
        say(out, "Not understood. Usage: sh/dx 20 26AT 11m SSB (or pmr), all parts optional");
        return;
    }
    dialogue->spots_wanted = wanted;
    dialogue->wants_lines = strcmp(command->words[1], "FDX") == 0;
}

static void set_filter(struct dialogue *dialogue, const struct command_line *command, bool clear,
                       struct buffer *out)
{
    bool known;
    const char *value = clear ? "" : command->words[2];
    if (!filter_set(&dialogue->filter, command->words[1], value, &known))
        say(out, "Thank you; this cluster does not have that setting");
    else if (!known)
        say(out, "Unknown value. Usage: set/band 11m or pmr, set/grid JO59, set/mode SSB");
    else
        say(out, *value ? "Filter set" : "Filter cleared");
}

void dialogue_answer_new(struct dialogue *dialogue, bool is_known, int64_t now_ms,
                         struct buffer *out)
{
    if (!is_known)
        say(out, "Wrong code for your callsign; your profile shows the right one");
    else if (*dialogue->code)
        say(out, "Showing only divisions, squares and special stations that are new to your log");
    else
        say(out, "Filter cleared");
    dialogue->asks_new = false;
    dialogue_prompt(dialogue, now_ms, out);
}

static void help(struct buffer *out)
{
    static const struct {
        const char *command, *meaning;
    } lines[] = {
        {"sh/dx 20", "the latest 20 spots (1 to 100)"},
        {"sh/dx 26AT 11m", "spots of callsigns that start with 26AT, by band or mode"},
        {"sh/fdx 20", "the latest 20 spots, in the format of live spots"},
        {"set/band 11m", "only spots on 11 m (pmr: on PMR446)"},
        {"set/mode SSB", "only spots in SSB, USB or LSB"},
        {"set/grid JO", "only spots where either locator starts with JO"},
        {"set/new CODE", "only spots that you need; your profile shows the code"},
        {"unset/band", "all spots again; also unset/mode, unset/grid, unset/new"},
        {"bye", "disconnect"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        buffer_print(out, "%-16s %s\r\n", lines[i].command, lines[i].meaning);
}

static void answer_unknown(struct dialogue *dialogue, struct buffer *out)
{
    say(out, "Unknown command; type help for a list");
    if (++dialogue->unknown_commands >= UNKNOWN_MAX) {
        say(out, "Too many unknown commands; goodbye");
        dialogue->state = DIALOGUE_ENDED;
    }
}

static void run(struct dialogue *dialogue, const struct command_line *command, struct buffer *out)
{
    const struct text name = text_of(command->words[0]), what = text_of(command->words[1]);
    int unknown = dialogue->unknown_commands;
    bool shows = text_is_one_of(name, "SH SHO SHOW"),
         is_setting = text_is_one_of(name, "SET UNSET"), clears = *name.bytes == 'U';
    dialogue->unknown_commands = 0;
    if (text_is_one_of(name, "BYE B QUIT Q EXIT")) {
        buffer_print(out, "73 de %s\r\n", dialogue->node);
        dialogue->state = DIALOGUE_ENDED;
    } else if (shows && text_is_one_of(what, "DX FDX")) {
        show_spots(dialogue, command, out);
    } else if (shows) {
        say(out, "This cluster has nothing to show for that");
    } else if (is_setting && text_is_one_of(what, "NEW")) {
        dialogue->asks_new = true;
        strcpy(dialogue->code, clears ? "" : command->words[2]);
    } else if (is_setting) {
        set_filter(dialogue, command, clears, out);
    } else if (text_is_one_of(name, "ACC ACCEPT REJ REJECT CLEAR CL LOAD")) {
        say(out, "Thank you; filters here are set/band, set/mode, set/grid, set/new");
    } else if (text_is_one_of(name, "DX")) {
        say(out, "Spots come from the members' logs and cannot be sent here");
    } else if (text_is_one_of(name, "HELP H ?")) {
        help(out);
    } else {
        dialogue->unknown_commands = unknown;
        answer_unknown(dialogue, out);
    }
}

void dialogue_take(struct dialogue *dialogue, const struct telnet *line, int64_t now_ms,
                   struct buffer *out)
{
    struct command_line command;
    if (dialogue->state == DIALOGUE_LOGIN) {
        take_callsign(dialogue, line, now_ms, out);
        return;
    }
    part(line->line, &command);
    if (line->is_odd) {
        answer_unknown(dialogue, out);
    } else if (command.is_empty) {
        /* Some clients answer every spot with an empty line, and others send empty lines as a
         * keep-alive. At most one of these lines per second gets a prompt. */
        if (llabs(now_ms - dialogue->prompted_ms) < PROMPT_PAUSE_MS)
            return;
        dialogue->prompted_ms = now_ms;
    } else {
        run(dialogue, &command, out);
    }
    if (dialogue->state == DIALOGUE_OPEN && !dialogue->spots_wanted && !dialogue->asks_new)
        dialogue_prompt(dialogue, now_ms, out);
}
