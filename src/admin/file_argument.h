/* Reads files that the command line names. */
#ifndef QSOSYNC_ADMIN_FILE_ARGUMENT_H
#define QSOSYNC_ADMIN_FILE_ARGUMENT_H

#include <stddef.h>

#include "base/text.h"

/* Reads a file; "-" is standard input. Root reads the file as the owner of the file's folder. Ends
 * the program if the file cannot be read, or is longer than `maximum` bytes. The text is valid
 * until the process ends. */
struct text file_argument_read(const char *path, size_t maximum);

#endif
