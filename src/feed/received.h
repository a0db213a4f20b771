/* Parses spot lines from other DX clusters, in DXSpider's format. */
#ifndef QSOSYNC_FEED_RECEIVED_H
#define QSOSYNC_FEED_RECEIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "store/log/network_spots.h"

/* Parses a line "DX de SPOTTER: KHZ CALLSIGN COMMENT hhmmZ" or a row from sh/dx, in Windows-1252.
 * The caller sets out->source. Returns false for any other line, for frequencies outside 11 m and
 * PMR446, and for callsigns that are not 11 m callsigns. Also returns false for times that are more
 * than ten minutes after now_ms, or more than a day before now_ms. */
bool received_read(struct text line, int64_t now_ms, struct network_spot *out);

#endif
