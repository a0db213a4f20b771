/* CRC-32 as in ISO-HDLC and zlib (polynomial 0xEDB88320 reflected): the checksum of an API key. */
#ifndef QSOSYNC_BASE_CRC32_H
#define QSOSYNC_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC of "123456789" is 0xCBF43926. */
uint32_t crc32_of(const void *bytes, size_t length);

#endif
