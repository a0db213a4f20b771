/* Makes UUIDs of names, by libuuid: the same name in the same namespace gives the same UUID (RFC
 * 9562, version 5). What stands in a name is decided by whoever asks, src/adif/naming.c for records
 * without an id. */
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
