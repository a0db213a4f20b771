/* The upload tokens of a member as rows of a list. */
#ifndef QSOSYNC_ADMIN_UPLOADS_H
#define QSOSYNC_ADMIN_UPLOADS_H

#include "admin/command.h"
#include "admin/listing.h"

/* Begins *listing in the invocation's arena. */
enum store_result uploads_collect(const struct invocation *invocation, int64_t member_id,
                                  struct listing *listing);

#endif
