/* Text from outside: UTF-8, lengths in code points, trimming, case-insensitive letters.
 *
 * Uses no clock, database or environment. Text that comes from a client carries its length and may
 * contain any byte, including NUL. */
#ifndef QSOSYNC_BASE_TEXT_H
#define QSOSYNC_BASE_TEXT_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The digits of a number that a macro names, as a string literal. */
#define TEXT_OF(number) TEXT_OF_VALUE(number)
#define TEXT_OF_VALUE(number) #number

struct text {
    const char *bytes; /* not NUL-terminated; NULL: no text */
    size_t length;     /* bytes */
};

/* A struct text of a NUL-terminated string (NULL gives no text). */
struct text text_of(const char *string);

/* True for well-formed UTF-8 (RFC 3629), without overlong forms, surrogates or code points above
 * U+10FFFF. */
bool text_is_utf8(const char *bytes, size_t length);

/* The length in bytes of the first character of a non-empty text; 0: malformed. */
size_t text_first_length(struct text text);

/* Writes a code point up to U+FFFF as UTF-8; returns the number of bytes, at most three. */
size_t text_put_code_point(unsigned code, char *out);

/* The code point of a byte in Windows-1252; 0: the byte has no character there. */
unsigned text_from_windows_1252(unsigned char byte);

/* The number of Unicode code points in well-formed UTF-8. */
size_t text_count_code_points(struct text text);

/* The text without Unicode White_Space characters and U+FEFF at both ends (a view into it). */
struct text text_trim(struct text text);

/* How many leading bytes satisfy a predicate of ctype.h, such as isdigit. */
size_t text_count_leading(struct text text, int (*is_kind)(int byte));

/* The text without its first bytes; it must have at least that many. */
struct text text_skip(struct text text, size_t bytes);

/* Takes the part before the next separator; *rest becomes the part after it, or no text at the end.
 */
struct text text_split_next(struct text *rest, char separator);

/* Compare byte by byte, and with ASCII case ignored. No text equals only no text. */
bool text_equals(struct text a, struct text b);
bool text_equals_ignoring_case(struct text a, const char *string);

/* Whether a text is one of the words, which are separated by blanks; ignores case. */
bool text_is_one_of(struct text text, const char *words);

/* Whether a text begins with the string, ignoring case; and whether it begins with the string, in
 * the same case, and is longer. */
bool text_begins_ignoring_case(struct text text, const char *beginning);
bool text_extends(struct text text, const char *beginning);

/* Less than, equal to or greater than 0, byte by byte; a prefix sorts before the longer text. */
int text_compare(struct text a, struct text b);

/* True if UTF-8 text contains a control character: below U+0020, or from U+007F to U+009F. */
bool text_has_control(struct text text);

/* True if UTF-8 text contains an invisible character that changes how others appear. Such
 * characters change the text direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
 * U+2069), end lines (U+2028, U+2029) or have no width. U+200C and U+200D are allowed, because some
 * scripts need them. */
bool text_has_invisible(struct text text);

/* Replaces every byte of control and hidden characters with "?", so that a line cannot move a
 * terminal's cursor, begin another line or reverse text. The bytes need not be UTF-8. */
void text_replace_control(char *bytes, size_t length);

/* True if the text contains a NUL. */
bool text_has_nul(struct text text);

/* Writes the text with upper-case ASCII letters to out (length bytes, may be text.bytes). */
void text_to_upper(struct text text, char *out);

/* Decodes %XX (RFC 3986, section 2.1) from text to out, which has space for text.length bytes. A
 * plus sign stays a plus sign. Returns false, with out partly written, for a % without two hex
 * digits. */
bool text_percent_decode(struct text text, char *out, size_t *out_length);

/* Decodes pairs of hexadecimal digits to out, which must have space for half the length. Returns
 * false, with out partly written, for anything else. */
bool text_parse_hex(struct text text, void *out);

/* Writes the bytes as lower-case hexadecimal digits, two each, without a NUL. */
void text_format_hex(const void *bytes, size_t length, char *out);

/* Reads the whole text as a decimal integer: digits, with an optional minus sign before them. False
 * for other texts, and outside minimum..maximum. */
bool text_parse_integer(struct text text, int64_t minimum, int64_t maximum, int64_t *value);

/* Whether the string matches an extended regular expression; `found` then receives the groups. The
 * flags are those of regcomp. */
bool text_search(const char *string, const char *pattern, int flags, size_t count,
                 regmatch_t found[]);

/* 64-bit FNV-1a over the bytes, continuing from hash (start with TEXT_HASH_START). It has no key
 * and is not for secrets, but for entity tags and the like. Tables with keys that clients choose
 * use keyed_hash.h. */
#define TEXT_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t text_hash(uint64_t hash, const void *bytes, size_t length);

#endif
