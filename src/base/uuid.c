/* UUIDs as bytes and as text; the only module that uses libuuid.
 *
 * Makes none but name-based ones: clients make the others. Accepts no spelling but the hyphenated
 * one, and asks neither for a version nor for a variant. */
#include "base/uuid.h"

#include <string.h>
#include <uuid/uuid.h>

bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES])
{
    /* libuuid wants a NUL at the end; one within the text makes it too short and so refused. */
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
    char string[UUID_TEXT_LENGTH + 1];
    uuid_unparse_lower(uuid, string);
    memcpy(out, string, UUID_TEXT_LENGTH);
}

void uuid_make_named(const unsigned char namespace[UUID_BYTES], struct text name,
                     unsigned char out[UUID_BYTES])
{
    uuid_t made;
    uuid_generate_sha1(made, namespace, name.bytes, name.length);
    memcpy(out, made, UUID_BYTES);
}
