/* CRC-32 as defined by ISO-HDLC and zlib (polynomial 0xEDB88320 reflected): the checksum of an API
 * key, and of the parts of a ZIP file. */
#ifndef QSOSYNC_BASE_CRC32_H
#define QSOSYNC_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Computes the CRC-32 of the bytes; for "123456789", 0xCBF43926. */
uint32_t crc32_of(const void *bytes, size_t length);

/* Returns the CRC-32 of all bytes if more bytes follow those with the given CRC-32. */
uint32_t crc32_extend(uint32_t checksum, const void *bytes, size_t length);

#endif
