/* Checks JSON text against the grammar of RFC 8259, value by value. The caller has checked that the
 * text is UTF-8. */
#ifndef QSOSYNC_JSON_SCAN_H
#define QSOSYNC_JSON_SCAN_H

#include <stdbool.h>

#include "json/value.h"

#define JSON_NESTING_MAX 32
#define JSON_ITEMS_MAX 262144 /* names and values; 200 QSOs with every field have 13,000 */

struct json_scan {
    const char *at; /* what comes next */
    const char *end;
    int depth;
    int items;           /* names and values so far */
    bool has_escape;     /* in the string that was scanned last */
    const char *message; /* why the text was refused, in words for the client */
};

/* Both return false, with the message set. */
bool json_scan_refuse(struct json_scan *scan, const char *message);
bool json_scan_refuse_syntax(struct json_scan *scan);

/* The first character after white space; NUL at the end. */
char json_scan_next(struct json_scan *scan);

/* These move on and return true, or refuse the text. json_scan_enter takes an opening bracket. */
bool json_scan_count_item(struct json_scan *scan);
bool json_scan_enter(struct json_scan *scan);
bool json_scan_value(struct json_scan *scan);

/* The name of a field and its colon; *name is the text between the quotes. */
bool json_scan_name(struct json_scan *scan, struct text *name);

/* The value of a field: its text, of a string what is between the quotes. */
bool json_scan_field(struct json_scan *scan, struct json_value *value);

/* Moves on to the next field or element: *more is false at the closing bracket, which is taken. */
bool json_scan_separator(struct json_scan *scan, char closing, bool first, bool *more);

#endif
