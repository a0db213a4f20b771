/* Writes lists of fields. Each field that is not a text contains the function that writes it. */
#include "json/write_object.h"

#include "base/buffer.h"

void json_write_list(struct buffer *out, const struct json_field *fields)
{
    for (; fields->name; fields++)
        if (fields->write)
            fields->write(out, fields->name, fields->value);
        else
            json_write_text(out, fields->name, fields->text);
}

void json_write_item_of(struct buffer *out, const struct json_field *fields)
{
    json_begin_item(out);
    json_write_list(out, fields);
    buffer_append(out, "}", 1);
}

void json_write_object_of(struct buffer *out, const char *name, const struct json_field *fields)
{
    json_write_name(out, name);
    json_write_item_of(out, fields);
}
