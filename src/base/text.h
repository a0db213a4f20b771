/* Text from outside: UTF-8, lengths in code points, trimming, letters without case.
 *
 * Touches no clock, no database, no environment. Text that comes from a client carries its length
 * and may hold any byte, NUL included. */
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

/* True for well-formed UTF-8 (RFC 3629): no overlong form, no surrogate, nothing above U+10FFFF. */
bool text_is_utf8(const char *bytes, size_t length);

/* The length in bytes of the first character of a non-empty text; 0: it is not
 * well-formed. */
size_t text_measure_character(struct text text);

/* Writes a code point up to U+FFFF as UTF-8, at most three bytes; returns how many. */
size_t text_put_code_point(unsigned code, char *out);

/* The code point of a byte in Windows-1252; 0: the byte is no character there. */
unsigned text_from_windows_1252(unsigned char byte);

/* Number of Unicode code points in well-formed UTF-8. */
size_t text_count_code_points(struct text text);

/* The text without Unicode White_Space characters and U+FEFF at both ends (a view into it). */
struct text text_trim(struct text text);

/* How many leading bytes satisfy a predicate of ctype.h, such as isdigit. */
size_t text_count_leading(struct text text, int (*is_kind)(int byte));

/* The text without its first bytes; it must have at least that many. */
struct text text_skip(struct text text, size_t bytes);

/* What is before the next separator; *rest becomes what follows it, or no text if there is none. */
struct text text_take_part(struct text *rest, char separator);

/* Byte for byte, and with ASCII letters compared without case. No text equals only no text. */
bool text_equals(struct text a, struct text b);
bool text_equals_ignoring_case(struct text a, const char *string);

/* Whether a text is one of the words, which are separated by blanks, ignoring case. */
bool text_is_one_of(struct text text, const char *words);

/* Whether a text begins with the string, in whatever case; and whether it does so in the same case
 * and goes on. */
bool text_begins_ignoring_case(struct text text, const char *beginning);
bool text_extends(struct text text, const char *beginning);

/* Less than, equal to or greater than 0, byte by byte; a prefix sorts before the longer text. */
int text_compare(struct text a, struct text b);

/* True if UTF-8 text holds a control character: below U+0020, or from U+007F to U+009F. */
bool text_has_control(struct text text);

/* True if UTF-8 text contains an invisible character that changes how others appear: those that
 * change the direction of text (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), other
 * line ends (U+2028, U+2029) and those without width, but for U+200C and U+200D, which some scripts
 * need.
 */
bool text_has_hidden(struct text text);

/* Puts "?" for every byte of a control character or a hidden one, so that a line can neither move a
 * terminal's cursor, nor begin another line, nor turn a part of it round. The bytes need not be
 * UTF-8. */
void text_hide_control(char *bytes, size_t length);

/* True if some byte of it is NUL. */
bool text_has_nul(struct text text);

/* Upper case of the ASCII letters, written to out (length bytes, which may be text.bytes). */
void text_to_upper(struct text text, char *out);

/* Decodes %XX (RFC 3986, section 2.1) from text to out, which takes text.length bytes. A plus sign
 * stays a plus sign. Returns false, with out partly written, for a % without two hex digits. */
bool text_percent_decode(struct text text, char *out, size_t *out_length);

/* Decodes pairs of hexadecimal digits to out, which must hold half the length. Returns false, with
 * out partly written, for anything else. */
bool text_parse_hex(struct text text, void *out);

/* Writes the bytes as lower-case hexadecimal digits, two each, no NUL. */
void text_format_hex(const void *bytes, size_t length, char *out);

/* A decimal integer, the whole text: digits, after a minus sign if it is negative. False if
 * it is none, or not within minimum..maximum. */
bool text_parse_integer(struct text text, int64_t minimum, int64_t maximum, int64_t *value);

/* Whether an extended regular expression is found in a string; then its groups are, too. The flags
 * are those of regcomp. */
bool text_search(const char *string, const char *pattern, int flags, size_t count,
                 regmatch_t found[]);

/* 64-bit FNV-1a over the bytes, continuing from hash (start with TEXT_HASH_START). Not keyed and
 * not for secrets: for entity tags and the like. Tables of what clients chose have keyed_hash.h. */
#define TEXT_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t text_hash(uint64_t hash, const void *bytes, size_t length);

#endif
