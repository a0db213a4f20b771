/* The web servers that QSOsync has sites for, and these sites. */
#ifndef QSOSYNC_DOCTOR_SITES_H
#define QSOSYNC_DOCTOR_SITES_H

#include <stdbool.h>

#include "doctor/examination.h"

/* A web server of Debian. */
struct front {
    const char *unit;
    const char *folders[3];
    const char *pid_file, *configuration; /* the configuration can name another pid_file */
    const char *test;                     /* command that tests the configuration */
    const char *certificate_line;
};

#define SITES_FRONTS 2
extern const struct front sites_fronts[SITES_FRONTS];

struct site {
    const char *text;        /* the file's content; NULL: no such file */
    const char *certificate; /* path of the certificate's file; NULL: none */
    const char
        *closed; /* path of a file that this user cannot read, and which may be the site; or NULL */
};

/* Finds the last site whose file matches this pattern, and adds it to *out. The caller sets *out to
 * zero. */
void sites_find(struct examination *seen, const struct front *front, const char *pattern,
                struct site *out);

/* Returns the match of an extended regular expression's first group, after the beginning of a line
 * that is not a comment, in the arena; NULL: no match. */
const char *sites_match(struct examination *seen, const char *text, const char *pattern);

/* Returns whether a site on this machine has the service's name, and sets *certificate to the file
 * of its certificate (NULL: none). */
bool sites_have_name(struct examination *seen, const char **certificate);

#endif
