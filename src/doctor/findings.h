/* Adds findings. */
#ifndef QSOSYNC_DOCTOR_FINDINGS_H
#define QSOSYNC_DOCTOR_FINDINGS_H

#include "doctor/examination.h"
#include "doctor/finding_texts.h"

/* Adds a finding, and returns whether its level is ok. `fix` is a command to paste or an
 * instruction; NULL: no advice is possible. If the level is ok, `fix` is ignored. Texts are copied,
 * and made printable. */
bool findings_add(struct examination *seen, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define fine(seen, check, ...) findings_add(seen, FINDING_OK, check, NULL, __VA_ARGS__)
#define warn(seen, check, fix, ...) findings_add(seen, FINDING_WARNING, check, fix, __VA_ARGS__)
#define trouble(seen, check, fix, ...) findings_add(seen, FINDING_PROBLEM, check, fix, __VA_ARGS__)

/* Add the finding with this name in finding_texts.h: with its own fix, with another fix, or with
 * another fix and level. */
#define found(seen, name, ...) found_with(seen, name, name##_FIX, ##__VA_ARGS__)
#define found_with(seen, name, fix, ...) found_at(seen, name##_LEVEL, name, fix, ##__VA_ARGS__)
#define found_at(seen, level, name, fix, ...)                                                      \
    findings_add(seen, level, name##_CHECK, fix, name##_SAYS, ##__VA_ARGS__)

#endif
