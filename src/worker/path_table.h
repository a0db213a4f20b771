/* Which row of a program's table a request's method and path belong to. */
#ifndef QSOSYNC_WORKER_PATH_TABLE_H
#define QSOSYNC_WORKER_PATH_TABLE_H

#include "http/request.h"

#define PATH_TABLE_UNKNOWN (-1)      /* no row has the path */
#define PATH_TABLE_OTHER_METHOD (-2) /* rows have it, none with this method */
#define PATH_TABLE_ALLOW_BYTES 64

/* Fills in method and path of a row, such as "/logs/{clientId}"; false after the last row. */
typedef bool path_table_row(int index, enum method *method, const char **path);

/* The number of the row, or one of the above. A path without {} goes before one with it; HEAD goes
 * where GET goes. allow gets the value of the Allow header where the path is known. */
int path_table_find(path_table_row *row, const struct request *request,
                    char allow[PATH_TABLE_ALLOW_BYTES]);

#endif
