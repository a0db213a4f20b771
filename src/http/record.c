/* Fills in the structures of fastcgi.h. */
#include "http/record.h"

#include <fastcgi.h>
#include <string.h>

void record_write_header(unsigned char *header, unsigned char type, int request_id, size_t length)
{
    const FCGI_Header made = {.version = FCGI_VERSION_1,
                              .type = type,
                              .requestIdB1 = (unsigned char)(request_id >> 8),
                              .requestIdB0 = (unsigned char)request_id,
                              .contentLengthB1 = (unsigned char)(length >> 8),
                              .contentLengthB0 = (unsigned char)length};
    _Static_assert(sizeof made == RECORD_HEADER_BYTES, "the header has no padding");
    memcpy(header, &made, sizeof made);
}

void record_write_end(unsigned char end[RECORD_END_BYTES], int request_id)
{
    memset(end, 0, RECORD_END_BYTES);
    record_write_header(end, FCGI_STDOUT, request_id, 0);
    record_write_header(end + RECORD_HEADER_BYTES, FCGI_END_REQUEST, request_id,
                        RECORD_HEADER_BYTES);
}
