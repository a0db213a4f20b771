/* Takes a picture apart as far as its segments and chunks, checks them, and copies those that are
 * needed to draw it. What a browser decodes (the compressed pixels) is left to the browser: it is
 * copied as it is, and sent as no other type. */
#include "site/picture.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/api_key.h"

#define SIDE_MAX 4000
#define SCANS_MAX 64 /* a decoder goes over the whole picture once for each */

static const char is_damaged[] = "is damaged, or contains more than a picture";
static const char is_moving[] = "must not be animated";

/* What is left of the file, and what was copied of it; the copy is never longer. */
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

static uint32_t little_endian(const unsigned char *at, size_t length)
{
    uint32_t value = 0;
    while (length-- > 0)
        value = value << 8 | at[length];
    return value;
}

static const char *judge_size(uint32_t width, uint32_t height)
{
    if (width == 0 || height == 0)
        return is_damaged;
    return width > SIDE_MAX || height > SIDE_MAX ? "must be at most 4,000 pixels per side" : NULL;
}

/* -- JPEG (ITU-T T.81, annex B) ---------------------------------------------------------------- */

enum {
    JPEG_SOF0 = 0xc0, /* baseline; the next two: extended, progressive */
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

/* Tables that fill their segment to its last byte, for quantization or Huffman's codes. */
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

/* Sets *kept if the segment is needed to draw the picture. `at`: behind its length. */
static const char *judge_segment(struct jpeg *jpeg, int marker, const unsigned char *at,
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
    /* How colours are meant. */
    if (marker == JPEG_APP14)
        *kept = length == 12 && memcmp(at, "Adobe", 5) == 0;
    return (marker >= JPEG_APP0 && marker <= JPEG_APP15) || marker == JPEG_COM ? NULL : is_damaged;
}

/* Up to the next marker that is neither a byte of the data nor a restart. */
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
        if (marker == 0xff) { /* filling */
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
        const char *fault = judge_segment(&jpeg, marker, file->at + 4, length - 2, &kept);
        if (fault)
            return fault;
        take(file, length + 2, kept);
        if (marker == JPEG_SOS)
            copy_scan(file);
    }
    return is_damaged;
}

/* -- PNG (W3C, third edition) ------------------------------------------------------------------ */

#define PNG_SIGNATURE "\x89PNG\r\n\x1a\n"
#define PNG_CHUNK_MIN 12 /* length, type, check sum */

static const char *judge_header(const unsigned char *at, size_t length)
{
    static const char *const depths[] = {"\1\2\4\10\20", "", "\10\20", "\1\2\4\10",
                                         "\10\20",       "", "\10\20"}; /* by colour type */
    if (length != 13 || at[9] >= sizeof depths / sizeof *depths || at[8] == 0 ||
        !strchr(depths[at[9]], at[8]) || at[10] != 0 || at[11] != 0 || at[12] > 1)
        return is_damaged;
    return judge_size(big_endian(at, 4), big_endian(at + 4, 4));
}

static bool is_chunk(const unsigned char *at, const char *type)
{
    return memcmp(at, type, 4) == 0;
}

/* The chunk behind the header. *kept as above; *last: it ends the picture. */
static const char *judge_chunk(const unsigned char *type, size_t length, bool *has_pixels,
                               bool *kept, bool *last)
{
    *last = is_chunk(type, "IEND");
    *kept = *last || is_chunk(type, "IDAT") || is_chunk(type, "PLTE") || is_chunk(type, "tRNS");
    if (is_chunk(type, "acTL") || is_chunk(type, "fcTL") || is_chunk(type, "fdAT"))
        return is_moving;
    if (*last)
        return *has_pixels && length == 0 ? NULL : is_damaged;
    if (is_chunk(type, "IDAT"))
        *has_pixels = true;
    else if (*kept && (*has_pixels || length > 768))
        return is_damaged;
    return *kept || (*type >= 'a' && *type <= 'z') ? NULL : is_damaged;
}

static const char *clean_png(struct file *file)
{
    bool is_first = true, has_pixels = false, kept = true, last = false;
    take(file, strlen(PNG_SIGNATURE), true);
    while (file->left >= PNG_CHUNK_MIN && !last) {
        size_t length = big_endian(file->at, 4);
        const unsigned char *type = file->at + 4, *content = file->at + 8;
        if (length > file->left - PNG_CHUNK_MIN ||
            base62_checksum(type, length + 4) != big_endian(content + length, 4) ||
            is_first != is_chunk(type, "IHDR"))
            return is_damaged;
        const char *fault = is_first ? judge_header(content, length)
                                     : judge_chunk(type, length, &has_pixels, &kept, &last);
        if (fault)
            return fault;
        take(file, length + PNG_CHUNK_MIN, kept);
        is_first = false;
    }
    return last && file->left == 0 ? NULL : is_damaged;
}

/* -- WebP (RFC 9649) --------------------------------------------------------------------------- */

#define WEBP_CHUNK_HEAD 8
#define WEBP_FILE_HEAD 12
#define WEBP_EXTENDED 10
#define WEBP_ALPHA 0x10
#define WEBP_MOVES 0x02

struct webp {
    const unsigned char *extended, *alpha, *pixels; /* chunks; NULL: none so far */
    uint32_t width, height;                         /* of the pixels */
};

static size_t webp_chunk_length(const unsigned char *chunk)
{
    size_t length = little_endian(chunk + 4, 4);
    return WEBP_CHUNK_HEAD + length + (length & 1);
}

static const char *judge_pixels(struct webp *webp, const unsigned char *chunk)
{
    const unsigned char *at = chunk + WEBP_CHUNK_HEAD;
    size_t length = little_endian(chunk + 4, 4);
    if (webp->pixels)
        return is_damaged;
    webp->pixels = chunk;
    if (is_chunk(chunk, "VP8L") && length >= 5 && at[0] == 0x2f && at[4] >> 5 == 0) {
        uint32_t sides = little_endian(at + 1, 4);
        webp->width = (sides & 0x3fff) + 1;
        webp->height = (sides >> 14 & 0x3fff) + 1;
    } else if (is_chunk(chunk, "VP8 ") && length >= 10 && !(at[0] & 1) &&
               memcmp(at + 3, "\x9d\x01\x2a", 3) == 0) {
        webp->width = little_endian(at + 6, 2) & 0x3fff;
        webp->height = little_endian(at + 8, 2) & 0x3fff;
    } else
        return is_damaged;
    return judge_size(webp->width, webp->height);
}

static const char *judge_webp_chunk(struct webp *webp, const unsigned char *chunk)
{
    if (is_chunk(chunk, "ANIM") || is_chunk(chunk, "ANMF"))
        return is_moving;
    if (is_chunk(chunk, "VP8 ") || is_chunk(chunk, "VP8L"))
        return judge_pixels(webp, chunk);
    if (is_chunk(chunk, "VP8X")) {
        if (webp->extended || webp->pixels || little_endian(chunk + 4, 4) != WEBP_EXTENDED)
            return is_damaged;
        webp->extended = chunk;
        return chunk[WEBP_CHUNK_HEAD] & WEBP_MOVES ? is_moving : NULL;
    }
    if (is_chunk(chunk, "ALPH")) {
        if (webp->alpha || webp->pixels || !webp->extended)
            return is_damaged;
        webp->alpha = chunk;
    }
    return NULL;
}

/* Only transparency beside the pixels needs the extended form. */
static void copy_webp(struct file *file, const struct webp *webp)
{
    copy(file, "RIFF....WEBP", WEBP_FILE_HEAD);
    if (webp->alpha && is_chunk(webp->pixels, "VP8 ")) {
        unsigned char *head = file->copy + file->copied;
        copy(file, webp->extended, WEBP_CHUNK_HEAD + WEBP_EXTENDED);
        memcpy(head + WEBP_CHUNK_HEAD, "\x10\0\0\0", 4);
        copy(file, webp->alpha, webp_chunk_length(webp->alpha));
    }
    copy(file, webp->pixels, webp_chunk_length(webp->pixels));
    for (int i = 0; i < 4; i++)
        file->copy[4 + i] = (unsigned char)((file->copied - 8) >> 8 * i);
}

static const char *clean_webp(struct file *file)
{
    struct webp webp = {0};
    if (little_endian(file->at + 4, 4) != file->left - 8)
        return is_damaged;
    take(file, WEBP_FILE_HEAD, false);
    while (file->left >= WEBP_CHUNK_HEAD) {
        if (little_endian(file->at + 4, 4) > file->left - WEBP_CHUNK_HEAD ||
            webp_chunk_length(file->at) > file->left)
            return is_damaged;
        const char *fault = judge_webp_chunk(&webp, file->at);
        if (fault)
            return fault;
        take(file, webp_chunk_length(file->at), false);
    }
    const unsigned char *sides = webp.extended ? webp.extended + WEBP_CHUNK_HEAD + 4 : NULL;
    if (file->left > 0 || !webp.pixels ||
        (sides && (little_endian(sides, 3) + 1 != webp.width ||
                   little_endian(sides + 3, 3) + 1 != webp.height)))
        return is_damaged;
    copy_webp(file, &webp);
    return NULL;
}

/* -- All --------------------------------------------------------------------------------------- */

static const struct form {
    const char *type;
    const char *signature, *further; /* at its beginning, and from the ninth byte on */
    const char *(*clean)(struct file *file);
} forms[] = {
    {"image/jpeg", "\xff\xd8\xff", "", clean_jpeg},
    {"image/png", PNG_SIGNATURE, "", clean_png},
    {"image/webp", "RIFF", "WEBP", clean_webp},
};

static const struct form *find_form(struct text picture)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *form = &forms[i];
        if (picture.length >= WEBP_FILE_HEAD &&
            memcmp(picture.bytes, form->signature, strlen(form->signature)) == 0 &&
            memcmp(picture.bytes + 8, form->further, strlen(form->further)) == 0)
            return form;
    }
    return NULL;
}

const char *picture_clean(struct text *picture, struct arena *arena)
{
    const struct form *form = find_form(*picture);
    if (!form)
        return "must be a JPEG, PNG or WebP picture";
    struct file *file = arena_allocate_zeroed(arena, sizeof *file);
    file->at = (const unsigned char *)picture->bytes;
    file->left = picture->length;
    file->copy = arena_allocate(arena, picture->length);
    const char *fault = form->clean(file);
    if (!fault)
        *picture = (struct text){(const char *)file->copy, file->copied};
    return fault;
}

const char *picture_type(struct text picture)
{
    const struct form *form = find_form(picture);
    return form ? form->type : "application/octet-stream";
}
