/* The form of a picture that a member sends. */
#ifndef QSOSYNC_SITE_PICTURE_H
#define QSOSYNC_SITE_PICTURE_H

#include "base/arena.h"
#include "base/text.h"

/* NULL: *picture, a whole JPEG file of at most 4,000 pixels a side, has been replaced by one in the
 * arena that holds what is drawn and nothing else: no EXIF, no text, no thumbnail, nothing behind
 * its end. Otherwise why it is refused, as a phrase that follows "picture". */
const char *picture_clean(struct text *picture, struct arena *arena);

/* The media type of a picture that was cleaned. */
const char *picture_type(struct text picture);

#endif
