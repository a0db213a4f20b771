/* Front servers compress piece by piece, with zlib, which takes longer than all the rest of a page;
 * the library ISA-L takes a tenth of that for a whole body. Streams, and answers whose entity tag a
 * front server changes when it compresses them, are left to the front server. */
#include "http/compression.h"

#include <stdint.h>
#include <string.h>
#ifdef HAVE_ISAL
#include <dlfcn.h>
#include <isa-l/igzip_lib.h>

#endif

#define LEAST_BYTES 1024 /* as in the shipped configuration of nginx */
#define FULL_WEIGHT 1000 /* weights are counted in thousandths */
#define WEIGHT_LENGTH_MAX 5

/* "0.5" and its like (RFC 9110, section 12.4.2); 0 for anything else. */
static int parse_weight(struct text text)
{
    int weight = 0, unit = FULL_WEIGHT;
    if (text.length == 0 || text.length > WEIGHT_LENGTH_MAX)
        return 0;
    for (size_t i = 0; i < text.length; i++) {
        if (i == 1 ? text.bytes[i] != '.' : text.bytes[i] < '0' || text.bytes[i] > '9')
            return 0;
        if (i == 1)
            continue;
        weight += (text.bytes[i] - '0') * unit;
        unit /= 10;
    }
    return weight <= FULL_WEIGHT ? weight : 0;
}

/* The weight of one element's coding: ";q=0.5" or nothing. */
static int read_weight(struct text parameter)
{
    if (parameter.length == 0)
        return FULL_WEIGHT;
    parameter = text_trim((struct text){parameter.bytes + 1, parameter.length - 1});
    if (parameter.length < 2 || (parameter.bytes[0] | 0x20) != 'q' || parameter.bytes[1] != '=')
        return 0;
    return parse_weight((struct text){parameter.bytes + 2, parameter.length - 2});
}

/* -1 where the coding is not named. */
static int weight_of(const char *accept_encoding, const char *coding)
{
    for (const char *at = accept_encoding;; at++) {
        size_t length = strcspn(at, ","), name_length = strcspn(at, ",;");
        if (text_equals_ignoring_case(text_trim((struct text){at, name_length}), coding))
            return read_weight((struct text){at + name_length, length - name_length});
        at += length;
        if (!*at)
            return -1;
    }
}

bool compression_is_accepted(const char *accept_encoding)
{
    if (!accept_encoding)
        return false;
    int identity = weight_of(accept_encoding, "identity");
    int gzip = weight_of(accept_encoding, "gzip");
    if (gzip < 0)
        gzip = weight_of(accept_encoding, "x-gzip");
    if (gzip >= 0)
        return gzip > 0 && gzip >= identity;
    return identity >= 0 && weight_of(accept_encoding, "*") > identity;
}

#ifdef HAVE_ISAL
#define LIBRARY "libisal.so.2"
#define LEVEL 1
#define WINDOW_BITS 14 /* twenty QSOs: a reference to one further back takes more than it saves */

/* The functions that are used, and what they work in. */
static struct {
    __typeof__(isal_deflate_init) *init;
    __typeof__(isal_deflate) *deflate;
    struct isal_zstream stream;
    _Alignas(64) uint8_t memory[ISAL_DEF_LVL1_MEDIUM];
} isal;

void compression_load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW);
    void *init = library ? dlsym(library, "isal_deflate_init") : NULL;
    void *deflate = library ? dlsym(library, "isal_deflate") : NULL;
    if (!init || !deflate)
        return;
    memcpy(&isal.init, &init, sizeof init);
    memcpy(&isal.deflate, &deflate, sizeof deflate);
}

/* The library leaves the upper halves of the vector registers in use, and as long as they are,
 * processors take up to half as long again for everything else. */
#ifdef __x86_64__
__attribute__((target("avx"))) static void clear_vector_registers(void)
{
    __builtin_ia32_vzeroupper();
}
#endif

static bool deflate_stream(struct isal_zstream *stream)
{
    int result = isal.deflate(stream);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx"))
        clear_vector_registers();
#endif
    return result == COMP_OK && stream->internal_state.state == ZSTATE_END;
}

/* The end of the body's own memory takes the compressed form first. False, and the body is as it
 * was, where that would not be shorter. */
static bool replace_by_gzip(struct buffer *body)
{
    struct isal_zstream *stream = &isal.stream;
    if (!isal.deflate || body->length > INT32_MAX)
        return false;
    char *end = buffer_reserve(body, body->length);
    isal.init(stream);
    stream->level = LEVEL;
    stream->level_buf = isal.memory;
    stream->level_buf_size = sizeof isal.memory;
    stream->hist_bits = WINDOW_BITS;
    stream->gzip_flag = IGZIP_GZIP;
    stream->end_of_stream = 1;
    stream->next_in = (uint8_t *)body->bytes;
    stream->avail_in = (uint32_t)body->length;
    stream->next_out = (uint8_t *)end;
    stream->avail_out = (uint32_t)body->length;
    if (!deflate_stream(stream))
        return false;
    memcpy(body->bytes, end, stream->total_out);
    body->length = stream->total_out;
    return true;
}
#else
void compression_load(void)
{
}

static bool replace_by_gzip(struct buffer *body)
{
    (void)body;
    return false;
}
#endif

bool compression_apply(struct buffer *body)
{
    return body->length >= LEAST_BYTES && replace_by_gzip(body);
}

void compression_add_headers(struct response *response)
{
    response_add_header(response, "Content-Encoding", "gzip");
    response_add_header(response, "Vary", "Accept-Encoding");
}
