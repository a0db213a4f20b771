/* Reads, writes and creates UUIDs with libuuid. The texts that are read need no final NUL. */
#include "base/uuid.h"

#include <uuid/uuid.h>

bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES])
{
    return text.length == UUID_TEXT_LENGTH &&
           uuid_parse_range(text.bytes, text.bytes + text.length, out) == 0;
}

void uuid_format_text(const unsigned char uuid[UUID_BYTES], char *out)
{
    uuid_unparse_lower(uuid, out);
}

void uuid_make_random(unsigned char out[UUID_BYTES])
{
    uuid_generate_random(out);
}

void uuid_make_named(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES])
{
    uuid_generate_sha1(out, namespace, name.bytes, name.length);
}
