/* Finds QSOsync's sites in the configurations of the supported web servers. */
#ifndef QSOSYNC_DOCTOR_SITES_H
#define QSOSYNC_DOCTOR_SITES_H

#include <stdbool.h>

#include "doctor/examination.h"

/* A web server as packaged by Debian. */
struct front {
    const char *unit;
    const char *folders[3];
    const char *pid_file, *configuration; /* the configuration can name a different pid file */
    const char *test;                     /* command that tests the configuration */
    const char *certificate_line;
};

#define SITES_FRONTS 2
extern const struct front sites_fronts[SITES_FRONTS];

struct site {
    const char *text;        /* the content of the site's file; NULL: no file matches */
    const char *certificate; /* path of the certificate's file; NULL: none is set */
    /* path of a file that this user cannot read, and that could be the site; NULL: none */
    const char *closed;
};

/* Finds this web server's last site whose file matches the pattern, and stores the site in *out.
 * The caller sets *out to zero before the first call. */
void sites_find(struct examination *seen, const struct front *front, const char *pattern,
                struct site *out);

/* Returns, in the arena, the text that the first group of the extended regular expression matches.
 * Comments in the text do not match. Returns NULL if nothing matches. */
const char *sites_match(struct examination *seen, const char *text, const char *pattern);

/* Returns whether a site on this machine has the host of the examined address as its name. Sets
 * *certificate to the path of the site's certificate (NULL: none). */
bool sites_have_name(struct examination *seen, const char **certificate);

#endif
