/* Writes lines for the operator on standard error, where the front server or systemd collects them.
 *
 * Each call writes one line with one write(2), so that lines of several workers never mix. Control
 * characters are written as ?, so that no client can forge a line. Callers never log a key. */
#ifndef QSOSYNC_BASE_LOG_H
#define QSOSYNC_BASE_LOG_H

#define LOG_KEPT_BYTES 512

/* Set the name at the start of every line (default: "qsosync"), and the id of the current request
 * (empty: none). Only the pointers are stored, so both strings must stay valid. */
void log_set_program(const char *name);
void log_set_request(const char *request_id);

/* Makes each line begin with the time in UTC, unless standard error is a terminal or systemd's
 * journal, which adds the time itself. */
void log_show_time(void);

/* Stops writing messages, for programs that report errors in their own words. The first message is
 * stored in `kept`, without the program's name; until then, `kept` is "". If `kept` is NULL,
 * messages are written again. */
void log_keep_first(char kept[LOG_KEPT_BYTES]);

/* Writes the line "program: [request] message". */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
