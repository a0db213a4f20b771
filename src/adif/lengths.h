/* Finds where the value of a field ends. The lengths in real files are often not the byte counts
 * that the format requires: some programs count characters, some files had their line ends
 * converted, some lengths are simply wrong. */
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
    size_t begin, end; /* positions; both the length of the bytes: there is none */
};

/* The first mark with the name that begins at or after a position. */
struct mark lengths_find_mark(struct text bytes, size_t from, const char *name);

struct lengths_value {
    size_t end;        /* after the value */
    bool is_exact;     /* what follows is the next tag, or nothing, perhaps after white space */
    bool holds_record; /* it holds an <EOR> and then what looks like another field */
    bool cut;          /* text follows without a space, which may belong to it */
};

/* Finds the end of the value that begins at start in the bytes of a file. mark is the first end of
 * a record at or after start. Returns NULL, or why the length cannot be right: constant, follows
 * the field's name. */
const char *lengths_find_value(struct text bytes, size_t start, size_t length,
                               const struct mark *mark, struct lengths_value *out);

/* Whether the text contains a < that may begin a field or, if with_length, a name and a length
 * after it. A < at the very end does not count. */
bool lengths_holds_tag_start(struct text text, bool with_length);

/* A letter or an underscore: what names of fields begin with. */
bool lengths_begins_name(char character);

/* The tags between which the values of an ADIF file stand: <NAME:LENGTH:TYPE>, <EOR>, <EOH>. */

#define TAG_LENGTH_MAX 1048576 /* of a value, bytes */
#define TAG_NAME_MAX 64        /* bytes */

enum tag_kind { TAG_NONE, TAG_FIELD, TAG_RECORD_END, TAG_HEADER_END, TAG_MARK, TAG_WRONG };

struct tag {
    enum tag_kind kind;
    struct text name;
    size_t length;      /* as it is written */
    bool has_length;    /* false: <NAME:>, which is empty */
    size_t end;         /* after the > */
    const char *reason; /* TAG_WRONG */
};

/* Reads the tag whose < is at `at` in bytes. */
struct tag tag_read(struct text bytes, size_t at);

#endif
