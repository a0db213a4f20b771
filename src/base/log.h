/* Lines for the operator, on standard error, where the front server or systemd collects them.
 *
 * One call is one line and one write(2), so that lines of several workers never mix. Control
 * characters are written as ?, so that no client can forge a line. Never give it a key. */
#ifndef QSOSYNC_BASE_LOG_H
#define QSOSYNC_BASE_LOG_H

#define LOG_KEPT_BYTES 512

/* The name in front of every line (default "qsosync"), and the id of the request that is being
 * answered (empty: none). Both strings stay the caller's and must stay valid. */
void log_set_program(const char *name);
void log_set_request(const char *request_id);

/* From now on lines begin with the time in UTC, unless standard error is a terminal or systemd's
 * journal, which adds it by itself. */
void log_show_time(void);

/* From now on messages are not written: the first one is stored in `kept`, without the program's
 * name ("": there was none). NULL: they are written again. For programs that
 * report errors in their own words. */
void log_keep_first(char kept[LOG_KEPT_BYTES]);

/* Writes "program: [request] message". */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
