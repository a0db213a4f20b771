/* The names in ADIF's enumerations of modes and submodes (version 3.1.6), and which mode a submode
 * belongs to. Names that programs wrote as modes before they became submodes (FT4, JS8, PSK31) are
 * found as well. */
#include "adif/modes.h"

#include <stddef.h>
#include <string.h>

static const struct mode_name names[] = {
    {"ARDOP", "ARDOP"},
    {"ATV", "ATV"},
    {"CHIP", "CHIP"},
    {"CHIP128", "CHIP"},
    {"CHIP64", "CHIP"},
    {"CLO", "CLO"},
    {"CONTESTI", "CONTESTI"},
    {"DIGITALVOICE", "DIGITALVOICE"},
    {"C4FM", "DIGITALVOICE"},
    {"DMR", "DIGITALVOICE"},
    {"DSTAR", "DIGITALVOICE"},
    {"FREEDV", "DIGITALVOICE"},
    {"M17", "DIGITALVOICE"},
    {"DOMINO", "DOMINO"},
    {"DOM-M", "DOMINO"},
    {"DOM11", "DOMINO"},
    {"DOM16", "DOMINO"},
    {"DOM22", "DOMINO"},
    {"DOM4", "DOMINO"},
    {"DOM44", "DOMINO"},
    {"DOM5", "DOMINO"},
    {"DOM8", "DOMINO"},
    {"DOM88", "DOMINO"},
    {"DOMINOEX", "DOMINO"},
    {"DOMINOF", "DOMINO"},
    {"DYNAMIC", "DYNAMIC"},
    {"VARA FM 1200", "DYNAMIC"},
    {"VARA FM 9600", "DYNAMIC"},
    {"VARA HF", "DYNAMIC"},
    {"VARA SATELLITE", "DYNAMIC"},
    {"FAX", "FAX"},
    {"FSK", "FSK"},
    {"SCAMP_FAST", "FSK"},
    {"SCAMP_SLOW", "FSK"},
    {"SCAMP_VSLOW", "FSK"},
    {"FSK441", "FSK441"},
    {"FT8", "FT8"},
    {"HELL", "HELL"},
    {"FMHELL", "HELL"},
    {"FSKH105", "HELL"},
    {"FSKH245", "HELL"},
    {"FSKHELL", "HELL"},
    {"HELL80", "HELL"},
    {"HELLX5", "HELL"},
    {"HELLX9", "HELL"},
    {"HFSK", "HELL"},
    {"PSKHELL", "HELL"},
    {"SLOWHELL", "HELL"},
    {"ISCAT", "ISCAT"},
    {"ISCAT-A", "ISCAT"},
    {"ISCAT-B", "ISCAT"},
    {"JT4", "JT4"},
    {"JT4A", "JT4"},
    {"JT4B", "JT4"},
    {"JT4C", "JT4"},
    {"JT4D", "JT4"},
    {"JT4E", "JT4"},
    {"JT4F", "JT4"},
    {"JT4G", "JT4"},
    {"JT44", "JT44"},
    {"JT65", "JT65"},
    {"JT65A", "JT65"},
    {"JT65B", "JT65"},
    {"JT65B2", "JT65"},
    {"JT65C", "JT65"},
    {"JT65C2", "JT65"},
    {"JT6M", "JT6M"},
    {"JT9", "JT9"},
    {"JT9A", "JT9"},
    {"JT9B", "JT9"},
    {"JT9C", "JT9"},
    {"JT9D", "JT9"},
    {"JT9E", "JT9"},
    {"JT9E FAST", "JT9"},
    {"JT9F", "JT9"},
    {"JT9F FAST", "JT9"},
    {"JT9G", "JT9"},
    {"JT9G FAST", "JT9"},
    {"JT9H", "JT9"},
    {"JT9H FAST", "JT9"},
    {"MFSK", "MFSK"},
    {"FSQCALL", "MFSK"},
    {"FST4", "MFSK"},
    {"FST4W", "MFSK"},
    {"FT4", "MFSK"},
    {"JS8", "MFSK"},
    {"JTMS", "MFSK"},
    {"MFSK11", "MFSK"},
    {"MFSK128", "MFSK"},
    {"MFSK128L", "MFSK"},
    {"MFSK16", "MFSK"},
    {"MFSK22", "MFSK"},
    {"MFSK31", "MFSK"},
    {"MFSK32", "MFSK"},
    {"MFSK4", "MFSK"},
    {"MFSK64", "MFSK"},
    {"MFSK64L", "MFSK"},
    {"MFSK8", "MFSK"},
    {"Q65", "MFSK"},
    {"MSK144", "MSK144"},
    {"MT63", "MT63"},
    {"MTONE", "MTONE"},
    {"SCAMP_OO", "MTONE"},
    {"SCAMP_OO_SLW", "MTONE"},
    {"OLIVIA", "OLIVIA"},
    {"OLIVIA 16/1000", "OLIVIA"},
    {"OLIVIA 16/500", "OLIVIA"},
    {"OLIVIA 32/1000", "OLIVIA"},
    {"OLIVIA 4/125", "OLIVIA"},
    {"OLIVIA 4/250", "OLIVIA"},
    {"OLIVIA 8/250", "OLIVIA"},
    {"OLIVIA 8/500", "OLIVIA"},
    {"OPERA", "OPERA"},
    {"OPERA-BEACON", "OPERA"},
    {"OPERA-QSO", "OPERA"},
    {"PAC", "PAC"},
    {"PAC2", "PAC"},
    {"PAC3", "PAC"},
    {"PAC4", "PAC"},
    {"PAX", "PAX"},
    {"PAX2", "PAX"},
    {"PKT", "PKT"},
    {"PSK", "PSK"},
    {"8PSK1000", "PSK"},
    {"8PSK1000F", "PSK"},
    {"8PSK1200F", "PSK"},
    {"8PSK125", "PSK"},
    {"8PSK125F", "PSK"},
    {"8PSK125FL", "PSK"},
    {"8PSK250", "PSK"},
    {"8PSK250F", "PSK"},
    {"8PSK250FL", "PSK"},
    {"8PSK500", "PSK"},
    {"8PSK500F", "PSK"},
    {"FSK31", "PSK"},
    {"PSK10", "PSK"},
    {"PSK1000", "PSK"},
    {"PSK1000RC2", "PSK"},
    {"PSK125", "PSK"},
    {"PSK125RC10", "PSK"},
    {"PSK125RC12", "PSK"},
    {"PSK125RC16", "PSK"},
    {"PSK125RC4", "PSK"},
    {"PSK125RC5", "PSK"},
    {"PSK250", "PSK"},
    {"PSK250RC2", "PSK"},
    {"PSK250RC3", "PSK"},
    {"PSK250RC5", "PSK"},
    {"PSK250RC6", "PSK"},
    {"PSK250RC7", "PSK"},
    {"PSK31", "PSK"},
    {"PSK500", "PSK"},
    {"PSK500RC2", "PSK"},
    {"PSK500RC3", "PSK"},
    {"PSK500RC4", "PSK"},
    {"PSK63", "PSK"},
    {"PSK63F", "PSK"},
    {"PSK63RC10", "PSK"},
    {"PSK63RC20", "PSK"},
    {"PSK63RC32", "PSK"},
    {"PSK63RC4", "PSK"},
    {"PSK63RC5", "PSK"},
    {"PSK800RC2", "PSK"},
    {"PSKAM10", "PSK"},
    {"PSKAM31", "PSK"},
    {"PSKAM50", "PSK"},
    {"PSKFEC31", "PSK"},
    {"QPSK125", "PSK"},
    {"QPSK250", "PSK"},
    {"QPSK31", "PSK"},
    {"QPSK500", "PSK"},
    {"QPSK63", "PSK"},
    {"SIM31", "PSK"},
    {"PSK2K", "PSK2K"},
    {"Q15", "Q15"},
    {"QRA64", "QRA64"},
    {"QRA64A", "QRA64"},
    {"QRA64B", "QRA64"},
    {"QRA64C", "QRA64"},
    {"QRA64D", "QRA64"},
    {"QRA64E", "QRA64"},
    {"ROS", "ROS"},
    {"ROS-EME", "ROS"},
    {"ROS-HF", "ROS"},
    {"ROS-MF", "ROS"},
    {"RTTY", "RTTY"},
    {"ASCI", "RTTY"},
    {"RTTYM", "RTTYM"},
    {"SSTV", "SSTV"},
    {"T10", "T10"},
    {"THOR", "THOR"},
    {"THOR-M", "THOR"},
    {"THOR100", "THOR"},
    {"THOR11", "THOR"},
    {"THOR16", "THOR"},
    {"THOR22", "THOR"},
    {"THOR25X4", "THOR"},
    {"THOR4", "THOR"},
    {"THOR5", "THOR"},
    {"THOR50X1", "THOR"},
    {"THOR50X2", "THOR"},
    {"THOR8", "THOR"},
    {"THRB", "THRB"},
    {"THRBX", "THRB"},
    {"THRBX1", "THRB"},
    {"THRBX2", "THRB"},
    {"THRBX4", "THRB"},
    {"THROB1", "THRB"},
    {"THROB2", "THRB"},
    {"THROB4", "THRB"},
    {"TOR", "TOR"},
    {"AMTORFEC", "TOR"},
    {"GTOR", "TOR"},
    {"NAVTEX", "TOR"},
    {"SITORB", "TOR"},
    {"V4", "V4"},
    {"VOI", "VOI"},
    {"WINMOR", "WINMOR"},
    {"WSPR", "WSPR"},
};

const struct mode_name *modes_find(struct text name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name.bytes && text_equals_ignoring_case(name, names[i].name))
            return &names[i];
    return NULL;
}

/* Puts values for which a QSO has no field into its notes, and finds them there again. The lines
 * are found only at the beginning, in their order and each once: then joining the parts gives back
 * every text that was split. Which fields these are is decided in mapping.c. */

static const char *const labels[NOTES_BODY] = {
    [NOTES_NAME] = "Name: ", [NOTES_QTH] = "QTH: ", [NOTES_MODE] = "Mode: "};

/* Takes a line with the label from the text; its content has no space at either end, or it would be
 * written back as another text. */
static bool take_line(struct text *text, const char *label, struct text *content)
{
    size_t size = strlen(label);
    if (text->length <= size || memcmp(text->bytes, label, size) != 0)
        return false;
    const char *end = memchr(text->bytes, '\n', text->length);
    size_t line = end ? (size_t)(end - text->bytes) : text->length;
    struct text found = {text->bytes + size, line - size};
    if (line <= size || text_trim(found).length != found.length)
        return false;
    if (end && line + 1 == text->length)
        return false;
    *content = found;
    text->bytes += end ? line + 1 : line;
    text->length -= end ? line + 1 : line;
    return true;
}

struct notes notes_split(struct text text, bool with_mode)
{
    struct notes notes = {0};
    for (int part = NOTES_NAME; part < NOTES_BODY && text.length > 0; part++)
        if (part != NOTES_MODE || with_mode)
            take_line(&text, labels[part], &notes.parts[part]);
    if (text.length > 0)
        notes.parts[NOTES_BODY] = text;
    return notes;
}

bool notes_may_name_mode(const struct qso *qso)
{
    const struct value *mode = &qso->values[FIELD_MODE];
    return mode->presence == VALUE_PRESENT && mode->integer == MODE_DIGITAL;
}

struct notes notes_of_qso(const struct qso *qso)
{
    return notes_split(qso_text(qso, FIELD_NOTES), notes_may_name_mode(qso));
}

struct text notes_join(const struct notes *notes, struct arena *arena)
{
    size_t length = 0;
    for (int part = 0; part < NOTES_PART_COUNT; part++)
        if (notes->parts[part].bytes)
            length += notes->parts[part].length + strlen("\nName: ");
    if (length == 0)
        return (struct text){0};
    char *out = arena_allocate(arena, length), *at = out;
    for (int part = 0; part < NOTES_PART_COUNT; part++) {
        if (!notes->parts[part].bytes)
            continue;
        if (at > out)
            *at++ = '\n';
        if (part < NOTES_BODY)
            at = stpcpy(at, labels[part]);
        memcpy(at, notes->parts[part].bytes, notes->parts[part].length);
        at += notes->parts[part].length;
    }
    return (struct text){out, (size_t)(at - out)};
}
