/* A value of JSON text that was checked against the grammar (json/scan.c): its kind and its
 * content. */
#ifndef QSOSYNC_JSON_VALUE_H
#define QSOSYNC_JSON_VALUE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

enum json_kind {
    JSON_MISSING, /* all bytes zero: there is no such field */
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_NESTED, /* an object or an array */
};

/* The text is part of the body that was sent; of a string it is what lies between the quotes. */
struct json_value {
    enum json_kind kind;
    bool has_escape;
    struct text text;
};

/* The kind of the value that begins with this character. */
enum json_kind json_value_kind(char first);

/* The content of a string, in the arena where it differs from what was written; no text for every
 * other kind. Half of a surrogate pair, which can only be written as an escape, becomes U+0000. */
struct text json_value_text(const struct json_value *value, struct arena *arena);

/* The number, rounded to a double; infinite where it is too large for one. */
double json_value_number(const struct json_value *value);

/* The code unit of the escape \uXXXX at `at`, or -1 where there is none. */
int json_value_code_unit(const char *at, const char *end);

/* How many bytes the escape \uXXXX at `at` takes together with the second half of its pair: 6 or
 * 12. *code_point is 0 for a half that stands alone. */
int json_value_measure_escape(const char *at, const char *end, int *code_point);

#endif
