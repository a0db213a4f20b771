/* Sets a client's filters, and applies the filters to spots. dialogue.c reads the commands that set
 * filters. A client without filters receives all spots. */
#include "feed/filter.h"

#include <string.h>

#include "qso/fields.h"

static bool set_band(struct filter *filter, const char *value)
{
    const bool is_pmr = text_is_one_of(text_of(value), "PMR PMR446");
    if (*value && !is_pmr && !text_is_one_of(text_of(value), "11M 11 CB"))
        return false;
    filter->bands = *value ? 1u << (is_pmr ? BAND_PMR446 : BAND_ELEVEN_METERS) : 0;
    return true;
}

/* Sets the filter for modes; SSB includes USB and LSB. An invalid value changes nothing. */
static bool set_mode(struct filter *filter, const char *value)
{
    for (size_t i = 0; fields[FIELD_MODE].choices[i]; i++)
        if (strcmp(value, fields[FIELD_MODE].choices[i]) == 0) {
            filter->modes = 1u << i;
            if (i == MODE_SSB)
                filter->modes |= 1u << MODE_USB | 1u << MODE_LSB;
            return true;
        }
    if (!*value)
        filter->modes = 0;
    return !*value;
}

/* Sets the filter for locators to the beginning of a locator, with letters and digits in the right
 * places. Dots can follow. */
static bool set_grid(struct filter *filter, const char *value)
{
    size_t length = strcspn(value, ".");
    if ((length == 0 && *value) || length > FILTER_GRID_MAX ||
        value[length + strspn(value + length, ".")])
        return false;
    for (size_t i = 0; i < length; i++) {
        char last = i < 2 ? 'R' : i < 4 ? '9' : 'X', first = i < 2 || i > 3 ? 'A' : '0';
        if (value[i] < first || value[i] > last)
            return false;
    }
    memcpy(filter->grid, value, length);
    filter->grid[length] = '\0';
    return true;
}

bool filter_set(struct filter *filter, const char *name, const char *value, bool *known)
{
    struct filter wanted = *filter;
    bool (*const set)(struct filter * filter, const char *value) =
        strcmp(name, "BAND") == 0   ? set_band
        : strcmp(name, "MODE") == 0 ? set_mode
        : strcmp(name, "GRID") == 0 ? set_grid
                                    : NULL;
    *known = set && set(&wanted, value);
    if (*known)
        *filter = wanted;
    return set != NULL;
}

/* Sets the filter for callsigns to the beginning of a callsign. A star can follow, as in DXSpider.
 * Rejects DXSpider's band names such as 20M, which are neither callsigns nor bands of QSOsync. */
static bool set_callsign(struct filter *filter, const char *value)
{
    size_t length = strlen(value);
    if (length > 0 && value[length - 1] == '*')
        length--;
    return strcmp(value + strspn(value, "0123456789"), "M") != 0 &&
           spot_format_callsign((struct text){value, length}, filter->callsign);
}

bool filter_set_any(struct filter *filter, const char *value)
{
    struct filter wanted = *filter;
    bool known =
        set_band(&wanted, value) || set_mode(&wanted, value) || set_callsign(&wanted, value);
    if (known)
        *filter = wanted;
    return known;
}

static bool is_callsign(struct text text, const char *begin)
{
    char callsign[SPOT_CALLSIGN_MAX + 1];
    return spot_format_callsign(text, callsign) && strncmp(callsign, begin, strlen(begin)) == 0;
}

bool filter_passes(const struct filter *filter, const struct spot *spot)
{
    if (filter->bands && !(filter->bands & 1u << spot->band))
        return false;
    if (filter->modes && (spot->mode < 0 || !(filter->modes & 1u << spot->mode)))
        return false;
    if (*filter->callsign && !is_callsign(spot->dx_callsign, filter->callsign))
        return false;
    return !*filter->grid || text_begins_ignoring_case(spot->dx_locator, filter->grid) ||
           text_begins_ignoring_case(spot->my_locator, filter->grid);
}
