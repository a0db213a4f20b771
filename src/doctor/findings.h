/* The findings of the doctor: one line each. Every line that is not ok says what to do about it. */
#ifndef QSOSYNC_DOCTOR_FINDINGS_H
#define QSOSYNC_DOCTOR_FINDINGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"

enum finding_level { FINDING_OK, FINDING_WARNING, FINDING_PROBLEM };

struct findings {
    struct arena *arena;
    struct finding *first, *last;
    enum finding_level worst;
    int problems;
};

/* Adds a finding of a check. `fix` is a command, or what to write where; NULL where all is well or
 * nothing can be advised. Both texts are copied. */
void findings_add(struct findings *findings, enum finding_level level, const char *check,
                  const char *fix, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The lines for a person, or a JSON object for programs. */
void findings_append(const struct findings *findings, bool json, struct buffer *out);

#endif
