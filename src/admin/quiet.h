/* Keeps what the store writes to standard error, for commands that say it in their own words. */
#ifndef QSOSYNC_ADMIN_QUIET_H
#define QSOSYNC_ADMIN_QUIET_H

#define QUIET_LINE_BYTES 512

struct quiet {
    int log;
    int error; /* standard error itself */
};

/* Redirects standard error until quiet_end. */
void quiet_begin(struct quiet *quiet);

/* Restores standard error. said becomes the first line that was written since then, without the
 * program's name, at most QUIET_LINE_BYTES - 1 bytes of it; "" for nothing. */
void quiet_end(struct quiet *quiet, char said[QUIET_LINE_BYTES]);

#endif
