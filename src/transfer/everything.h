/* Everything that the service holds about a member, as JSON: the same for the member and for the
 * operator. */
#ifndef QSOSYNC_TRANSFER_EVERYTHING_H
#define QSOSYNC_TRANSFER_EVERYTHING_H

#include "store/members.h"

/* Writes one object: the member, the API keys and upload tokens (never one itself), the spots, and
 * the QSOs as the API gives them. It ends with "qsoCount", so that a file that was cut off can be
 * told. Reads in one snapshot and passes pieces to write; when write returns false this ends, with
 * STORE_DONE. */
enum store_result everything_export(struct store *store, const struct member *member,
                                    int64_t now_ms,
                                    bool (*write)(void *context, const char *bytes, size_t length),
                                    void *context);

#endif
