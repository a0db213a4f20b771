/* The format of members' pictures. */
#ifndef QSOSYNC_SITE_PICTURE_H
#define QSOSYNC_SITE_PICTURE_H

#include "base/arena.h"
#include "base/text.h"

/* Replaces *picture, a JPEG file of at most 4,000 pixels per side, with a copy in the arena. The
 * copy contains only the data needed to draw the picture: no EXIF data, text or thumbnail, and
 * nothing after the end of the picture. Returns NULL, or the reason why the picture is invalid, as
 * a phrase that follows "picture". */
const char *picture_clean(struct text *picture, struct arena *arena);

/* Returns the media type of a stored picture. */
const char *picture_type(struct text picture);

#endif
