/* Spot lines that other DX clusters send, as DXSpider writes them. */
#ifndef QSOSYNC_FEED_RECEIVED_H
#define QSOSYNC_FEED_RECEIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "store/log/spots.h"

/* Reads a line "DX de SPOTTER: KHZ CALLSIGN COMMENT hhmmZ" or a row of sh/dx, in Windows-1252.
 * False for any other line, for frequencies outside 11 m and PMR446, and for callsigns that are not
 * 11 m callsigns. Also false for times more than ten minutes ahead of now_ms or a day behind it.
 * The source of *out stays unchanged. */
bool received_read(struct text line, int64_t now_ms, struct network_spot *out);

#endif
