/* A row of the mapping table, and what its functions are given. */
#ifndef QSOSYNC_ADIF_ROWS_H
#define QSOSYNC_ADIF_ROWS_H

#include "adif/mapped.h"
#include "adif/tuning.h"
#include "adif/slots.h"
#include "qso/fields.h"

#define THOUSANDTHS_PER_DEGREE 60000 /* of a minute: ADIF writes N048 08.800 */

struct reading {
    struct slots slots;
    const struct mapped_source *source;
    struct arena *arena;
    struct mapped *out;
    struct tuning tuning;
    struct decimal frequency; /* FREQ, where the band has one */
    bool without_notices;     /* a pass that gives no notices */
};

/* Every standard field and every extra one, each once. */
#define WRITING_FIELDS_MAX ((size_t)SLOT_COUNT + FIELD_COUNT)

struct writing {
    const struct qso *qso;
    struct text station; /* the callsign where the QSO names none */
    bool strict;
    struct arena *arena;
    struct record_field *fields; /* WRITING_FIELDS_MAX */
    size_t count;
    struct slots slots; /* the standard fields among them */
};

struct row {
    enum field_index field;
    enum slot slot; /* the standard field */
    enum slot intl; /* the same for other texts than ASCII; SLOT_NONE: there is none */
    void (*read)(struct reading *reading, const struct row *row); /* NULL: read with the tuning */
    void (*write)(struct writing *writing, const struct row *row);
};

#endif
