/* The list of a member's devices, as the profile and the operator's page show it. */
#ifndef QSOSYNC_SITE_DEVICES_H
#define QSOSYNC_SITE_DEVICES_H

#include "worker/route.h"

/* Writes the field "items" of an answer: the member's signed-in browsers with their apps, and apps
 * in browsers that are not signed in. The requesting browser is marked. */
enum store_result devices_write_items(struct exchange *exchange, int64_t member_id);

#endif
