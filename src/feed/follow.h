/* The spots of a logbook as they come: which is the next one, and whether it is time to look. */
#ifndef QSOSYNC_FEED_FOLLOW_H
#define QSOSYNC_FEED_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "feed/filter.h"

#define FOLLOW_LINES_MAX 8
/* Lines; a client that would get more goes on with the newest ones. */
#define FOLLOW_BEHIND_MAX 50

struct follow_line {
    int64_t id; /* of the spot */
    char text[SPOT_LINE_LENGTH + 1];
};

struct follow {
    const char *path;    /* of the logbook */
    struct store *store; /* NULL: it cannot be read now */
    int64_t last_id;     /* of the spot that was taken last */
    /* Spots that were read together; they count until something is committed. */
    struct follow_line lines[FOLLOW_LINES_MAX];
    int line_count, line_next;
    struct filter filter; /* that they passed */
    int64_t read_id;      /* of the last spot that was read for them, whether it passed or not */
    bool is_cut;          /* more spots were there */
    struct news news;     /* that they were to bring */
    int failed_reads;     /* in a row */
    int64_t looked_ms;    /* the last look at the spots; monotonic, like the next one */
    int64_t checked_ms;   /* when it was checked last that it is still the same file */
};

/* Opens the logbook; spots from now on count. Returns false, after a line in the log, when it
 * cannot be read. */
bool follow_open(struct follow *follow, const char *path);
void follow_close(struct follow *follow);

/* From now on only spots pass that are new in the log of the member with this callsign and code.
 * False: there is none. */
bool follow_identify(struct follow *follow, struct text callsign, struct text code);

/* All spots pass again. */
void follow_forget_member(struct follow *follow);

/* True if somebody may have published a spot since the last look. Costs one system call;
 * now_ms is the monotonic clock. */
bool follow_has_news(struct follow *follow, int64_t now_ms);

/* Takes the next spot that passes the filter, as a line; if there are more than
 * FOLLOW_BEHIND_MAX, the oldest of them are passed over. False: there is none for now. *more:
 * another one comes after it, whether it passes or not. */
bool follow_next(struct follow *follow, const struct filter *filter,
                 char line[SPOT_LINE_LENGTH + 1], bool *more);

/* The newest spots that have a line, newest first; their ids go to out. Returns how many. */
int follow_newest(struct follow *follow, const struct filter *filter, int64_t *out, int wanted);

/* Formats one of them, as it is now, as a line or as a row. False: it was deleted meanwhile. */
bool follow_format(struct follow *follow, int64_t id, bool as_line, char out[SPOT_ROW_LENGTH + 1]);

#endif
