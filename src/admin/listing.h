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

struct cell {
    bool present;
    struct text text;
    int64_t number;
};

struct listing {
    const struct column *columns; /* ends with a NULL heading */
    unsigned hidden;              /* 1 << place of each that is left out */
    struct arena *arena;
    struct listing_row *first, *last;
};

/* Adds a row: a cell for each column, left to right. Texts are copied; no text: empty, null. */
#define listing_add(listing, ...)                                                                  \
    listing_add_cells(listing, sizeof(struct cell[]){__VA_ARGS__} / sizeof(struct cell),           \
                      (const struct cell[]){__VA_ARGS__})
void listing_add_cells(struct listing *listing, size_t count, const struct cell *cells);

/* A text or an integer as a cell, and one that is empty unless it is `present`. */
#define cell(value) _Generic((value), struct text : cell_text, default : cell_number)(value)
static inline struct cell cell_text(struct text text)
{
    return (struct cell){text.bytes != NULL, text, 0};
}
static inline struct cell cell_number(int64_t number)
{
    return (struct cell){true, {0}, number};
}
static inline struct cell cell_if(bool present, int64_t number)
{
    return (struct cell){present, {0}, number};
}

/* The list as a JSON array of objects, one a line, with a newline at its end. */
void listing_append_json(const struct listing *listing, struct buffer *out);

/* Aligned columns with their headings. */
void listing_append_table(const struct listing *listing, struct buffer *out);

/* Prints the list, as JSON if the option --json was given. */
void listing_print(struct invocation *invocation, const struct listing *listing);

#endif
