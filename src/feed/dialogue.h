/* The feed's side of the dialogue with a client: the commands of DXSpider that cluster clients use.
 *
 * The dialogue turns lines into text, and uses neither the clock nor the database. Only the prompt
 * for the callsign contains the words for which clients wait at login. */
#ifndef QSOSYNC_FEED_DIALOGUE_H
#define QSOSYNC_FEED_DIALOGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "feed/filter.h"
#include "feed/telnet.h"

#define DIALOGUE_CALLSIGN_MAX (SPOT_CALLSIGN_MAX + 3) /* including an SSID */
#define DIALOGUE_SHOW_DEFAULT 10
#define DIALOGUE_SHOW_MAX 100

enum dialogue_state { DIALOGUE_LOGIN, DIALOGUE_OPEN, DIALOGUE_ENDED };

struct dialogue {
    enum dialogue_state state;
    const char *node; /* name of this cluster node */
    const char *club; /* name of the club that owns the node */
    char callsign[DIALOGUE_CALLSIGN_MAX + 1];
    struct filter filter;
    int unknown_commands; /* unknown commands since the last known command */
    int64_t prompted_ms;  /* time of the last answer to an empty line */
    /* number of spots to show. The commands sh/dx and sh/fdx set this number. The caller shows the
     * spots, and then calls dialogue_prompt. */
    int spots_wanted;
    /* filter for these spots: the client's own filter, plus the conditions in the command */
    struct filter shown;
    bool wants_lines; /* true: the spots are shown in the format of live spots; false: as rows */
    /* whether set/new was received. The caller looks up the owner of the code, and then calls
     * dialogue_answer_new. */
    bool asks_new;
    char code[TELNET_LINE_MAX + 1]; /* the code from set/new; empty: the filter is cleared */
};

/* Begins the dialogue, and appends the first text that a client reads. */
void dialogue_begin(struct dialogue *dialogue, struct buffer *out);

/* Handles a line, and appends the answer. now_ms is from clock_wall_ms. */
void dialogue_take(struct dialogue *dialogue, const struct telnet *line, int64_t now_ms,
                   struct buffer *out);

/* Answers set/new, and appends the prompt; is_known: whether the code belongs to the client's
 * callsign. */
void dialogue_answer_new(struct dialogue *dialogue, bool is_known, int64_t now_ms,
                         struct buffer *out);

/* Appends the prompt, which contains the time. */
void dialogue_prompt(const struct dialogue *dialogue, int64_t now_ms, struct buffer *out);

#endif
