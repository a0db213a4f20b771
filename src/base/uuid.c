/* UUIDs as bytes and as text. Accepts only the form with hyphens, in any case of letters, with any
 * version and variant: clients choose their ids, and only compare them. Name-based ones are made in
 * uuid_named.c. */
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

static void put(unsigned char byte, char *out)
{
    memcpy(out, text_hex_pairs + 2 * byte, 2);
}

/* Without a loop: the list of ids has very many of them. */
void uuid_format_text(const unsigned char uuid[UUID_BYTES], char *out)
{
    put(uuid[0], out);
    put(uuid[1], out + 2);
    put(uuid[2], out + 4);
    put(uuid[3], out + 6);
    out[8] = '-';
    put(uuid[4], out + 9);
    put(uuid[5], out + 11);
    out[13] = '-';
    put(uuid[6], out + 14);
    put(uuid[7], out + 16);
    out[18] = '-';
    put(uuid[8], out + 19);
    put(uuid[9], out + 21);
    out[23] = '-';
    put(uuid[10], out + 24);
    put(uuid[11], out + 26);
    put(uuid[12], out + 28);
    put(uuid[13], out + 30);
    put(uuid[14], out + 32);
    put(uuid[15], out + 34);
}
