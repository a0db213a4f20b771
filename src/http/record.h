/* FastCGI records (FastCGI 1.0, sections 3.3 and 5.5), for answers that libfcgi does not send. */
#ifndef QSOSYNC_HTTP_RECORD_H
#define QSOSYNC_HTTP_RECORD_H

#include <stddef.h>

#define RECORD_HEADER_BYTES 8
#define RECORD_CONTENT_MAX 65528 /* the largest multiple of 8 that fits into a record */
#define RECORD_END_BYTES (3 * RECORD_HEADER_BYTES)

/* Writes the header of a record with `length` bytes of content. */
void record_write_header(unsigned char *header, unsigned char type, int request_id, size_t length);

/* Writes the end of the output stream, and the record END_REQUEST with its body: status 0,
 * FCGI_REQUEST_COMPLETE. */
void record_write_end(unsigned char end[RECORD_END_BYTES], int request_id);

#endif
