/* Gives up the rights that a worker has no use for, and somebody who took it over might. */
#ifndef QSOSYNC_WORKER_SANDBOX_H
#define QSOSYNC_WORKER_SANDBOX_H

/* At the very start: new privileges, core files, files that others may open. */
void sandbox_drop_rights(void);

/* Before the first request, with all libraries loaded: starting programs, making anything but
 * plain files and, if the database is known, every file outside of its folder. NULL: each
 * request may name another database. What the kernel cannot do is said in the log and left. */
void sandbox_enter(const char *database_path);

#endif
