/* Reads, writes and makes UUIDs by libuuid, which wants texts that end with a NUL. Clients choose
 * their ids, and only compare them; what stands in a name is decided by whoever asks,
 * src/adif/naming.c for records without an id. */
#include "base/uuid.h"

#include <string.h>
#include <uuid/uuid.h>

bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES])
{
    char string[UUID_TEXT_LENGTH + 1];
    uuid_t uuid;
    if (text.length != UUID_TEXT_LENGTH)
        return false;
    memcpy(string, text.bytes, UUID_TEXT_LENGTH);
    string[UUID_TEXT_LENGTH] = '\0';
    if (uuid_parse(string, uuid) != 0)
        return false;
    memcpy(out, uuid, UUID_BYTES);
    return true;
}

void uuid_format_text(const unsigned char uuid[UUID_BYTES], char *out)
{
    uuid_unparse_lower(uuid, out);
}

void uuid_make_named(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES])
{
    uuid_t made;
    uuid_generate_sha1(made, namespace, name.bytes, name.length);
    memcpy(out, made, UUID_BYTES);
}
