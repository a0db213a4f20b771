/* The language in which the feed says its help: that of the country of the client's callsign, where
 * it begins with the number of a division, until the client chooses another one.
 *
 * Pure: texts in, texts out, all of ASCII. */
#ifndef QSOSYNC_FEED_LANGUAGE_H
#define QSOSYNC_FEED_LANGUAGE_H

/* The code of a language that there is, ISO 639-1: "en" where the country has none of the others,
 * or more than one. */
const char *language_of_callsign(const char *callsign);

/* The code of the language with this one, in either case; NULL: there is none. */
const char *language_find(const char *code);

/* The text in that language; as it is where there is no row for it. */
const char *language_say(const char *code, const char *text);

#endif
