/* UUIDs as bytes and as text. Accepts only the hyphenated form, with any version and variant. */
#include "base/uuid.h"

#include <string.h>

#define GROUPS 5

static const struct {
    unsigned char at, length;
} groups[GROUPS] = {{0, 8}, {9, 4}, {14, 4}, {19, 4}, {24, 12}};

bool uuid_parse_text(struct text text, unsigned char out[UUID_BYTES])
{
    unsigned char uuid[UUID_BYTES], *byte = uuid;
    if (text.length != UUID_TEXT_LENGTH)
        return false;
    for (size_t i = 0; i < GROUPS; i++) {
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
    const unsigned char *byte = uuid;
    for (size_t i = 0; i < GROUPS; i++) {
        if (i > 0)
            out[groups[i].at - 1] = '-';
        text_format_hex(byte, groups[i].length / 2U, out + groups[i].at);
        byte += groups[i].length / 2;
    }
}
