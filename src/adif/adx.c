/* Reads the elements of ADX with expat, and writes their texts as ADI. A document type is refused,
 * because ADX has none, and because the entities in it could expand a small file to a huge text. */
#include "adif/adx.h"

#include <expat.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "adif/encoding.h"
#include "adif/tag.h"
#include "base/buffer.h"
#include "base/text_utf8.h"

#define BEGINNING_BYTES 1024 /* enough bytes to recognise ADX */

/* The elements around a field, from the outside in. */
enum place { PLACE_FILE, PLACE_ADX, PLACE_HEADER, PLACE_RECORDS, PLACE_RECORD, PLACE_FIELD };

struct conversion {
    XML_Parser parser;
    struct adx_fault *fault;
    enum place place, outer; /* outer: the place around a field */
    struct buffer name, value;
    char type; /* the field's data type indicator; 0: none */
    struct buffer out;
    int64_t line; /* number of the last line in `out` */
};

bool adx_is(struct text file)
{
    file.length = file.length < BEGINNING_BYTES ? file.length : BEGINNING_BYTES;
    if (file.length >= 3 && memcmp(file.bytes, "\xEF\xBB\xBF", 3) == 0)
        file = text_skip(file, 3);
    file = text_trim(file);
    if (!text_begins_ignoring_case(file, "<?xml") && !text_begins_ignoring_case(file, "<ADX"))
        return false;
    for (; file.length > 4; file = text_skip(file, 1))
        if (text_begins_ignoring_case(file, "<ADX") && strchr("> /\t\r\n", file.bytes[4]))
            return true;
    return false;
}

static void fail(struct conversion *conversion, const char *reason)
{
    if (!conversion->fault->reason)
        *conversion->fault =
            (struct adx_fault){(int64_t)XML_GetCurrentLineNumber(conversion->parser), reason};
    XML_StopParser(conversion->parser, XML_FALSE);
}

static const char *find_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcasecmp(attributes[0], name) == 0)
            return attributes[1];
    return "";
}

/* Sets the field's name in ADI. A user-defined field in the header has the name USERDEFn, and its
 * value is the name of the fields in the records. */
static void name_field(struct conversion *conversion, const char *element, const char **attributes)
{
    struct buffer *name = &conversion->name;
    const char *type = find_attribute(attributes, "TYPE");
    buffer_clear(name);
    conversion->type = (char)(type[0] && !type[1] ? type[0] : 0);
    if (strcasecmp(element, "APP") == 0)
        buffer_print(name, "APP_%s_%s", find_attribute(attributes, "PROGRAMID"),
                     find_attribute(attributes, "FIELDNAME"));
    else if (strcasecmp(element, "USERDEF") != 0)
        buffer_append_string(name, element);
    else if (conversion->outer == PLACE_HEADER)
        buffer_print(name, "USERDEF%s", find_attribute(attributes, "FIELDID"));
    else
        buffer_append_string(name, find_attribute(attributes, "FIELDNAME"));
}

static void begin_field(struct conversion *conversion, const char *element, const char **attributes)
{
    struct buffer *out = &conversion->out;
    const int64_t line = (int64_t)XML_GetCurrentLineNumber(conversion->parser);
    conversion->outer = conversion->place;
    conversion->place = PLACE_FIELD;
    buffer_clear(&conversion->value);
    name_field(conversion, element, attributes);
    if (!tag_is_name((struct text){conversion->name.bytes, conversion->name.length}))
        fail(conversion, "is ADX with a field whose name ADIF does not allow");
    for (; conversion->line < line; conversion->line++)
        buffer_append_string(out, "\n");
}

static void XMLCALL begin_element(void *context, const char *element, const char **attributes)
{
    static const struct {
        const char *element;
        enum place outer, place;
    } elements[] = {{"ADX", PLACE_FILE, PLACE_ADX},
                    {"HEADER", PLACE_ADX, PLACE_HEADER},
                    {"RECORDS", PLACE_ADX, PLACE_RECORDS},
                    {"RECORD", PLACE_RECORDS, PLACE_RECORD}};
    struct conversion *conversion = context;
    const enum place place = conversion->place;
    if (place == PLACE_HEADER || place == PLACE_RECORD) {
        begin_field(conversion, element, attributes);
        return;
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].outer == place && strcasecmp(elements[i].element, element) == 0) {
            conversion->place = elements[i].place;
            return;
        }
    fail(conversion, "is ADX with an element in a wrong place");
}

static void XMLCALL take_text(void *context, const char *bytes, int length)
{
    struct conversion *conversion = context;
    if (conversion->place != PLACE_FIELD)
        return;
    buffer_append(&conversion->value, bytes, (size_t)length);
    if (conversion->value.length > TAG_LENGTH_MAX)
        fail(conversion, "is ADX with a value of more than 1 MiB");
}

static void end_field(struct conversion *conversion)
{
    const struct buffer *name = &conversion->name, *value = &conversion->value;
    buffer_print(&conversion->out, "<%.*s:%zu%s%.1s>", (int)name->length, name->bytes,
                 value->length, conversion->type ? ":" : "",
                 conversion->type ? &conversion->type : "");
    buffer_append(&conversion->out, value->bytes, value->length);
    for (size_t i = 0; i < value->length; i++)
        conversion->line += value->bytes[i] == '\n';
    conversion->place = conversion->outer;
}

static void XMLCALL end_element(void *context, const char *element)
{
    static const enum place outer[] = {[PLACE_ADX] = PLACE_FILE,
                                       [PLACE_HEADER] = PLACE_ADX,
                                       [PLACE_RECORDS] = PLACE_ADX,
                                       [PLACE_RECORD] = PLACE_RECORDS};
    struct conversion *conversion = context;
    (void)element;
    if (conversion->place == PLACE_FIELD) {
        end_field(conversion);
        return;
    }
    if (conversion->place == PLACE_HEADER)
        buffer_append_string(&conversion->out, "<EOH>");
    if (conversion->place == PLACE_RECORD)
        buffer_append_string(&conversion->out, "<EOR>");
    conversion->place = outer[conversion->place];
}

static void XMLCALL refuse_document_type(void *context, const char *name, const char *system,
                                         const char *public, int has_internal)
{
    (void)name, (void)system, (void)public, (void)has_internal;
    fail(context, "is ADX with a document type, which ADX does not have");
}

static void parse(struct conversion *conversion, struct text file)
{
    XML_SetUserData(conversion->parser, conversion);
    XML_SetElementHandler(conversion->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(conversion->parser, take_text);
    XML_SetStartDoctypeDeclHandler(conversion->parser, refuse_document_type);
    if (file.length > INT_MAX)
        fail(conversion, "is ADX of more than 2 GiB");
    else if (XML_Parse(conversion->parser, file.bytes, (int)file.length, 1) != XML_STATUS_OK)
        fail(conversion, XML_GetErrorCode(conversion->parser) == XML_ERROR_UNKNOWN_ENCODING
                             ? "is ADX in an encoding other than UTF-8"
                             : "is ADX that is not well-formed XML");
}

struct text adx_to_adi(struct text file, struct arena *arena, struct adx_fault *fault)
{
    /* Ignores the encoding that the file names if the bytes are UTF-8, because the file may have
     * been converted from UTF-16. */
    const char *encoding = text_is_utf8(file.bytes, file.length) ? "UTF-8" : NULL;
    struct conversion conversion = {
        .parser = XML_ParserCreate(encoding), .fault = fault, .line = 1};
    *fault = (struct adx_fault){0};
    if (!conversion.parser)
        memory_give_up(file.length);
    parse(&conversion, file);
    XML_ParserFree(conversion.parser);
    buffer_free(&conversion.name);
    buffer_free(&conversion.value);
    struct text adi = encoding_take(&conversion.out, arena);
    if (fault->reason)
        return (struct text){"", 0};
    return adi;
}
