/* Any bytes as a request body: JSON, then each entry a QSO, then the QSO as JSON again. */
#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "qso/match.h"
#include "qso/render.h"
#include "qso/spot.h"
#include "qso/validate.h"
#include "worker/body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_entry(struct json_object *entry, struct arena *arena)
{
    char line[SPOT_LINE_LENGTH + 1];
    struct buffer out = {0};
    struct match_side side;
    struct spot spot;
    struct qso qso;
    if (validate_qso(entry, arena, &qso))
        return;
    render_qso(&qso, &out);
    if (!text_is_utf8(out.bytes, out.length))
        abort();
    match_read_side(&qso, text_of("21SD333"), &side);
    spot_of_qso(&qso, text_of("21SD333"), 0, &spot);
    spot_format_line(&spot, line);
    buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct text text = {arena_copy(&arena, data, size), size};
    const char *message;
    struct json_object *body = body_parse(text, &message), *entries = NULL;
    if (body && json_object_object_get_ex(body, "entries", &entries) &&
        json_object_is_type(entries, json_type_array))
        for (size_t i = 0; i < json_object_array_length(entries); i++)
            try_entry(json_object_array_get_idx(entries, i), &arena);
    body_free(body);
    arena_free(&arena);
    return 0;
}
