/* Collects the rows of a list, and prints them for people (aligned columns) or for programs
 * (--json).
 *
 *   listing_add      adds a row
 *   listing_print    prints all rows, in the order in which they were added */
#ifndef QSOSYNC_ADMIN_LISTING_H
#define QSOSYNC_ADMIN_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "admin/command.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"

#define LISTING_COLUMNS_MAX 15

/* The kinds of lists. listing.c has their columns. */
enum listed {
    LIST_NONE,
    LIST_ENTRIES, /* new members in a file */
    LIST_MEMBERS,
    LIST_ACTS,
    LIST_KEYS,
    LIST_DEVICES,
    LIST_PEERS,
    LIST_SPOTS,
    LIST_STATIONS,
    LIST_OPERATOR_ACTS,
    LIST_DOUBLES,
    LIST_STORAGE, /* the storage that members use in addition to QSOs */
};

struct cell {
    enum { CELL_NONE, CELL_TEXT, CELL_NUMBER, CELL_TIME, CELL_DAY, CELL_FLAG } kind;
    struct text text;
    int64_t number;
};

struct listing {
    enum listed list;
    unsigned hidden; /* bit 1 << position of each hidden column */
    struct arena *arena;
    struct listing_row *first, *last;
};

/* Adds a row: one cell per column, left to right. Texts are copied. An empty cell is printed as
 * "-", or as null in JSON. */
#define listing_add(listing, ...)                                                                  \
    listing_add_cells(listing, sizeof(struct cell[]){__VA_ARGS__} / sizeof(struct cell),           \
                      (const struct cell[]){__VA_ARGS__})
void listing_add_cells(struct listing *listing, size_t count, const struct cell *cells);

/* Return a cell. cell() takes a text, a flag or an integer, and cell_if an optional integer.
 * cell_time takes milliseconds (0: no time), and cell_day takes days since 1970 (-1: no day). */
#define cell(value)                                                                                \
    _Generic((value), struct text : cell_text, bool : cell_flag, default : cell_number)(value)
static inline struct cell cell_text(struct text text)
{
    return (struct cell){text.bytes ? CELL_TEXT : CELL_NONE, text, 0};
}
static inline struct cell cell_flag(bool flag)
{
    return (struct cell){CELL_FLAG, {0}, flag};
}
static inline struct cell cell_if(bool present, int64_t number)
{
    return (struct cell){present ? CELL_NUMBER : CELL_NONE, {0}, number};
}
static inline struct cell cell_number(int64_t number)
{
    return cell_if(true, number);
}
static inline struct cell cell_time(int64_t ms)
{
    return (struct cell){ms ? CELL_TIME : CELL_NONE, {0}, ms};
}
static inline struct cell cell_day(int64_t day)
{
    return (struct cell){day >= 0 ? CELL_DAY : CELL_NONE, {0}, day};
}

/* Appends the list as a JSON array of objects, one per line, with a final newline. */
void listing_append_json(const struct listing *listing, struct buffer *out);

/* Appends the list as aligned columns with headings. */
void listing_append_table(const struct listing *listing, struct buffer *out);

/* Prints the list, as JSON if the option --json was given. */
void listing_print(struct invocation *invocation, const struct listing *listing);

#endif
