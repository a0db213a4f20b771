/* Reads the other values in the cells of a sheet: frequencies, channels, callsigns and more. */
#ifndef QSOSYNC_TRANSFER_SHEET_VALUES_H
#define QSOSYNC_TRANSFER_SHEET_VALUES_H

#include <stdbool.h>

#include "base/text.h"
#include "transfer/sheet_pattern.h"

#define SHEET_MODE_SIZE 24

/* A frequency, or a channel with its word ("ch 26"). */
struct sheet_tuning {
    double mhz;  /* 0: none */
    int channel; /* 0: none */
    bool has_channel;
    bool is_bare; /* whether the text is a number up to 80 without a unit, which can be a channel */
    bool is_band; /* whether the text is a number of MHz that names a band */
    char mode[SHEET_MODE_SIZE]; /* upper case; empty: none */
};

/* A channel, with the tone or the mode after it ("8-12", "9 AM"). */
struct sheet_channel {
    char name[8]; /* such as 41 or 19A */
    int number;
    char tone[SHEET_MODE_SIZE], mode[SHEET_MODE_SIZE]; /* upper case; empty: none */
};

enum sheet_yes { YES_UNKNOWN, YES_YES, YES_NO, YES_DIRECT, YES_BUREAU };

#define SHEET_CALLS_MAX 3

/* Callsigns that a spreadsheet reads as the same number. */
struct sheet_calls {
    size_t count;
    char calls[SHEET_CALLS_MAX][16];
};

/* Read the text of a cell. They return false for any other text. */
bool sheet_read_tuning(struct text cell, struct sheet_tuning *out);
bool sheet_read_channel(struct text cell, struct sheet_channel *out);

/* Return whether the text of a cell looks like such a value. */
bool sheet_is_locator(struct text cell);
bool sheet_is_report(struct text cell);
bool sheet_is_mode(struct text cell);
bool sheet_is_band(struct text cell);
bool sheet_is_callsign(struct text cell);

/* Returns whether a spreadsheet read a callsign as a number, or would read it as one: 14E10,
 * 1,40E+11, 140000000000. In a column of callsigns, 260000 is such a number, too. */
bool sheet_is_number_call(struct text cell);
bool sheet_is_number_in_call(struct text cell);

/* Finds the callsigns that a spreadsheet reads as this number: an existing division, the letter E,
 * and a number. */
void sheet_find_calls(struct text cell, struct sheet_calls *out);

/* Returns whether a cell that a spreadsheet would read as a number is a callsign as it is. */
bool sheet_is_written_call(struct text cell);

enum sheet_yes sheet_read_yes(struct text cell);

/* Returns whether the band is PMR446. */
bool sheet_is_pmr(struct text band);

#endif
