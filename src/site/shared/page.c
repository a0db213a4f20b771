/* Fills in pages: replaces names in braces by texts, and shared parts by files under src/pages.
 * Texts of members never become markup, and never change the direction of the text next to them.
 * The exchange holds who is signed in, if the route or its access has checked. A page that shows it
 * must not be cached; the route ensures that. */
#include "site/shared/page.h"

#include <string.h>

#include "json/write.h"
#include "links/setup_link.h"
#include "pages/foot.h"
#include "pages/head.h"
#include "pages/opening.h"
#include "pages/scripts.h"
#include "pages/top.h"
#include "site/shared/access.h"
#include "site/shared/address.h"

/* -- Filling in -------------------------------------------------------------------------------- */

static const struct {
    char character;
    const char *written;
} markup[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
};

/* The name of the control character at the beginning, and its length; 0: not a control character.
 * All of them are below U+3000. */
static size_t find_control(const unsigned char *bytes, size_t left, unsigned *code_point)
{
    *code_point = bytes[0];
    if ((bytes[0] < 0x20 && bytes[0] != '\t' && bytes[0] != '\n') || bytes[0] == 0x7F)
        return 1;
    if (left >= 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0) {
        *code_point = bytes[1];
        return 2;
    }
    if (left < 3 || bytes[0] != 0xE2)
        return 0;
    *code_point = (bytes[0] & 0xFu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
    bool reorders = (*code_point >= 0x202A && *code_point <= 0x202E) ||
                    (*code_point >= 0x2066 && *code_point <= 0x2069);
    return reorders ? 3 : 0;
}

static void append_character(struct buffer *out, char character)
{
    for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
        if (markup[i].character == character) {
            buffer_append_string(out, markup[i].written);
            return;
        }
    buffer_append(out, &character, 1);
}

const char *html_of(struct arena *arena, struct text text)
{
    struct buffer out = {0};
    unsigned code_point;
    for (size_t i = 0; i < text.length;) {
        size_t length =
            find_control((const unsigned char *)text.bytes + i, text.length - i, &code_point);
        if (length > 0)
            buffer_print(&out, "[U+%04X]", code_point);
        else
            append_character(&out, text.bytes[i]);
        i += length > 0 ? length : 1;
    }
    const char *html = arena_copy(arena, out.bytes, out.length);
    buffer_free(&out);
    return html;
}

/* Writes a QR code into an answer, as the path that the page draws. The text may be a secret, so
 * all working memory is wiped; the answer itself is wiped after it is sent. */

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

/* -- What pages have in common ----------------------------------------------------------------- */

/* Browsers keep these files for a year, so each release has its own folder for them. */
static const char version[] =
#include "pages/version.inc"
    ;

static bool is_link(struct text text)
{
    if (!text_extends(text, "https://") && !text_extends(text, "http://"))
        return false;
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] <= ' ')
            return false;
    return true;
}

const char *page_linked(struct arena *arena, struct text text)
{
    const char *html = html_of(arena, text);
    return is_link(text) ? arena_print(arena, "<a rel=\"noreferrer\" href=\"%s\"><bdi>%s</bdi></a>",
                                       html, html)
                         : arena_print(arena, "<bdi>%s</bdi>", html);
}

struct filling {
    struct exchange *exchange;
    struct text place; /* the page's own name, among the links at the top */
    const struct page_value *common, *own;
};

/* NULL: nothing. */
static const char *value_of(const struct filling *filling, struct text name)
{
    const struct page_value *const lists[] = {filling->common, filling->own};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct page_value *value = lists[i]; value && value->name; value++)
            if (value->html && text_equals(name, text_of(value->name)))
                return value->html;
    return NULL;
}

static void append_page(const struct filling *filling, const char *page);

/* Parts also contain names; "top:NAME" and "current:NAME" depend on the current page. */
static void append_value(const struct filling *filling, struct text name)
{
    static const struct page_value parts[] = {
        {"head", head_html}, {"scripts", scripts_html}, {"foot", foot_html}};
    static const char current[] = "current:";
    const char *html = value_of(filling, name);
    if (text_extends(name, "top:"))
        append_page(filling, top_html);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (text_equals(name, text_of(parts[i].name)))
            append_page(filling, parts[i].html);
    if (text_extends(name, current) &&
        text_equals(text_skip(name, sizeof current - 1), filling->place))
        html = " aria-current=\"page\"";
    if (html)
        buffer_append_string(&filling->exchange->response->body, html);
}

/* Text between "when:NAME" and "end:NAME" is left out if the name has no value. */
static void append_page(const struct filling *filling, const char *page)
{
    static const char when[] = "when:";
    const char *at = page, *start, *end;
    while ((start = strstr(at, "{{")) != NULL && (end = strstr(start, "}}")) != NULL) {
        struct text name = {start + 2, (size_t)(end - start) - 2};
        buffer_append(filling->exchange->body, at, (size_t)(start - at));
        at = end + 2;
        if (!text_extends(name, when)) {
            append_value(filling, name);
        } else if (!value_of(filling, text_skip(name, sizeof when - 1))) {
            const char *mark =
                arena_print(filling->exchange->arena, "{{end:%.*s}}",
                            (int)(name.length - sizeof when + 1), name.bytes + sizeof when - 1);
            at = strstr(at, mark) + strlen(mark);
        }
    }
    buffer_append_string(filling->exchange->body, at);
}

/* A browser that follows a link from another site omits the cookie, so the member is then unknown.
 */
static bool is_known_who(const struct exchange *exchange)
{
    const char *site = request_variable(exchange->request, "HTTP_SEC_FETCH_SITE");
    return strcmp(site, "cross-site") != 0 && strcmp(site, "same-site") != 0;
}

const char *page_find_root(const struct request *request)
{
    const char *path = request->base_path.bytes;
    const char *end = path + strcspn(path, "?#");
    char *root = arena_allocate(request->arena, 3 * (size_t)(end - path) + 3);
    if (request->has_endpoint_path)
        path += request->base_path.length;
    strcpy(root, "./");
    char *at = root;
    for (path++; path < end; path++)
        if (*path == '/')
            at = stpcpy(at, "../");
    return root;
}

/* The accent is one in the style sheet (store/club/club.c); blue if none is set. Signed-in members
 * have the language in the account menu. The legal notice is at the club's own address, or on the
 * front page. Pages that are files read the callsign, or that nobody is signed in: see account.js.
 */
void page_answer(struct exchange *exchange, const char *page, const char *root,
                 const struct page_value *values)
{
    static const char mark[] = "{{top:";
    struct arena *arena = exchange->arena;
    const struct text *club = club_of(exchange)->values, legal = club[CLUB_LEGAL];
    const char *place = strstr(page, mark) + sizeof mark - 1;
    bool is_member = exchange->identity.credential == CREDENTIAL_SESSION;
    const char *accent = html_of(arena, club[CLUB_ACCENT]);
    const struct page_value common[] = {
        {"root", root},
        {"pages", arena_print(arena, "%spages/files-%s/pages/", root, version)},
        {"member", is_member ? html_of(arena, exchange->identity.callsign) : NULL},
        {"guest", is_member ? NULL : ""},
        {"nobody", is_known_who(exchange) ? " data-member=\"\"" : NULL},
        {"operator", exchange->identity.is_operator ? "" : NULL},
        {"accent", *accent ? arena_print(arena, " data-accent=\"%s\"", accent) : NULL},
        {"club", html_of(arena, club[CLUB_NAME])},
        {"legal", is_link(legal) ? html_of(arena, legal)
                  : legal.bytes  ? arena_print(arena, "%s#legal", root)
                                 : NULL},
        {NULL, NULL}};
    append_page(&(struct filling){exchange, {place, strcspn(place, "}")}, common, values}, page);
    exchange->response->content_type = "text/html; charset=utf-8";
}

void page_opening_answer(struct exchange *exchange, const char *root, const char *where)
{
    page_answer(exchange, opening_html, root, (const struct page_value[]){{"where", where}, {0}});
}
