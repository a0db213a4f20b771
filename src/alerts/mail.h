/* Sends an alert by mail, through the machine's sendmail. */
#ifndef QSOSYNC_ALERTS_MAIL_H
#define QSOSYNC_ALERTS_MAIL_H

#include <stdbool.h>

#include "alerts/template.h"

/* Hands the mail over to the program. Returns false if the program is missing or fails. */
bool mail_send(const char *program, struct text address, const struct template_values *values);

#endif
