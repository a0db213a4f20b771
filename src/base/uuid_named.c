/* Names become UUIDs as libuuid makes them. */
#include "base/uuid_named.h"

#include <string.h>
#include <uuid/uuid.h>

void uuid_named_make(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES])
{
    uuid_t made;
    uuid_generate_sha1(made, namespace, name.bytes, name.length);
    memcpy(out, made, UUID_BYTES);
}
