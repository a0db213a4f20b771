/* Sources of other programs' records. The data that each source has sent is remembered
 * separately. */
#ifndef QSOSYNC_TRANSFER_MATCHING_SOURCE_H
#define QSOSYNC_TRANSFER_MATCHING_SOURCE_H

#include "base/arena.h"
#include "store/credentials.h"

struct matching_source {
    struct text name;    /* at most KNOWN_SOURCE_MAX bytes of printable ASCII */
    bool is_one_program; /* false: several programs can be this source */
    /* whether the source (an upload token) only completes QSOs that other writers have written */
    bool only_fills;
    bool writes_more; /* whether the source (a phone) also writes other data */
};

/* Return a source. A file's source is named after the program in the header, if the header names a
 * program. The source of uploads and API requests is the credential, and the source of PoLo's
 * records is the phone. Names are in the arena. */
struct matching_source matching_source_of_file(struct text program, struct arena *arena);
struct matching_source matching_source_of_writer(const struct identity *writer,
                                                 struct arena *arena);
struct matching_source matching_source_of_phone(struct text phone, struct arena *arena);

#endif
