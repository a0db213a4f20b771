/* A value in a JSON text that json-c has read. */
#ifndef QSOSYNC_JSON_VALUE_H
#define QSOSYNC_JSON_VALUE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum json_kind {
    JSON_MISSING, /* the value is missing (all bytes are zero) */
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_INTEGER, /* without a fraction or an exponent, at most 18 characters with the sign */
    JSON_REAL,    /* any other number; infinite if the number is too large for a double */
    JSON_STRING,
    JSON_NESTED, /* an object or an array */
};

struct json_value {
    enum json_kind kind;
    /* NULL: nothing was replaced. Otherwise, four digits for each U+0000 in the text. The digits
     * are those of the escape \uXXXX that U+0000 replaces: U+0000 itself, or an unpaired
     * surrogate. */
    const char *lost;
    union {
        struct text text;
        int64_t integer;
        double real;
    };
};

/* Returns the value of an object of json-c. Texts are views, or are copied to the arena. */
struct json_object;
struct json_value json_value_of(struct json_object *json, struct arena *arena);

#endif
