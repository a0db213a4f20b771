/* Builds the name of a record's source, within the length that the schema allows. */
#include "transfer/matching_source.h"

#include <string.h>

#include "adif/said.h"
#include "adif/said_origin.h"
#include "store/log/known.h"

struct matching_source matching_source_of_file(struct text program, struct arena *arena)
{
    const struct text name = said_make_program(program, arena);
    const size_t room = KNOWN_SOURCE_MAX - strlen("import ");
    const int length = (int)(name.length < room ? name.length : room);
    return (struct matching_source){
        .name = text_of(arena_print(arena, "import%s%.*s", length ? " " : "", length, name.bytes)),
        .is_one_program = length > 0,
    };
}

struct matching_source matching_source_of_writer(const struct identity *writer, struct arena *arena)
{
    static const char *const words[] = {[CREDENTIAL_NONE] = "operator",
                                        [CREDENTIAL_KEY] = "key",
                                        [CREDENTIAL_TOKEN] = "token",
                                        [CREDENTIAL_SESSION] = "session"};
    return (struct matching_source){
        .name = text_of(arena_print(arena, "%s %lld", words[writer->credential],
                                    (long long)writer->key_number)),
        .is_one_program = true,
        .only_fills = writer->credential == CREDENTIAL_TOKEN,
    };
}

struct matching_source matching_source_of_phone(struct text phone, struct arena *arena)
{
    return (struct matching_source){
        .name = text_of(arena_print(arena, "phone %.*s", (int)phone.length, phone.bytes)),
        .is_one_program = true,
        .writes_more = true,
    };
}
