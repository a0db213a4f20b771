/* Finds the end of a field's value. Lengths in real files often differ from the byte counts that
 * the format requires. Some programs count characters, some files had their line ends converted,
 * and some lengths are simply wrong. */
#ifndef QSOSYNC_ADIF_LENGTHS_H
#define QSOSYNC_ADIF_LENGTHS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define MARK_OF_RECORD "EOR"
#define MARK_OF_HEADER "EOH"

/* The end of a record or a header, in any of the forms that programs write: <EOR>, <eor:0>, <EOR/>,
 * <EOR >, </EOR>. */
struct mark {
    size_t begin, end; /* positions; without a mark, both are the length of the bytes */
};

/* The first mark with the name that begins at or after a position. */
struct mark lengths_find_mark(struct text bytes, size_t from, const char *name);

struct lengths_value {
    size_t end;        /* after the value */
    bool is_exact;     /* the next tag or the end of the file follows, perhaps after white space */
    bool holds_record; /* the value holds an <EOR> and then text that looks like another field */
    bool cut;          /* text that may belong to the value follows without a space */
};

/* Finds the end of the value that begins at start in the bytes of a file. mark is the first end of
 * a record at or after start. Returns NULL, or why the length cannot be right: constant, follows
 * the field's name. */
const char *lengths_find_value(struct text bytes, size_t start, size_t length,
                               const struct mark *mark, struct lengths_value *out);

/* Whether the text contains a < that may begin a field or, if with_length, a name and a length
 * after it. A < at the very end does not count. */
bool lengths_holds_tag_start(struct text text, bool with_length);

/* A letter or an underscore, which may begin the name of a field. */
bool lengths_begins_name(char character);

/* The tags around the values of an ADIF file: <NAME:LENGTH:TYPE>, <EOR>, <EOH>. */

#define TAG_LENGTH_MAX 1048576 /* bytes of a value */
#define TAG_NAME_MAX 64        /* bytes */

enum tag_kind { TAG_NONE, TAG_FIELD, TAG_RECORD_END, TAG_HEADER_END, TAG_MARK, TAG_WRONG };

struct tag {
    enum tag_kind kind;
    struct text name;
    size_t length;      /* as written */
    bool has_length;    /* false: an empty length, as in <NAME:> */
    size_t end;         /* after the > */
    const char *reason; /* TAG_WRONG */
};

/* Reads the tag whose < is at `at` in bytes. */
struct tag tag_read(struct text bytes, size_t at);

#endif
