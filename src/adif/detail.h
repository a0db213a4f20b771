/* Detects values with less detail than a stored value, such as times without seconds, modes without
 * the sideband and shorter locators. Also detects callsigns in another spelling. */
#ifndef QSOSYNC_ADIF_DETAIL_H
#define QSOSYNC_ADIF_DETAIL_H

#include <stdbool.h>

#include "qso/contact.h"
#include "qso/qso.h"

/* Returns whether `less` is the same value as `more` with less detail. Both must be values of this
 * field. */
bool detail_is_less(enum field_index field, const struct value *less, const struct value *more);

/* Returns whether the sent value is the stored value with less detail or in another spelling. `own`
 * contains the log's callsigns, or is NULL if they are unknown. */
bool detail_says_less(const struct contact_own *own, const struct qso *stored,
                      const struct qso *sent, enum field_index field);

#endif
