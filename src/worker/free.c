/* free and realloc as the workers have them, and every library in them: memory is wiped before it
 * is given back. Keys, tokens and passwords pass through libfcgi, json-c and libqrencode, which
 * give back what they copied as it is, and a worker waits for its next request for days.
 *
 * The C library lets a program replace these (the GNU C Library Reference Manual, "Replacing
 * malloc"); they lead to its own. In a portable program, which is linked statically, that is done
 * by the linker (--wrap). Sanitizers have their own ways with memory and go without. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define IS_SANITIZED
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED
#endif

#ifndef IS_SANITIZED

typedef void free_function(void *memory);

#ifdef QSOSYNC_PORTABLE
#define free __wrap_free
#define realloc __wrap_realloc
free_function __real_free, free;

static free_function *find_free(void)
{
    return __real_free;
}
#else
/* NULL while the search for it is itself on its way: dlsym gives back the text of an earlier
 * failure, such as a library that is not there. It is declared as a function that does not come
 * back into this file, so that only volatile keeps the compiler from leaving out both assignments.
 */
static free_function *find_free(void)
{
    static free_function *found;
    static volatile int searching;
    if (!found && !searching) {
        searching = 1;
        void *symbol = dlsym(RTLD_NEXT, "free");
        memcpy(&found, &symbol, sizeof found);
        searching = 0;
    }
    return found;
}
#endif

void free(void *memory)
{
    free_function *give_back = memory ? find_free() : NULL;
    if (!give_back)
        return;
    explicit_bzero(memory, malloc_usable_size(memory));
    give_back(memory);
}

/* What grows moves here and nowhere else, so that the place it leaves is wiped. */
void *realloc(void *memory, size_t bytes)
{
    size_t had = malloc_usable_size(memory);
    if (memory && bytes > 0 && bytes <= had && bytes >= had / 2)
        return memory;
    void *moved = bytes > 0 || !memory ? malloc(bytes) : NULL;
    if (moved && memory)
        memcpy(moved, memory, bytes < had ? bytes : had);
    if (moved || bytes == 0)
        free(memory);
    return moved;
}

#endif
