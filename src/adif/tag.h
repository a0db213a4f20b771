/* The tags around the values in an ADIF file: <NAME:LENGTH:TYPE>, <EOR>, <EOH>. */
#ifndef QSOSYNC_ADIF_TAG_H
#define QSOSYNC_ADIF_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define MARK_OF_RECORD "EOR"
#define MARK_OF_HEADER "EOH"

/* The end of a record or header, in any format that programs write: <EOR>, <eor:0>, <EOR/>, <EOR >,
 * </EOR>. */
struct mark {
    size_t begin, end; /* positions; if there is no mark, both are the length of the bytes */
};

#define TAG_LENGTH_MAX 1048576 /* maximum length that a tag can specify */
#define TAG_NAME_MAX 64        /* maximum length of a name */

enum tag_kind { TAG_NONE, TAG_FIELD, TAG_RECORD_END, TAG_HEADER_END, TAG_MARK, TAG_WRONG };

struct tag {
    enum tag_kind kind;
    struct text name;
    size_t length;      /* the length as written */
    bool has_length;    /* false: the length is empty, as in <NAME:> */
    size_t end;         /* position after the ">" */
    const char *reason; /* for TAG_WRONG: a constant text that follows the field's name */
};

/* Reads the tag whose "<" is at the position `at`. */
struct tag tag_read(struct text bytes, size_t at);

/* Returns the first mark with this name that begins at or after the position `from`. */
struct mark tag_find_mark(struct text bytes, size_t from, const char *name);

/* Returns whether the text contains a "<" that can begin a field. With with_length, the field's
 * name, a colon and a digit must follow. A "<" at the very end does not count. */
bool tag_begins_in(struct text text, bool with_length);

/* Returns whether the character can begin a field's name: a letter or an underscore. */
bool tag_begins_name(char character);

/* Returns whether a field can have this name. */
bool tag_is_name(struct text name);

/* Returns the length in bytes of the mark with this name at the start of the text. Returns 0 if the
 * text does not begin with the mark. The text must have at least one byte. */
size_t tag_measure_mark(struct text text, const char *name);

/* Returns whether a "<" that can begin a field is at this position. */
bool tag_begins_at(struct text bytes, size_t at);

#endif
