/* Provides the lower bound of the disk for batches. The same rows are written from memory into the
 * same tables and indexes, with the same durability. raw-sqlite DATABASE N [ROWS [MEMBER]] writes N
 * batches into DATABASE, whose schema is the service's, and prints the seconds. A batch has 200
 * rows (or ROWS) of the first member (or MEMBER). */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "schema/embedded.h"

#define ROWS 200

static int rows = ROWS;
static sqlite3_int64 member_id = 1;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run(sqlite3 *database, const char *sql)
{
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "raw-sqlite: %s: %s\n", sql, sqlite3_errmsg(database));
        exit(1);
    }
}

/* Binds a value by name. The place of each name is looked up only once. */
#define BIND(kind, name, ...)                                                                      \
    do {                                                                                           \
        static int place;                                                                          \
        if (!place)                                                                                \
            place = sqlite3_bind_parameter_index(insert, name);                                    \
        sqlite3_bind_##kind(insert, place, __VA_ARGS__);                                           \
    } while (0)
#define BIND_TEXT(name, string) BIND(text, name, string, sizeof string - 1, SQLITE_STATIC)

static void insert_row(sqlite3_stmt *insert, sqlite3_int64 number)
{
    unsigned char uuid[16];
    sqlite3_randomness(sizeof uuid, uuid);
    BIND(int64, ":member_id", member_id);
    BIND(int64, ":edit", 1);
    BIND(blob, ":client_id", uuid, sizeof uuid, SQLITE_STATIC);
    BIND(int64, ":band", 0);
    BIND(int64, ":qso_at", (1700000000 + number * 61) * 1000);
    BIND(int64, ":frequency", 27000 + number % 1000);
    BIND(int64, ":mode", 3);
    BIND_TEXT(":callsign_worked", "26AT101");
    BIND_TEXT(":dx_locator", "IO91wm");
    BIND(double, ":dx_lat", 51.0 + (double)(number % 1000) / 1000);
    BIND(double, ":dx_lng", -0.1 - (double)(number % 1000) / 1000);
    BIND(int64, ":tx_power", 12);
    BIND_TEXT(":my_locator", "JO59jw");
    BIND(int64, ":qso_status", 1);
    BIND_TEXT(":rst_sent", "59");
    BIND_TEXT(":rst_received", "57");
    BIND(int64, ":qsl_sent", 0);
    BIND(int64, ":qsl_received", 0);
    BIND_TEXT(":notes", "Sporadic E opening, fine signal");
    BIND_TEXT(":radio", "President Lincoln II");
    BIND_TEXT(":antenna", "5/8 ground plane");
    BIND(int64, ":created_at", 4000000000000 + number / rows);
    BIND(int64, ":synced_at", 4000000000000 + number / rows);
    sqlite3_step(insert);
    if (sqlite3_reset(insert) != SQLITE_OK) {
        fprintf(stderr, "raw-sqlite: %s\n", sqlite3_errmsg(sqlite3_db_handle(insert)));
        exit(1);
    }
}

int main(int count, char **arguments)
{
    sqlite3 *database;
    sqlite3_stmt *insert;
    if (count < 3 || count > 5 || sqlite3_open(arguments[1], &database) != SQLITE_OK)
        return 2;
    if (count > 3)
        rows = atoi(arguments[3]);
    if (count > 4)
        member_id = atoll(arguments[4]);
    run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                  "PRAGMA cache_size = -4096; PRAGMA mmap_size = 1073741824");
    if (sqlite3_prepare_v2(database, embedded_statements[STATEMENT_INSERT_QSO].sql, -1, &insert,
                           NULL) != SQLITE_OK)
        return 1;
    sqlite3_int64 number = 0;
    double start = now();
    for (int batch = 0; batch < atoi(arguments[2]); batch++) {
        run(database, "BEGIN IMMEDIATE");
        for (int row = 0; row < rows; row++)
            insert_row(insert, number++);
        run(database, "COMMIT");
    }
    printf("%.6f\n", now() - start);
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return 0;
}
