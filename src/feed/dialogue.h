/* The feed's side of the dialogue: DXSpider's, as far as cluster clients use it.
 *
 * Pure: lines in, text out; the time is an argument. The words that clients wait for at login stand
 * nowhere but in the prompt that asks for the callsign. */
#ifndef QSOSYNC_FEED_DIALOGUE_H
#define QSOSYNC_FEED_DIALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "feed/filter.h"
#include "feed/telnet.h"

#define DIALOGUE_CALLSIGN_MAX (SPOT_CALLSIGN_MAX + 3) /* with its SSID */
#define DIALOGUE_SHOW_DEFAULT 10
#define DIALOGUE_SHOW_MAX 100

enum dialogue_state { DIALOGUE_LOGIN, DIALOGUE_OPEN, DIALOGUE_ENDED };

struct dialogue {
    enum dialogue_state state;
    const char *node; /* the name of this cluster node */
    const char *club; /* whose it is */
    char callsign[DIALOGUE_CALLSIGN_MAX + 1];
    const char *language; /* of its help */
    struct filter filter;
    int unknown_commands; /* in a row */
    int64_t prompted_ms;  /* when an empty line was answered last */
    /* Set by sh/dx and sh/fdx for the caller, who shows so many spots and then calls
     * dialogue_prompt. */
    int spots_wanted;
    struct filter shown; /* that these pass: the client's, and what the command says */
    bool wants_lines;    /* lines as they come live; otherwise rows */
    /* Set by set/new for the caller, who looks up whose code it is and then calls
     * dialogue_tell_news. */
    bool asks_news;
    char code[TELNET_LINE_MAX + 1]; /* empty: all spots again */
};

/* Appends what a client reads first. */
void dialogue_begin(struct dialogue *dialogue, struct buffer *out);

/* Takes a line and appends the answer. now_ms: by clock_wall_ms. */
void dialogue_take(struct dialogue *dialogue, const struct telnet *line, int64_t now_ms,
                   struct buffer *out);

/* Answers set/new: is_known, whether the code is that of the client's callsign. */
void dialogue_tell_news(struct dialogue *dialogue, bool is_known, int64_t now_ms,
                        struct buffer *out);

void dialogue_prompt(const struct dialogue *dialogue, int64_t now_ms, struct buffer *out);

#endif
