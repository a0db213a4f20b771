/* Fills the values of an alert into the request that a member has designed. {title}, {text}, {link}
 * and {id} are replaced; other braces stay. Each value is escaped for its place, so no callsign,
 * and no name of a rule, can change the request. */
#ifndef QSOSYNC_ALERTS_TEMPLATE_H
#define QSOSYNC_ALERTS_TEMPLATE_H

#include "base/arena.h"
#include "base/text.h"

struct template_values {
    struct text title, text, link, id;
};

enum template_place {
    TEMPLATE_PLAIN,
    TEMPLATE_JSON,   /* inside a string */
    TEMPLATE_URL,    /* an address or a form: everything except letters, digits and -._~ as %XX */
    TEMPLATE_HEADER, /* ASCII in one line; other characters become "?" */
};

/* Returns the filled template, in the arena and with a final NUL. */
struct text template_fill(struct text pattern, const struct template_values *values,
                          enum template_place place, struct arena *arena);

#endif
