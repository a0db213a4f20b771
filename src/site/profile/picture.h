/* The format of a picture that a member sends. */
#ifndef QSOSYNC_SITE_PICTURE_H
#define QSOSYNC_SITE_PICTURE_H

#include "base/arena.h"
#include "base/text.h"

/* NULL: *picture, a JPEG file of at most 4,000 pixels per side, was replaced by a copy in the arena
 * that holds only the drawing. The copy has no EXIF, text or thumbnail, and nothing after its end.
 * Otherwise why it is refused, as a phrase that follows "picture". */
const char *picture_clean(struct text *picture, struct arena *arena);

/* The media type of a picture that was cleaned. */
const char *picture_type(struct text picture);

#endif
