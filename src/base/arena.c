/* Memory of one request. Pieces are cut one after the other from chunks of 64 KiB; a piece that
 * is too large for that gets a chunk of its own. Of all chunks one of the common size survives a
 * reset, so that an ordinary request asks the system for nothing.
 *
 * Frees no single pieces and never returns NULL: with no memory left the process ends, without
 * a core file, which could hold keys. */
#include "base/arena.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

#define CHUNK_BYTES ((size_t)64 * 1024)
#define LARGE_PIECE_BYTES (CHUNK_BYTES / 4) /* larger pieces would waste the rest of a chunk */
#define TRIM_BYTES ((size_t)1024 * 1024)

struct arena_chunk {
    struct arena_chunk *next;
    size_t capacity;
    size_t used;
    alignas(max_align_t) unsigned char bytes[];
};

struct arena_owned {
    struct arena_owned *next;
    void *what;
    void (*release)(void *);
};

_Noreturn void memory_give_up(size_t bytes)
{
    log_line("out of memory: %zu bytes could not be allocated", bytes);
    _exit(1);
}

void *memory_allocate(size_t bytes)
{
    return memory_resize(NULL, bytes);
}

void *memory_resize(void *memory, size_t bytes)
{
    void *resized = realloc(memory, bytes > 0 ? bytes : 1);
    if (resized == NULL)
        memory_give_up(bytes);
    return resized;
}

static struct arena_chunk *make_chunk(size_t capacity)
{
    struct arena_chunk *chunk = memory_allocate(sizeof *chunk + capacity);
    chunk->next = NULL;
    chunk->capacity = capacity;
    chunk->used = 0;
    return chunk;
}

/* A chunk of at least that many bytes. One made for a single large piece comes after the newest, in
 * which small ones may still fit. */
static struct arena_chunk *find_chunk(struct arena *arena, size_t bytes)
{
    struct arena_chunk *newest = arena->chunks;
    if (newest != NULL && bytes <= newest->capacity - newest->used)
        return newest;
    if (newest != NULL && bytes > LARGE_PIECE_BYTES) {
        struct arena_chunk *large = make_chunk(bytes);
        large->next = newest->next;
        newest->next = large;
        return large;
    }
    struct arena_chunk *chunk = make_chunk(bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
    chunk->next = newest;
    arena->chunks = chunk;
    return chunk;
}

void *arena_allocate(struct arena *arena, size_t bytes)
{
    const size_t alignment = alignof(max_align_t);
    if (bytes > SIZE_MAX / 2)
        memory_give_up(bytes);
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    if (rounded == 0)
        rounded = alignment; /* two pieces never share an address */
    struct arena_chunk *chunk = find_chunk(arena, rounded);
    void *piece = chunk->bytes + chunk->used;
    chunk->used += rounded;
    return piece;
}

void *arena_allocate_zeroed(struct arena *arena, size_t bytes)
{
    return memset(arena_allocate(arena, bytes), 0, bytes);
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    void *grown = arena_allocate(arena, *capacity * size);
    return count > 0 ? memcpy(grown, array, count * size) : grown;
}

char *arena_copy(struct arena *arena, const void *bytes, size_t length)
{
    char *copy = arena_allocate(arena, length + 1);
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return arena_copy(arena, "", 0);
    char *string = arena_allocate(arena, (size_t)length + 1);
    va_start(arguments, format);
    (void)vsnprintf(string, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return string;
}

void arena_own(struct arena *arena, void *what, void (*release)(void *))
{
    struct arena_owned *owned = arena_allocate(arena, sizeof *owned);
    *owned = (struct arena_owned){arena->owned, what, release};
    arena->owned = owned;
}

void arena_reset(struct arena *arena)
{
    struct arena_chunk *kept = NULL;
    struct arena_chunk *next;
    size_t taken = 0;
    for (; arena->owned; arena->owned = arena->owned->next)
        arena->owned->release(arena->owned->what);
    for (struct arena_chunk *chunk = arena->chunks; chunk != NULL; chunk = next) {
        next = chunk->next;
        taken += chunk->capacity;
        if (kept == NULL && chunk->capacity == CHUNK_BYTES)
            kept = chunk;
        else
            free(chunk);
    }
    if (kept != NULL) {
        explicit_bzero(kept->bytes, kept->used);
        kept->next = NULL;
        kept->used = 0;
    }
    arena->chunks = kept;
    /* What was parsed of a large text lies in pieces below those that stay. */
    if (taken > TRIM_BYTES)
        malloc_trim(0);
}

void arena_free(struct arena *arena)
{
    arena_reset(arena);
    free(arena->chunks);
    arena->chunks = NULL;
}
