/* Converts a whole file with iconv. */
#include "transfer/unfold.h"

#include "adif/encoding.h"

struct text survey_unfold(struct text file, const char *encoding, struct arena *arena, bool *fails)
{
    const char *form = encoding_find_utf16(file);
    const bool is_wide = encoding && (text_begins_ignoring_case(text_of(encoding), "UTF-16") ||
                                      text_begins_ignoring_case(text_of(encoding), "UTF-32") ||
                                      text_begins_ignoring_case(text_of(encoding), "UCS"));
    struct text unfolded = file;
    *fails = false;
    if (!form && !is_wide)
        return file;
    struct encoding *opened = encoding_open(form ? form : encoding, arena);
    *fails = !opened || !encoding_convert(opened, file, arena, &unfolded);
    if (opened)
        encoding_close(opened);
    return unfolded;
}
