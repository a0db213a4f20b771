/* Compares the cell of a sheet with an extended regular expression. */
#ifndef QSOSYNC_TRANSFER_SHEET_PATTERN_H
#define QSOSYNC_TRANSFER_SHEET_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "base/text.h"

#define SHEET_VALUE_MAX 160 /* bytes; a longer cell is not a value */
#define SHEET_PARTS_MAX 10

/* A letter of any alphabet in UTF-8, with one part. Most other characters begin with C2 or E2. */
#define SHEET_LETTER                                                                               \
    "([A-Za-z]|[\xC3-\xDF][\x80-\xBF]|[\xE0\xE1\xE3-\xEF][\x80-\xBF]{2}|\xF0[\x80-\xBF]{3})"

/* An expression, which is compiled when it is first used. */
struct sheet_pattern {
    const char *expression;
    bool ignores_case; /* of ASCII letters */
    bool is_compiled;
    regex_t compiled;
};

/* The parts of a cell that match the parts of an expression in parentheses; part 0 is the whole
 * match. A part that does not occur is an empty text. */
struct sheet_match {
    char bytes[SHEET_VALUE_MAX + 1];
    struct text parts[SHEET_PARTS_MAX];
};

/* Returns whether the trimmed text matches. Every kind of blank matches a space. */
bool sheet_matches(struct sheet_pattern *pattern, struct text text, struct sheet_match *match);

/* Returns the number in a part, which has at most nine digits and nothing else. */
int sheet_number_of(struct text digits);

#endif
