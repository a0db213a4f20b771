/* Reads files that the command line names. */
#ifndef QSOSYNC_ADMIN_FILE_ARGUMENT_H
#define QSOSYNC_ADMIN_FILE_ARGUMENT_H

#include <stddef.h>

#include "base/text.h"

/* Reads a file as the owner of its folder; "-" is standard input. Ends the program if the file is
 * longer than `maximum` bytes. The text is valid until the process ends. */
struct text file_argument_read(const char *path, size_t maximum);

#endif
