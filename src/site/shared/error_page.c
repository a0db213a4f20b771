/* Shows a person what failed, and what to do next. The page is src/web/pages/site/error.html; the
 * page's words are rows of schema/error_pages.tsv. src/build/error-page uses the same rows for the
 * error pages of a front server. The callers choose the error. */
#include "site/shared/error_page.h"

#include "pages/error.h"
#include "site/shared/access.h"
#include "site/shared/page.h"
#include "site/shared/submission.h"

#define ROW(...) {__VA_ARGS__},
static const struct words {
    int status;
    const char *offer; /* the link that the page offers */
    const char *title;
    const char *says;
} rows[] = {
#include "schema/error_pages.inc"
};
#undef ROW

static const struct words *find_words(int status)
{
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++)
        if (rows[i].status == status)
            return &rows[i];
    return status < 500 ? &rows[0] : &rows[count - 1];
}

static bool begins_with_segment(const struct request *request, const char *name)
{
    return request->segment_count > 0 && text_equals(request->segments[0], text_of(name));
}

/* Returns whether a request is for programs. The requests with which pages' scripts change data are
 * also for programs, because nobody opens their answers as a page. */
static bool is_for_programs(const struct request *request)
{
    static const char *const folders[] = {"api", "cloudlog", "healthz", "lofi"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (begins_with_segment(request, folders[i]))
            return true;
    return request->segment_count > 1 && text_equals(request->segments[1], text_of("data")) &&
           request->method != METHOD_GET && request->method != METHOD_HEAD;
}

void error_page_show(struct exchange *exchange, const struct error *error)
{
    const struct request *request = exchange->request;
    const struct words *words = find_words(error->status);
    if (is_for_programs(request) || !submission_wants_page(request))
        return;
    const struct page_value values[] = {
        {"title", words->title},
        {"says", words->says},
        {"next", begins_with_segment(request, "operator") ? "operator/" : "profile/"},
        {words->offer, ""},
        {NULL, NULL}};
    if (exchange->store && error->status < 500 && error->status != 429)
        access_find_session(exchange);
    buffer_clear(exchange->body);
    page_answer(exchange, error_html, page_find_root(request), values);
}
