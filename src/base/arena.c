/* Allocates the memory of one request from an obstack of the C library, in chunks of 64 KiB, and in
 * larger chunks for larger pieces. The first chunk survives a reset, so an ordinary request needs
 * no memory from the system.
 *
 * Never frees single pieces and never returns NULL. If memory runs out, the process ends without a
 * core file, because a core file could contain keys. */
#include "base/arena.h"

#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

#define CHUNK_BYTES (64 * 1024)
#define TRIM_BYTES (1024 * 1024)

#define obstack_chunk_alloc memory_allocate
#define obstack_chunk_free free

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

/* Permits the macros of obstack.h to align an address by its distance from NULL. */
#define USES_OBSTACK __attribute__((no_sanitize("pointer-overflow")))

/* Returns the arena's obstack. The obstack always contains at least one byte; otherwise the library
 * would replace its empty first chunk with a larger chunk. */
USES_OBSTACK static struct obstack *pieces_of(struct arena *arena)
{
    if (!arena->first) {
        obstack_begin(&arena->pieces, CHUNK_BYTES);
        obstack_alloc(&arena->pieces, 1);
        arena->first = obstack_base(&arena->pieces);
    }
    return &arena->pieces;
}

/* Allocates at least one byte, so that no two allocations share an address. */
USES_OBSTACK void *arena_allocate(struct arena *arena, size_t bytes)
{
    if (bytes > INT_MAX)
        memory_give_up(bytes);
    return obstack_alloc(pieces_of(arena), bytes > 0 ? (int)bytes : 1);
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

USES_OBSTACK char *arena_print(struct arena *arena, const char *format, ...)
{
    struct obstack *pieces = pieces_of(arena);
    va_list arguments;
    va_start(arguments, format);
    if (obstack_vprintf(pieces, format, arguments) < 0)
        obstack_free(pieces, obstack_base(pieces));
    va_end(arguments);
    obstack_1grow(pieces, '\0');
    return obstack_finish(pieces);
}

void arena_add_cleanup(struct arena *arena, void *what, void (*release)(void *))
{
    struct arena_owned *owned = arena_allocate(arena, sizeof *owned);
    *owned = (struct arena_owned){arena->owned, what, release};
    arena->owned = owned;
}

/* Releases all objects that are tied to the arena. Frees the piece `since` and all pieces after it,
 * or all pieces if `since` is NULL. */
static void give_back(struct arena *arena, void *since)
{
    for (; arena->owned; arena->owned = arena->owned->next)
        arena->owned->release(arena->owned->what);
    const bool was_large = obstack_memory_used(&arena->pieces) > TRIM_BYTES;
    obstack_free(&arena->pieces, since);
    /* free(3) returns the memory of a large text only if the text is at the end of the heap.
     * malloc_trim returns pages anywhere in the heap to the system. */
    if (was_large)
        malloc_trim(0);
}

void arena_reset(struct arena *arena)
{
    if (!arena->first)
        return;
    give_back(arena, arena->first);
    explicit_bzero(arena->first, (size_t)obstack_room(&arena->pieces));
}

void arena_free(struct arena *arena)
{
    if (arena->first)
        give_back(arena, NULL);
    arena->first = NULL;
}
