/* Reads and writes fields for the routes below /profile/data/alerts. */
#include "site/profile/alerts.h"

#include "json/write.h"
#include "site/profile/profile.h"
#include "site/shared/site_error.h"

struct named_value {
    const char *name;
    struct json_value value;
};

static void find_value(void *context, struct text name, const struct json_value *value)
{
    struct named_value *wanted = context;
    if (text_equals(name, text_of(wanted->name)))
        wanted->value = *value;
}

static struct json_value value_of(struct exchange *exchange, const char *name)
{
    struct named_value wanted = {.name = name};
    json_each(exchange->sent, find_value, &wanted);
    return wanted.value;
}

const struct error *alerts_read_word(struct exchange *exchange, const char *name,
                                     const char *const *words, int64_t *index)
{
    const struct json_value value = value_of(exchange, name);
    if (value.kind == JSON_MISSING || value.kind == JSON_NULL)
        return NULL;
    for (int64_t i = 0; value.kind == JSON_STRING && words[i]; i++)
        if (text_equals(value.text, text_of(words[i]))) {
            *index = i;
            return NULL;
        }
    return input_refuse(exchange, name, "is not valid");
}

const struct error *alerts_read_number(struct exchange *exchange, const char *name, int64_t *number)
{
    const struct json_value value = value_of(exchange, name);
    if (value.kind == JSON_MISSING)
        return NULL;
    *number = value.kind == JSON_INTEGER ? value.integer : -1;
    return value.kind == JSON_NULL || *number >= 0 ? NULL
                                                   : input_refuse(exchange, name, "is not valid");
}

void alerts_write_number(struct exchange *exchange, const char *name, int64_t number)
{
    if (number < 0)
        json_write_null(exchange->body, name);
    else
        json_write_integer(exchange->body, name, number);
}

const struct error *alerts_store_error(enum store_result result)
{
    return result == STORE_REFUSED ? &site_error_too_many_alerts : profile_store_error(result);
}
