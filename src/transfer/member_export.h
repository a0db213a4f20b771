/* Writes all data about a member as JSON, for the member and for the operator. */
#ifndef QSOSYNC_TRANSFER_MEMBER_EXPORT_H
#define QSOSYNC_TRANSFER_MEMBER_EXPORT_H

#include "store/people/members.h"

/* Writes one object: the member, the QSL card, and a list for each further kind of data, such as
 * keys, spots, acts and QSOs (as in the API). The object contains no secrets, and ends with
 * "qsoCount", so that a truncated file can be detected. Reads in one snapshot and passes pieces to
 * `write`. If `write` returns false, the export ends with STORE_DONE. */
enum store_result
member_export_write(struct store *store, const struct member *member, int64_t now_ms,
                    bool (*write)(void *context, const char *bytes, size_t length), void *context);

#endif
