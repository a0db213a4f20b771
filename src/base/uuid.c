/* UUIDs as bytes and as text; the only module that uses libuuid.
 *
 * Makes only name-based ones; clients make the others. Accepts only the hyphenated form, with any
 * version and variant. */
#include "base/uuid.h"

#include <string.h>
#include <uuid/uuid.h>

bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES])
{
    static const struct {
        unsigned char at, length;
    } groups[] = {{0, 8}, {9, 4}, {14, 4}, {19, 4}, {24, 12}};
    unsigned char uuid[UUID_BYTES], *byte = uuid;
    if (text.length != UUID_TEXT_LENGTH)
        return false;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct text group = {text.bytes + groups[i].at, groups[i].length};
        if ((i > 0 && group.bytes[-1] != '-') || !text_parse_hex(group, byte))
            return false;
        byte += group.length / 2;
    }
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
