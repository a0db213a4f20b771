/* Finds out the state of a web server on this machine. */
#ifndef QSOSYNC_DOCTOR_FRONT_STATE_H
#define QSOSYNC_DOCTOR_FRONT_STATE_H

#include <stdbool.h>

#include "doctor/examination.h"
#include "doctor/sites.h"

/* Returns whether the web server is running. */
bool front_state_runs(struct examination *seen, const struct front *front);

/* Returns the server's errors about its configuration, or NULL if the server accepts the
 * configuration. Call this function as root. */
const char *front_state_test(struct examination *seen, const struct front *front);

/* Returns whether Apache has the modules that a site with this text needs. If not, reports the
 * missing modules. */
bool front_state_has_modules(struct examination *seen, const char *site);

/* Reports that the web server is not running, with the likeliest cause. Returns false. */
bool front_state_report_stopped(struct examination *seen, const struct front *front,
                                const char *site);

#endif
