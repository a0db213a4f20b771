/* Drops rights that a worker does not need and an attacker could abuse. */
#ifndef QSOSYNC_WORKER_SANDBOX_H
#define QSOSYNC_WORKER_SANDBOX_H

/* At startup: gives up new privileges, core files, and files that others can open. */
void sandbox_drop_rights(void);

/* Call this before the first request, with all libraries loaded. Forbids starting programs,
 * creating anything but regular files and, if the database is known, every file outside of its
 * folder. NULL: each request may name another database. Rules that the kernel does not support are
 * logged and skipped. */
void sandbox_enter(const char *database_path);

#endif
