/* Writes the field table as JSON Schema, for the description of the API. It walks the same rows as
 * validation and rendering: so the published schema describes what these two accept and write. The
 * document around it is src/api/openapi.c. */

#include <string.h>

#include "json/write.h"
#include "qso/fields.h"

#define LOCATOR_PATTERN "^[A-Ra-r]{2}[0-9]{2}([A-Xa-x]{2})?$"
#define NORMAL_LOCATOR_PATTERN "^[A-R]{2}[0-9]{2}([a-x]{2})?$"

enum direction { SENT, RETURNED };

static void append_type(struct buffer *out, const char *type, bool nullable)
{
    if (nullable)
        buffer_print(out, "\"type\":[\"%s\",\"null\"]", type);
    else
        buffer_print(out, "\"type\":\"%s\"", type);
}

static void append_choices(struct buffer *out, const struct field *field, bool nullable)
{
    buffer_append_string(out, ",\"enum\":[");
    for (size_t i = 0; field->choices[i]; i++)
        buffer_print(out, "%s\"%s\"", i ? "," : "", field->choices[i]);
    buffer_append_string(out, nullable ? ",null]" : "]");
}

static const char *json_type_of(const struct field *field)
{
    switch (field->kind) {
    case KIND_INTEGER:
        return "integer";
    case KIND_REAL:
        return "number";
    case KIND_BOOLEAN:
        return "boolean";
    default:
        return "string";
    }
}

static void append_bounds(struct buffer *out, const struct field *field, enum direction direction)
{
    switch (field->kind) {
    case KIND_UUID:
        buffer_append_string(out, ",\"format\":\"uuid\"");
        break;
    case KIND_DATETIME:
        buffer_append_string(out, ",\"format\":\"date-time\"");
        break;
    case KIND_INTEGER:
    case KIND_REAL:
        buffer_print(out, ",\"minimum\":%lld,\"maximum\":%lld", (long long)field->minimum,
                     (long long)field->maximum);
        break;
    case KIND_LOCATOR:
        buffer_print(out, ",\"pattern\":\"%s\"",
                     direction == SENT ? LOCATOR_PATTERN : NORMAL_LOCATOR_PATTERN);
        break;
    case KIND_FREQUENCY:
    case KIND_PATTERN:
        buffer_print(out, ",\"pattern\":\"%s\"", field->pattern);
        break;
    case KIND_TEXT:
        buffer_print(out, ",\"maxLength\":%lld", (long long)field->maximum);
        break;
    case KIND_BOOLEAN:
    case KIND_CHOICE:
    case KIND_ID:
        break;
    }
}

static void append_property(struct buffer *out, const struct field *field, enum direction direction)
{
    bool nullable =
        direction == SENT ? !(field->flags & FIELD_REQUIRED) : !(field->flags & FIELD_NEVER_NULL);
    buffer_append(out, field->json_key, field->json_key_length);
    buffer_append_string(out, "{");
    append_type(out, json_type_of(field), nullable);
    if (field->choices)
        append_choices(out, field, nullable);
    append_bounds(out, field, direction);
    buffer_append_string(out, ",\"description\":");
    json_append_string(out, field->description, strlen(field->description));
    if (field->kind == KIND_FREQUENCY)
        buffer_print(out, ",\"x-minimum-khz\":%lld,\"x-maximum-khz\":%lld",
                     (long long)field->minimum, (long long)field->maximum);
    if (field->flags & FIELD_READ_ONLY)
        buffer_append_string(out, ",\"readOnly\":true");
    if (field->flags & FIELD_WRITE_ONLY)
        buffer_append_string(out, ",\"writeOnly\":true");
    buffer_append_string(out, "}");
}

static void append_properties(struct buffer *out, enum direction direction)
{
    unsigned left_out = direction == SENT ? FIELD_READ_ONLY : FIELD_WRITE_ONLY;
    const char *separator = "";
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (fields[i].flags & left_out)
            continue;
        buffer_append_string(out, separator);
        append_property(out, &fields[i], direction);
        separator = ",";
    }
}

static void append_required(struct buffer *out, enum direction direction)
{
    const char *separator = "";
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool required = direction == SENT ? fields[i].flags & FIELD_REQUIRED
                                          : !(fields[i].flags & FIELD_WRITE_ONLY);
        if (!required)
            continue;
        buffer_print(out, "%s\"%s\"", separator, fields[i].name);
        separator = ",";
    }
}

static bool belongs_to(const struct field *field, size_t band)
{
    return !field->bands || field->bands & 1u << band;
}

/* One branch a band: what it demands and what it forbids (API section 2.2). A forbidden field may
 * be null; this is written with "not", because generators of client code would make of a property
 * that can only be null one that cannot be sent. */
static void append_variant(struct buffer *out, size_t band)
{
    const char *name = fields[FIELD_BAND].choices[band];
    buffer_print(out, "{\"title\":\"%s\",\"properties\":{\"band\":{\"const\":\"%s\"}", name, name);
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!belongs_to(&fields[i], band))
            buffer_print(out, ",\"%s\":{\"not\":{\"type\":\"%s\"}}", fields[i].name,
                         json_type_of(&fields[i]));
        else if (fields[i].demanding_bands & 1u << band)
            buffer_print(out, ",\"%s\":{\"type\":\"%s\"}", fields[i].name,
                         json_type_of(&fields[i]));
    }
    buffer_print(out, "},\"required\":[\"%s\"", fields[FIELD_BAND].name);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].demanding_bands & 1u << band)
            buffer_print(out, ",\"%s\"", fields[i].name);
    buffer_append_string(out, "]}");
}

/* An example of a QSO on 11 m, from the rows' examples. */
static void append_example(struct buffer *out, enum direction direction)
{
    unsigned left_out = direction == SENT ? FIELD_READ_ONLY : FIELD_WRITE_ONLY;
    const char *separator = "";
    buffer_append_string(out, "{");
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool belongs = belongs_to(&fields[i], BAND_ELEVEN_METERS);
        if ((fields[i].flags & left_out) || (direction == SENT && !belongs))
            continue;
        buffer_print(out, "%s\"%s\":%s", separator, fields[i].name,
                     belongs ? fields[i].example : "null");
        separator = ",";
    }
    buffer_append_string(out, "}");
}

/* The parts that both directions have. */
static void append_object(struct buffer *out, enum direction direction)
{
    buffer_append_string(out, "\"properties\":{");
    append_properties(out, direction);
    buffer_append_string(out, "},\"required\":[");
    append_required(out, direction);
    buffer_append_string(out, "],\"examples\":[");
    append_example(out, direction);
    buffer_append_string(out, "]");
}

void schema_append_entry(struct buffer *out)
{
    const char *separator = "";
    buffer_append_string(out,
                         "{\"type\":\"object\",\"description\":\"A QSO as clients send it. Unknown "
                         "fields are ignored; null means no value. Texts are trimmed. A write "
                         "replaces the whole QSO; omitted fields are emptied, except ");
    for (int i = 0; i < FIELD_COUNT; i++)
        if (fields[i].flags & FIELD_KEPT_ON_UPDATE) {
            buffer_print(out, "%s%s", separator, fields[i].name);
            separator = ", ";
        }
    buffer_append_string(out, ", which keep their value.\",");
    append_object(out, SENT);
    buffer_append_string(out, ",\"oneOf\":[");
    for (size_t band = 0; fields[FIELD_BAND].choices[band]; band++) {
        buffer_append_string(out, band ? "," : "");
        append_variant(out, band);
    }
    buffer_append_string(out, "]}");
}

void schema_append_qso(struct buffer *out)
{
    buffer_append_string(out, "{\"type\":\"object\",\"description\":\"A QSO as the service returns "
                              "it: every field is there, null where it has no value.\",");
    append_object(out, RETURNED);
    buffer_append_string(out, "}");
}

void schema_append_qso_example(struct buffer *out)
{
    append_example(out, RETURNED);
}

void schema_append_rejection_codes(struct buffer *out)
{
    for (size_t i = 0; rejections[i]; i++)
        buffer_print(out, "%s\"%s\"", i ? "," : "[", rejections[i]->code);
    buffer_append_string(out, "]");
}
