/* Drops rights that a worker does not need and that an attacker could abuse. */
#ifndef QSOSYNC_WORKER_SANDBOX_H
#define QSOSYNC_WORKER_SANDBOX_H

/* Call at startup. Gives up new privileges, core files, and files that others can open. */
void sandbox_drop_rights(void);

/* Call before the first request, with all libraries loaded. Forbids starting programs and creating
 * anything but regular files. If the database is known, also forbids every file outside its folder.
 * NULL: each request may name another database. Rules that the kernel does not support are logged
 * and skipped. */
void sandbox_enter(const char *database_path);

#endif
