/* A command's row says in one line, as the help shows it, what may follow the command's words; here
 * that line is taken apart, to compare the command line with it:
 *
 *   CALLSIGN [FILE] --name NAME [--scope READ|WRITE] [--json]
 *
 * A word that begins with two hyphens is an option, the word after it in capital letters its value,
 * every other word an argument. What stands in brackets may be left out, and so may everything
 * where a bar between blanks separates two forms: "FILE | --to DIR". */
#ifndef QSOSYNC_ADMIN_USAGE_H
#define QSOSYNC_ADMIN_USAGE_H

#include <stdbool.h>

#define USAGE_ARGUMENTS_MAX 3
#define USAGE_OPTIONS_MAX 8
#define USAGE_NAME_BYTES 32

struct usage_word {
    char name[USAGE_NAME_BYTES];  /* of an option: without its hyphens */
    char value[USAGE_NAME_BYTES]; /* of an option: what its value is called; "": it takes none */
    bool needed;
};

struct usage {
    struct usage_word arguments[USAGE_ARGUMENTS_MAX];
    int argument_count;
    struct usage_word options[USAGE_OPTIONS_MAX];
    int option_count;
};

/* The line fits into the bounds above (assert). */
void usage_read(const char *line, struct usage *usage);

/* NULL: the line has no such option. */
const struct usage_word *usage_find_option(const struct usage *usage, const char *name);

#endif
