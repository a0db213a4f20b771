/* Reading the schema takes thousands of small pieces and gives them back, which costs a process
 * that serves one request more than its work. Here a piece is cut from a chunk, and one that is
 * given back waits in the list of its size for the next: a long download takes no more than it has
 * in use at once. Nothing is wiped: the process ends, and the system wipes what it had. Large
 * pieces are the C library's. One thread alone may use it, as all our programs do. */
#include "database/brief_memory.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT sizeof(uint64_t)
#define SMALL_BYTES (8 * 1024) /* a page of the database is a small one, too */
#define CHUNK_BYTES (128 * 1024)

/* SQLite asks for the size of what it has. */
struct piece {
    uint64_t bytes; /* of content */
    union {
        struct piece *next; /* of those that were given back */
        uint64_t content[1];
    };
};

static struct piece *given_back[SMALL_BYTES / UNIT + 1];
static unsigned char *chunk;
static size_t left;

static struct piece *piece_of(void *content)
{
    return (struct piece *)((unsigned char *)content - UNIT);
}

static int round_up(int bytes)
{
    return (bytes + (int)UNIT - 1) & -(int)UNIT;
}

static int size_of(void *content)
{
    return content ? (int)piece_of(content)->bytes : 0;
}

static struct piece *cut(size_t bytes)
{
    if (left < bytes) {
        unsigned char *made = malloc(CHUNK_BYTES);
        if (!made)
            return NULL;
        chunk = made;
        left = CHUNK_BYTES;
    }
    struct piece *piece = (struct piece *)(void *)chunk;
    chunk += bytes;
    left -= bytes;
    return piece;
}

static void *take(int wanted)
{
    size_t bytes = (size_t)round_up(wanted);
    struct piece *piece = bytes <= SMALL_BYTES ? given_back[bytes / UNIT] : NULL;
    if (piece) {
        given_back[bytes / UNIT] = piece->next;
        return piece->content;
    }
    piece = bytes <= SMALL_BYTES ? cut(bytes + UNIT) : malloc(bytes + UNIT);
    if (!piece)
        return NULL;
    piece->bytes = bytes;
    return piece->content;
}

static void give_back_piece(void *content)
{
    struct piece *piece = piece_of(content);
    if (piece->bytes > SMALL_BYTES) {
        free(piece);
        return;
    }
    piece->next = given_back[piece->bytes / UNIT];
    given_back[piece->bytes / UNIT] = piece;
}

static void *resize(void *content, int wanted)
{
    size_t had = (size_t)size_of(content), bytes = (size_t)round_up(wanted);
    if (bytes == had)
        return content;
    void *moved = take(wanted);
    if (!moved)
        return NULL;
    memcpy(moved, content, had < bytes ? had : bytes);
    give_back_piece(content);
    return moved;
}

static int begin(void *unused)
{
    (void)unused;
    return SQLITE_OK;
}

static void end(void *unused)
{
    (void)unused;
}

void brief_memory_use(void)
{
    static const struct sqlite3_mem_methods methods = {
        .xMalloc = take,
        .xFree = give_back_piece,
        .xRealloc = resize,
        .xSize = size_of,
        .xRoundup = round_up,
        .xInit = begin,
        .xShutdown = end,
    };
    sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    /* Memory for twenty pages in advance is more than a single request reads into memory. */
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}
