/* Writes each field as an element, as ADX requires for its kind: defined by ADIF, by a program
 * (APP_...), or by the user. mapping.c chooses a record's fields. */
#include "adif/adx_writer.h"

#include <string.h>

#include "adif/encoding.h"
#include "adif/writer.h"
#include "base/text.h"

/* The fields of records in ADIF 3.1.6, including fields that programs may only read. */
static const char adif_names[] =
    "ADDRESS ADDRESS_INTL AGE ALTITUDE ANT_AZ ANT_EL ANT_PATH ARRL_SECT AWARD_GRANTED "
    "AWARD_SUBMITTED A_INDEX BAND BAND_RX CALL CHECK CLASS CLUBLOG_QSO_UPLOAD_DATE "
    "CLUBLOG_QSO_UPLOAD_STATUS CNTY CNTY_ALT COMMENT COMMENT_INTL CONT CONTACTED_OP "
    "CONTEST_ID COUNTRY COUNTRY_INTL CQZ CREDIT_GRANTED CREDIT_SUBMITTED DARC_DOK "
    "DCL_QSLRDATE DCL_QSLSDATE DCL_QSL_RCVD DCL_QSL_SENT DISTANCE DXCC EMAIL EQSL_AG "
    "EQSL_QSLRDATE EQSL_QSLSDATE EQSL_QSL_RCVD EQSL_QSL_SENT EQ_CALL FISTS FISTS_CC "
    "FORCE_INIT FREQ FREQ_RX GRIDSQUARE GRIDSQUARE_EXT GUEST_OP HAMLOGEU_QSO_UPLOAD_DATE "
    "HAMLOGEU_QSO_UPLOAD_STATUS HAMQTH_QSO_UPLOAD_DATE HAMQTH_QSO_UPLOAD_STATUS "
    "HRDLOG_QSO_UPLOAD_DATE HRDLOG_QSO_UPLOAD_STATUS IOTA IOTA_ISLAND_ID ITUZ K_INDEX LAT "
    "LON LOTW_QSLRDATE LOTW_QSLSDATE LOTW_QSL_RCVD LOTW_QSL_SENT MAX_BURSTS MODE "
    "MORSE_KEY_INFO MORSE_KEY_TYPE MS_SHOWER MY_ALTITUDE MY_ANTENNA MY_ANTENNA_INTL "
    "MY_ARRL_SECT MY_CITY MY_CITY_INTL MY_CNTY MY_CNTY_ALT MY_COUNTRY MY_COUNTRY_INTL "
    "MY_CQ_ZONE MY_DARC_DOK MY_DXCC MY_FISTS MY_GRIDSQUARE MY_GRIDSQUARE_EXT MY_IOTA "
    "MY_IOTA_ISLAND_ID MY_ITU_ZONE MY_LAT MY_LON MY_MORSE_KEY_INFO MY_MORSE_KEY_TYPE MY_NAME "
    "MY_NAME_INTL MY_POSTAL_CODE MY_POSTAL_CODE_INTL MY_POTA_REF MY_RIG MY_RIG_INTL MY_SIG "
    "MY_SIG_INFO MY_SIG_INFO_INTL MY_SIG_INTL MY_SOTA_REF MY_STATE MY_STREET MY_STREET_INTL "
    "MY_USACA_COUNTIES MY_VUCC_GRIDS MY_WWFF_REF NAME NAME_INTL NOTES NOTES_INTL NR_BURSTS "
    "NR_PINGS OPERATOR OWNER_CALLSIGN PFX POTA_REF PRECEDENCE PROP_MODE PUBLIC_KEY "
    "QRZCOM_QSO_DOWNLOAD_DATE QRZCOM_QSO_DOWNLOAD_STATUS QRZCOM_QSO_UPLOAD_DATE "
    "QRZCOM_QSO_UPLOAD_STATUS QSLMSG QSLMSG_INTL QSLMSG_RCVD QSLRDATE QSLSDATE QSL_RCVD "
    "QSL_RCVD_VIA QSL_SENT QSL_SENT_VIA QSL_VIA QSO_COMPLETE QSO_DATE QSO_DATE_OFF "
    "QSO_RANDOM QTH QTH_INTL REGION RIG RIG_INTL RST_RCVD RST_SENT RX_PWR SAT_MODE SAT_NAME "
    "SFI SIG SIG_INFO SIG_INFO_INTL SIG_INTL SILENT_KEY SKCC SOTA_REF SRX SRX_STRING STATE "
    "STATION_CALLSIGN STX STX_STRING SUBMODE SWL TEN_TEN TIME_OFF TIME_ON TX_PWR UKSMG "
    "USACA_COUNTIES VE_PROV VUCC_GRIDS WEB WWFF_REF";

enum kind { KIND_OF_ADIF, KIND_OF_PROGRAM, KIND_OF_USER };

/* Returns the kind of a field. For a program's field, *program receives the program's name, and
 * *name the rest of the field's name. */
static enum kind find_kind(struct text *name, struct text *program)
{
    if (text_is_one_of(*name, adif_names))
        return KIND_OF_ADIF;
    if (!text_begins_ignoring_case(*name, "APP_"))
        return KIND_OF_USER;
    struct text rest = text_skip(*name, strlen("APP_"));
    *program = text_split_next(&rest, '_');
    if (program->length == 0 || rest.length == 0)
        return KIND_OF_USER;
    *name = rest;
    return KIND_OF_PROGRAM;
}

/* Returns whether XML cannot contain the character at the text's beginning. */
static bool is_impossible(struct text text)
{
    return ((unsigned char)*text.bytes < ' ' && !strchr("\t\r\n", *text.bytes)) ||
           (text.length >= 3 && memcmp(text.bytes, "\xEF\xBF", 2) == 0 &&
            (unsigned char)text.bytes[2] >= 0xBE);
}

/* Writes CR as a reference, because readers of XML change line ends. */
void adx_append_text(struct buffer *out, struct text text)
{
    static const char characters[] = "&<>\"\r";
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#13;"};
    while (text.length > 0) {
        const char *special = *text.bytes ? strchr(characters, *text.bytes) : NULL;
        const bool impossible = is_impossible(text);
        if (impossible)
            buffer_append_string(out, "\xEF\xBF\xBD");
        else if (special)
            buffer_append_string(out, references[special - characters]);
        else
            buffer_append(out, text.bytes, 1);
        text = text_skip(text, impossible && (unsigned char)*text.bytes >= 0x80 ? 3 : 1);
    }
}

static void append_attribute(struct buffer *out, const char *name, struct text value)
{
    buffer_print(out, " %s=\"", name);
    adx_append_text(out, value);
    buffer_append_string(out, "\"");
}

/* Returns the data type indicator of a text, which depends on its characters and lines. */
static const char *find_type(struct text value)
{
    const bool has_lines = value.length > 0 && memchr(value.bytes, '\n', value.length);
    if (encoding_is_ascii(value))
        return has_lines ? "M" : "S";
    return has_lines ? "G" : "I";
}

static void append_field(struct buffer *out, struct text name, struct text value)
{
    struct text program;
    const enum kind kind = find_kind(&name, &program);
    const struct text element =
        kind == KIND_OF_ADIF ? name : text_of(kind == KIND_OF_PROGRAM ? "APP" : "USERDEF");
    buffer_append_string(out, "<");
    buffer_append(out, element.bytes, element.length);
    if (kind == KIND_OF_PROGRAM)
        append_attribute(out, "PROGRAMID", program);
    if (kind != KIND_OF_ADIF)
        append_attribute(out, "FIELDNAME", name);
    if (kind == KIND_OF_PROGRAM)
        append_attribute(out, "TYPE", text_of(find_type(value)));
    buffer_append_string(out, ">");
    adx_append_text(out, value);
    buffer_append_string(out, "</");
    buffer_append(out, element.bytes, element.length);
    buffer_append_string(out, ">");
}

void adx_add_user_fields(struct table *names, const struct record *record)
{
    struct text program;
    for (size_t i = 0; i < record->count; i++) {
        struct text name = record->fields[i].name;
        if (find_kind(&name, &program) == KIND_OF_USER)
            table_at(names, name);
    }
}

void adx_append_header(struct buffer *out, const struct table *user_fields, const char *version,
                       int64_t now_ms)
{
    char created[WRITER_CREATED_SIZE];
    int64_t number = 0;
    writer_format_created(now_ms, created);
    buffer_print(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ADX>\n<HEADER>"
                 "<ADIF_VER>%s</ADIF_VER><PROGRAMID>QSOsync</PROGRAMID>"
                 "<PROGRAMVERSION>%s</PROGRAMVERSION><CREATED_TIMESTAMP>%s</CREATED_TIMESTAMP>",
                 WRITER_ADIF_VERSION, version, created);
    for (const struct table_entry *one = user_fields->first; one; one = one->next) {
        buffer_print(out, "<USERDEF FIELDID=\"%lld\" TYPE=\"G\">", (long long)++number);
        adx_append_text(out, one->key);
        buffer_append_string(out, "</USERDEF>");
    }
    buffer_append_string(out, "</HEADER>\n<RECORDS>\n");
}

void adx_append_record(struct buffer *out, const struct record *record)
{
    buffer_append_string(out, "<RECORD>");
    for (size_t i = 0; i < record->count; i++)
        append_field(out, record->fields[i].name, record->fields[i].value);
    buffer_append_string(out, "</RECORD>\n");
}

void adx_append_end(struct buffer *out)
{
    buffer_append_string(out, "</RECORDS>\n</ADX>\n");
}
