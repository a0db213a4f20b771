/* Decides which passwords a member may choose: long enough, and not among an attacker's first
 * guesses. A password is split into easily guessed pieces and single characters. At least ENOUGH of
 * these parts must differ. Easily guessed pieces are words from lists of leaked passwords, keyboard
 * walks, digits, repeated characters and the callsign. No password is sent anywhere for this
 * check. */
#include "base/password_choice.h"

#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

#include "base/letters.h"
#include "base/password.h"
#include "base/text.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"

#define LENGTH_MIN 10  /* minimum length in code points */
#define LENGTH_MAX 200 /* maximum length in code points */
#define ENOUGH 4       /* minimum number of different pieces and single characters, together */
#define PIECE_MIN 3

/* Keyboard walks. At least PIECE_MIN successive characters of a walk are a piece. */
static const char *const ways[] = {
    "123456789012345678901234567890",
    "098765432109876543210987654321",
    "abcdefghijklmnopqrstuvwxyz",
    "zyxwvutsrqponmlkjihgfedcba",
    "qwertyuiop[]asdfghjkl;'zxcvbnm,./",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "mnbvcxzlkjhgfdsapoiuytrewq",
    "1q2w3e4r5t6y7u8i9o0p",
    "1q2w3e4r5t6z7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
    "zaq12wsxcde34rfvbgt56yhnmju78ik",
    "qazwsxedcrfvtgbyhnujmikolp",
    "a1b2c3d4e5f6g7h8i9",
    "!@#$%^&*()_+",
    "!\"#$%&/()=?",
};

/* Common words, or their beginnings: "passwor" covers "password" and "passwort". */
static const char *const words[] = {
    "password",   "passwort",     "passwrd",    "wachtwoord",    "kennwort",      "motdepasse",
    "contrasena", "geheim",       "secret",     "iloveyou",      "letmein",       "welcome",
    "willkommen", "welkom",       "changeme",   "default",       "administrator", "admin",
    "master",     "login",        "guest",      "hallo",         "hello",         "whatever",
    "trustno",    "dragon",       "monkey",     "football",      "fussball",      "voetbal",
    "baseball",   "basketball",   "volleyball", "superman",      "batman",        "spiderman",
    "starwars",   "startrek",     "pokemon",    "minecraft",     "computer",      "internet",
    "samsung",    "google",       "facebook",   "princess",      "prinzessin",    "prinses",
    "sunshine",   "sonnenschein", "butterfly",  "schmetterling", "strawberry",    "chocolate",
    "schokolade", "cheese",       "liverpool",  "manchester",    "chelsea",       "arsenal",
    "feyenoord",  "dortmund",     "schalke",    "bayern",        "mustang",       "ferrari",
    "mercedes",   "porsche",      "corvette",   "yamaha",        "summer",        "sommer",
    "winter",     "zomer",        "herbst",     "freedom",       "forever",       "shadow",
    "killer",     "hunter",       "ranger",     "charlie",       "michael",       "jennifer",
    "jessica",    "michelle",     "daniel",     "thomas",        "alexander",     "sebastian",
    "andreas",    "stefan",       "christian",  "schatz",        "lieveling",     "samantha",
    "elizabeth",  "qsosync",      "logbook",    "logbuch",       "logboek",       "cbradio",
    "cbfunk",     "hamradio",     "funkgeraet",
};

/* Returns whether the byte is the letter, or a digit or sign that often replaces the letter in
 * passwords. */
static bool stands_for(char byte, char letter)
{
    static const char stand_ins[] = "0o1i1l!i!l3e4a@a5s$s";
    for (const char *pair = stand_ins; *pair; pair += 2)
        if (pair[0] == byte && pair[1] == letter)
            return true;
    return byte == letter && !strchr("01!34@5$", byte);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Each measure_... function returns the length in bytes of a piece of its kind at the beginning of
 * the text, or 0. */

static size_t measure_word(struct text text)
{
    size_t longest = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = 0;
        while (length < text.length && words[i][length] &&
               stands_for(text.bytes[length], words[i][length]))
            length++;
        if (!words[i][length])
            longest = larger(longest, length);
    }
    return longest;
}

static size_t measure_keyboard_walk(struct text text)
{
    size_t longest = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (const char *from = ways[i]; *from; from++) {
            size_t length = 0;
            while (length < text.length && from[length] && text.bytes[length] == from[length])
                length++;
            longest = larger(longest, length);
        }
    return longest >= PIECE_MIN ? longest : 0;
}

static size_t measure_repetition(struct text text)
{
    size_t length = 1;
    while (length < text.length && text.bytes[length] == text.bytes[0])
        length++;
    return length >= PIECE_MIN ? length : 0;
}

static bool is_separator(char byte)
{
    return byte == ' ' || byte == '-' || byte == '.' || byte == '/' || byte == '_';
}

/* Returns the length of the callsign at the beginning of the text, including separators in
 * between. Returns 0 if the text does not begin with the callsign. */
static size_t measure_callsign(struct text text, struct text callsign)
{
    size_t at = 0;
    for (size_t i = 0; i < callsign.length; i++) {
        if (is_separator(callsign.bytes[i]))
            continue;
        while (at > 0 && at < text.length && is_separator(text.bytes[at]))
            at++;
        if (at >= text.length || text.bytes[at] != callsign.bytes[i])
            return 0;
        at++;
    }
    return at;
}

static bool is_among(const struct text *pieces, size_t count, struct text piece)
{
    for (size_t i = 0; i < count; i++)
        if (text_equals(pieces[i], piece))
            return true;
    return false;
}

/* Converts the text to lower case in place. A letter whose lower case has another length in bytes
 * is not changed. */
static void lower(char *bytes, size_t length)
{
    utf8proc_int32_t code;
    utf8proc_uint8_t small[4];
    for (size_t i = 0; i < length;) {
        const utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)bytes + i,
                                                       (utf8proc_ssize_t)(length - i), &code);
        if (step <= 0)
            return;
        if (utf8proc_encode_char(utf8proc_tolower(code), small) == step)
            memcpy(bytes + i, small, (size_t)step);
        i += (size_t)step;
    }
}

/* Returns NULL if the text is hard to guess, and otherwise the reason for its rejection. Both texts
 * must be in lower case. A repeated piece counts once. */
static const char *find_fault_in_pieces(struct text text, struct text callsign)
{
    struct text pieces[ENOUGH];
    size_t count = 0;
    bool has_callsign = false, is_repeated = true;
    while (text.length > 0 && count < ENOUGH) {
        size_t called = measure_callsign(text, callsign);
        size_t repeated = measure_repetition(text);
        size_t known = larger(larger(measure_word(text), measure_keyboard_walk(text)),
                              larger(text_count_leading(text, isdigit), repeated));
        is_repeated = is_repeated && larger(known, called) == repeated;
        has_callsign = has_callsign || (called > 0 && called >= known);
        struct text piece = {text.bytes, larger(larger(known, called), text_first_length(text))};
        if (!is_among(pieces, count, piece))
            pieces[count++] = piece;
        text = text_skip(text, piece.length);
    }
    if (count >= ENOUGH)
        return NULL;
    return has_callsign  ? "must not be the callsign"
           : is_repeated ? "must not repeat a few characters"
                         : "is one of the commonest";
}

const char *password_find_fault(struct text password, struct text callsign)
{
    size_t length = 0;
    if (text_has_nul(password))
        return "must not contain control characters";
    char *normal = password_normalise(password, &length);
    if (!normal)
        return "must be UTF-8";
    struct text text = {normal, length};
    size_t count = text_count_code_points(text);
    const char *fault = text_has_control(text) ? "must not contain control characters"
                        : count < LENGTH_MIN   ? "must be at least 10 characters long"
                        : count > LENGTH_MAX   ? "must be at most 200 characters long"
                                               : NULL;
    if (!fault) {
        char small[CALLSIGN_BYTES_MAX];
        callsign.length = callsign.length < sizeof small ? callsign.length : sizeof small;
        memcpy(small, callsign.bytes ? callsign.bytes : "", callsign.length);
        lower(small, callsign.length);
        lower(normal, length);
        fault = find_fault_in_pieces(text, (struct text){small, callsign.length});
    }
    password_forget(normal, length);
    return fault;
}
