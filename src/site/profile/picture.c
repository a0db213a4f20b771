/* Splits a JPEG picture (ITU-T T.81, annex B) into its segments, checks the segments, and copies
 * only those needed to draw the picture. Compressed pixels are copied unchanged, and only a browser
 * decodes them. A picture is sent only with its own media type. */
#include "site/profile/picture.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SIDE_MAX 4000
#define HEAD_BYTES 12 /* number of bytes by which a format is recognised */
#define SCANS_MAX 64  /* a decoder reads the whole picture once per scan */

static const char is_damaged[] = "is damaged, or contains more than a picture";

/* The rest of the file, and the copied part, which is never longer than the file. */
struct file {
    const unsigned char *at;
    size_t left;
    unsigned char *copy;
    size_t copied;
};

static void copy(struct file *file, const void *bytes, size_t length)
{
    memcpy(file->copy + file->copied, bytes, length);
    file->copied += length;
}

static void take(struct file *file, size_t length, bool kept)
{
    if (kept)
        copy(file, file->at, length);
    file->at += length;
    file->left -= length;
}

static uint32_t big_endian(const unsigned char *at, size_t length)
{
    uint32_t value = 0;
    for (size_t i = 0; i < length; i++)
        value = value << 8 | at[i];
    return value;
}

static const char *judge_size(uint32_t width, uint32_t height)
{
    if (width == 0 || height == 0)
        return is_damaged;
    return width > SIDE_MAX || height > SIDE_MAX ? "must be at most 4,000 pixels per side" : NULL;
}

#define JPEG_SIGNATURE "\xff\xd8\xff"

enum {
    JPEG_SOF0 = 0xc0, /* baseline; the next two values: extended, progressive */
    JPEG_SOF2 = 0xc2,
    JPEG_DHT = 0xc4,
    JPEG_EOI = 0xd9,
    JPEG_SOS = 0xda,
    JPEG_DQT = 0xdb,
    JPEG_DRI = 0xdd,
    JPEG_APP0 = 0xe0,
    JPEG_APP14 = 0xee,
    JPEG_APP15 = 0xef,
    JPEG_COM = 0xfe,
};

struct jpeg {
    int frames, scans;
};

/* Checks that quantization or Huffman tables fill their segment to its last byte. */
static bool are_tables(const unsigned char *at, size_t length, bool are_codes)
{
    while (length > 0) {
        size_t size = are_codes ? 17 : *at >> 4 ? 129 : 65;
        if (*at >> 4 > 1 || (*at & 15) > 3 || size > length)
            return false;
        for (int i = 1; i <= 16 && are_codes; i++)
            size += at[i];
        if (size > length)
            return false;
        at += size;
        length -= size;
    }
    return true;
}

static const char *judge_frame(struct jpeg *jpeg, const unsigned char *at, size_t length)
{
    if (jpeg->frames++ > 0 || length < 6 || at[0] != 8 || (at[5] != 1 && at[5] != 3) ||
        length != 6 + 3 * (size_t)at[5])
        return is_damaged;
    return judge_size(big_endian(at + 3, 2), big_endian(at + 1, 2));
}

static bool is_scan(struct jpeg *jpeg, const unsigned char *at, size_t length)
{
    return jpeg->frames == 1 && ++jpeg->scans <= SCANS_MAX && length >= 1 && at[0] >= 1 &&
           at[0] <= 4 && length == 4 + 2 * (size_t)at[0];
}

/* Checks a segment. Sets *kept if the segment is needed to draw the picture. `at` is the position
 * after the segment's length. */
static const char *check_segment(struct jpeg *jpeg, int marker, const unsigned char *at,
                                 size_t length, bool *kept)
{
    *kept = marker < JPEG_APP0;
    if (marker >= JPEG_SOF0 && marker <= JPEG_SOF2)
        return judge_frame(jpeg, at, length);
    if (marker == JPEG_SOS)
        return is_scan(jpeg, at, length) ? NULL : is_damaged;
    if (marker == JPEG_DQT || marker == JPEG_DHT)
        return are_tables(at, length, marker == JPEG_DHT) ? NULL : is_damaged;
    if (marker == JPEG_DRI)
        return length == 2 ? NULL : is_damaged;
    /* This segment describes the meaning of the colours. */
    if (marker == JPEG_APP14)
        *kept = length == 12 && memcmp(at, "Adobe", 5) == 0;
    return (marker >= JPEG_APP0 && marker <= JPEG_APP15) || marker == JPEG_COM ? NULL : is_damaged;
}

/* Copies the scan's data, including restart markers, up to the next other marker. */
static void copy_scan(struct file *file)
{
    size_t length = 0;
    while (length + 1 < file->left &&
           (file->at[length] != 0xff || file->at[length + 1] == 0 ||
            (file->at[length + 1] >= 0xd0 && file->at[length + 1] <= 0xd7)))
        length++;
    take(file, length, true);
}

static const char *clean_jpeg(struct file *file)
{
    struct jpeg jpeg = {0};
    take(file, 2, true);
    while (file->left >= 2 && file->at[0] == 0xff) {
        int marker = file->at[1];
        bool kept;
        if (marker == 0xff) { /* a fill byte */
            take(file, 1, false);
            continue;
        }
        if (marker == JPEG_EOI) {
            take(file, 2, true);
            return jpeg.scans > 0 && file->left == 0 ? NULL : is_damaged;
        }
        size_t length = file->left < 4 ? 0 : big_endian(file->at + 2, 2);
        if (length < 2 || length + 2 > file->left)
            return is_damaged;
        const char *fault = check_segment(&jpeg, marker, file->at + 4, length - 2, &kept);
        if (fault)
            return fault;
        take(file, length + 2, kept);
        if (marker == JPEG_SOS)
            copy_scan(file);
    }
    return is_damaged;
}

/* Older releases also stored PNG and WebP, which are still sent. */
static const struct form {
    const char *type;
    /* the bytes at the file's beginning, and the bytes from its ninth byte on */
    const char *signature, *further;
} forms[] = {
    {"image/jpeg", JPEG_SIGNATURE, ""},
    {"image/png", "\x89PNG\r\n\x1a\n", ""},
    {"image/webp", "RIFF", "WEBP"},
};

static bool has_form(struct text picture, const struct form *form)
{
    return picture.length >= HEAD_BYTES &&
           memcmp(picture.bytes, form->signature, strlen(form->signature)) == 0 &&
           memcmp(picture.bytes + 8, form->further, strlen(form->further)) == 0;
}

const char *picture_clean(struct text *picture, struct arena *arena)
{
    if (!has_form(*picture, &forms[0]))
        return "must be a JPEG picture";
    struct file *file = arena_allocate_zeroed(arena, sizeof *file);
    file->at = (const unsigned char *)picture->bytes;
    file->left = picture->length;
    file->copy = arena_allocate(arena, picture->length);
    const char *fault = clean_jpeg(file);
    if (!fault)
        *picture = (struct text){(const char *)file->copy, file->copied};
    return fault;
}

const char *picture_type(struct text picture)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (has_form(picture, &forms[i]))
            return forms[i].type;
    return "application/octet-stream";
}
