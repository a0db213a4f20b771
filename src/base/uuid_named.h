/* Name-based UUIDs (version 5, SHA-1); clients make the others. The only module that uses libuuid,
 * and apart from uuid.h so that programs that name no QSOs need not load it. */
#ifndef QSOSYNC_BASE_UUID_NAMED_H
#define QSOSYNC_BASE_UUID_NAMED_H

#include "base/uuid.h"

/* The UUID of a name in a namespace. out may be the namespace. */
void uuid_named_make(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES]);

#endif
