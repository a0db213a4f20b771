/* Writes QR codes into answers, as the path that the page draws. The text can be a secret, so all
 * working memory is wiped here; the answer is wiped after it has been sent. */
#include "site/shared/qr.h"

#include "json/write.h"
#include "json/write_object.h"
#include "links/setup_link.h"

void qr_write(struct buffer *body, const char *name, const char *text)
{
    struct buffer path = {0};
    int side;
    if (qr_code_append_path(text, &path, &side))
        json_write_object(body, name, json_integer("size", side),
                          json_text("path", (struct text){path.bytes, path.length}),
                          json_text("text", text_of(text)));
    else
        json_write_null(body, name);
    buffer_clear(&path);
    buffer_free(&path);
}
