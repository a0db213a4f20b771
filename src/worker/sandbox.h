/* Drops rights that a worker does not need and that an attacker could abuse. */
#ifndef QSOSYNC_WORKER_SANDBOX_H
#define QSOSYNC_WORKER_SANDBOX_H

/* Call this function at startup. Prevents new privileges and core dumps. Users outside the group
 * cannot open files that the process then creates. */
void sandbox_drop_rights(void);

/* Call this function before the first request, with all libraries loaded. Forbids starting
 * programs, and creating anything except regular files. If the database is known, also forbids
 * access to files outside the database's folder. The only exceptions are a few system files that
 * SQLite and the writer lock read. If the path is NULL, each request may name another database.
 * Rights that the kernel cannot remove remain. After a failure, logs that the sandbox is
 * incomplete. */
void sandbox_enter(const char *database_path);

#endif
