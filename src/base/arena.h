/* The memory of one request: allocated piece by piece, freed all at once.
 *
 * Callers free nothing. If memory runs out, the process ends with a line in the log, because no
 * caller could handle the error better. A supervisor then starts a new worker. */
#ifndef QSOSYNC_BASE_ARENA_H
#define QSOSYNC_BASE_ARENA_H

#include <obstack.h>
#include <stdarg.h>
#include <stddef.h>

struct arena_owned;

/* The pieces of one arena. An arena of zero bytes is valid and empty. */
struct arena {
    struct obstack pieces;
    void *first; /* beginning of the pieces; NULL before the first allocation */
    struct arena_owned *owned;
};

/* Allocate and resize memory outside any arena, which the caller frees with free(3). These
 * functions never return NULL. */
void *memory_allocate(size_t bytes);
void *memory_resize(void *memory, size_t bytes);

/* Ends the process because `bytes` bytes could not be allocated. */
_Noreturn void memory_give_up(size_t bytes);

/* Returns uninitialised memory, aligned for any type and valid until the next reset. Never returns
 * NULL. */
void *arena_allocate(struct arena *arena, size_t bytes);

/* Returns memory as arena_allocate does, filled with zero bytes. */
void *arena_allocate_zeroed(struct arena *arena, size_t bytes);

/* Returns the array with space for one more item after its `count` items of `size` bytes. A full
 * array is copied to memory for twice as many items, and its old memory must no longer be used.
 * *capacity is 0 at first. */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t *capacity, size_t size);

/* Copies `length` bytes into the arena and adds a NUL. */
char *arena_copy(struct arena *arena, const void *bytes, size_t length);

/* Prints a text into the arena; the format is that of printf. */
char *arena_print(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ties an object that a library allocated to the arena's lifetime. The next reset calls
 * release(what), in reverse order of registration. */
void arena_add_cleanup(struct arena *arena, void *what, void (*release)(void *));

/* Invalidates everything allocated so far, and wipes the memory that is kept. The first chunk stays
 * for the next request. Other chunks return to the system, so that a worker does not keep the
 * memory of one large body. */
void arena_reset(struct arena *arena);

/* Frees all memory. The arena can be used again. */
void arena_free(struct arena *arena);

#endif
