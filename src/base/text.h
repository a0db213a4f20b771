/* Text from outside: trimming, splitting, comparing, and integers.
 *
 * Uses no clock, database or environment. Text from a client has a length, and can contain any
 * byte, including NUL. */
#ifndef QSOSYNC_BASE_TEXT_H
#define QSOSYNC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Turns the value of a numeric macro into a string literal. */
#define TEXT_OF(number) TEXT_OF_VALUE(number)
#define TEXT_OF_VALUE(number) #number

struct text {
    const char *bytes; /* not NUL-terminated; NULL: no text */
    size_t length;     /* in bytes */
};

/* Returns a NUL-terminated string as a text; for NULL, no text. */
struct text text_of(const char *string);

/* Returns a view of the text without leading and trailing Unicode White_Space characters and
 * U+FEFF. */
struct text text_trim(struct text text);

/* Returns the number of leading bytes that satisfy a predicate of ctype.h, such as isdigit. */
size_t text_count_leading(struct text text, int (*is_kind)(int byte));

/* Returns the text without its first `bytes` bytes. The text must have at least that many bytes. */
struct text text_skip(struct text text, size_t bytes);

/* Returns the part of *rest before the next separator. *rest becomes the part after the separator,
 * or no text if there is no separator. */
struct text text_split_next(struct text *rest, char separator);

/* Compare two texts byte by byte, or ignoring the case of ASCII letters. No text equals only no
 * text. */
bool text_equals(struct text a, struct text b);
bool text_equals_ignoring_case(struct text a, const char *string);

/* Returns whether the text is one of the words, which are separated by spaces. Ignores case. */
bool text_is_one_of(struct text text, const char *words);

/* Return whether the text begins with the string. The first function ignores case; the second does
 * not, and also requires that the text is longer. */
bool text_begins_ignoring_case(struct text text, const char *beginning);
bool text_extends(struct text text, const char *beginning);

/* Returns whether the text has the form: in the form, 0 stands for a digit, A for an ASCII letter,
 * and any other character for itself. */
bool text_has_form(struct text text, const char *form);

/* Compares byte by byte and returns a number less than, equal to or greater than 0. A prefix sorts
 * before the longer text. */
int text_compare(struct text a, struct text b);

/* Returns whether the text contains a NUL. */
bool text_has_nul(struct text text);

/* Writes the text with upper-case ASCII letters to `out`, which has space for text.length bytes and
 * can be text.bytes. */
void text_to_upper(struct text text, char *out);

/* Reads the whole text as a decimal integer: digits, with an optional minus sign before them.
 * Returns false for any other text, and for integers outside minimum..maximum. */
bool text_parse_integer(struct text text, int64_t minimum, int64_t maximum, int64_t *value);

#endif
