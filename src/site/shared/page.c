/* Fills in pages: replaces names in braces with values, and names of shared parts with files under
 * src/web. The exchange contains the signed-in member if the route or its access check has looked
 * for the member. A page that shows the member must not be cached; the route ensures that. */
#include "site/shared/page.h"

#include <string.h>

#include "pages/disc.h"
#include "pages/foot.h"
#include "pages/head.h"
#include "pages/opening.h"
#include "pages/scripts.h"
#include "pages/top.h"
#include "site/shared/club.h"
#include "site/shared/html.h"

/* Browsers keep these files for a year, so each release has its own folder for them. */
static const char version[] =
#include "pages/version.inc"
    ;

struct filling {
    struct exchange *exchange;
    struct text place; /* the page's own name in the links at the top */
    const struct page_value *common, *own;
};

/* Returns the value of a name, or NULL if the name has no value. */
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

/* Appends a value, or a part, which can itself contain names. "top:NAME" and "current:NAME" depend
 * on the current page. */
static void append_value(const struct filling *filling, struct text name)
{
    static const struct page_value parts[] = {
        {"head", head_html}, {"scripts", scripts_html}, {"disc", disc_html}, {"foot", foot_html}};
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

/* Appends a page or a part, without text between "when:NAME" and "end:NAME" if NAME has no value.
 */
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

/* Returns whether a signed-in browser would have sent its cookie. A browser omits the cookie after
 * a link from another site, so the member is then unknown. */
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

/* Fills in the page. The accent is a colour in the style sheet (store/club/club.c); without an
 * accent, pages are blue. The legal notice is at the club's own address, or on the front page. With
 * the value "nobody", the pages' scripts treat the browser as not signed in (account.js). */
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
        {"legal", html_is_link(legal) ? html_of(arena, legal)
                  : legal.bytes       ? arena_print(arena, "%s#legal", root)
                                      : NULL},
        {NULL, NULL}};
    append_page(&(struct filling){exchange, {place, strcspn(place, "}")}, common, values}, page);
    exchange->response->content_type = "text/html; charset=utf-8";
}

void page_opening_answer(struct exchange *exchange, const char *root, const char *where)
{
    page_answer(exchange, opening_html, root, (const struct page_value[]){{"where", where}, {0}});
}
