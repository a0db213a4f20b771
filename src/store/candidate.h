/* A backup that is to become the logbook: a private copy beside it, found to be whole. */
#ifndef QSOSYNC_STORE_CANDIDATE_H
#define QSOSYNC_STORE_CANDIDATE_H

#include "store/store.h"

/* Copies the backup to a new file and opens it, with its schema brought up to date. Whatever is
 * wrong with the backup is said in one line, and nothing is open then. The file is the caller's to
 * remove in any case. */
enum store_result candidate_open(const char *path, const char *backup, struct store **out);

/* Removes the copy and what lies beside it, as far as they are there. */
void candidate_remove(const char *path);

#endif
