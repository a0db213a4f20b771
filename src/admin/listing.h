/* Lists for people (aligned columns) and for programs (--json), from the same cells. */
#ifndef QSOSYNC_ADMIN_LISTING_H
#define QSOSYNC_ADMIN_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "admin/command.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

#define LISTING_COLUMNS_MAX 15

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_TIME, CELL_DAY, CELL_FLAG };

/* A column: its heading for people, its name in JSON. */
struct column {
    const char *heading;
    const char *name;
    enum cell_kind kind;
};

struct listing {
    const struct column *columns; /* ends with a NULL heading */
    unsigned hidden;              /* 1 << place of each that is left out */
    struct arena *arena;
    struct listing_row *first, *last;
};

/* Cells of the row that is being filled, left to right. */
struct listing_row *listing_add_row(struct listing *listing);
void listing_add_text(struct listing *listing, struct text text); /* no text: empty, null */
void listing_add_number(struct listing *listing, int64_t number);
void listing_add_number_if(struct listing *listing, bool present, int64_t number);

/* The list as a JSON array of objects, one a line, with a newline at its end. */
void listing_append_json(const struct listing *listing, struct buffer *out);

/* Aligned columns with their headings. */
void listing_append_table(const struct listing *listing, struct buffer *out);

/* Prints a list that the store has filled, as JSON if the option --json was given. Returns the exit
 * status. */
int listing_finish(struct invocation *invocation, const struct listing *listing,
                   enum store_result result);

#endif
