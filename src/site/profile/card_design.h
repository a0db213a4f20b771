/* The design of a QSL card, as a member's page sends it and other members' pages draw it. */
#ifndef QSOSYNC_SITE_CARD_DESIGN_H
#define QSOSYNC_SITE_CARD_DESIGN_H

#include "base/buffer.h"
#include "json/read.h"

struct card_design_fault {
    const char *field, *message; /* the message is a phrase that follows the field's name */
};

/* Appends the design as JSON with each field once, in the order of schema/card_design.tsv. Returns
 * false if a field is unknown or its value is invalid; *fault then names the field, in the
 * arena. */
bool card_design_write(const struct json_fields *design, struct arena *arena, struct buffer *out,
                       struct card_design_fault *fault);

#endif
