/* GET /cluster/, /operator/ and the pages below /docs/. Their only data from the logbook are the
 * club and the signed-in member; scripts fill in the rest. The sources are
 * src/web/pages/cluster/cluster.html, src/web/pages/operator/operator.html, src/manual/papers,
 * which src/build/paper formats, and manual pages, which src/build/manual-page formats.
 * src/build/docs-page writes the API's description. */
#include "pages/cluster.h"
#include "pages/docs.h"
#include "pages/manual-qsosync-adif.h"
#include "pages/manual-qsosync-clients.h"
#include "pages/manual-qsosync.h"
#include "pages/operator.h"
#include "pages/paper-cloudlog.h"
#include "pages/paper-design.h"
#include "pages/paper-install.h"
#include "pages/paper-log11dx.h"
#include "pages/paper-members.h"
#include "pages/paper-operators.h"
#include "pages/paper-polo.h"
#include "pages/paper-programs.h"
#include "pages/paper-wsjtx.h"
#include "site/public/routes.h"
#include "site/shared/access.h"
#include "site/shared/address.h"
#include "site/shared/club.h"
#include "site/shared/html.h"
#include "site/shared/page.h"

static const struct error *answer_page(struct exchange *exchange, const char *page)
{
    const char *sandbox = club_allows_trials(club_of(exchange)) ? "" : NULL;
    exchange->is_private = access_find_session(exchange);
    const char *api = html_of(exchange->arena, text_of(address_below(exchange, "/api/v1")));
    page_answer(exchange, page, "../",
                (const struct page_value[]){{"sandbox", sandbox}, {"api", api}, {0}});
    return NULL;
}

#define PAGE(name, html, where)                                                                    \
    static const struct error *answer_##name(struct exchange *exchange)                            \
    {                                                                                              \
        return answer_page(exchange, html);                                                        \
    }                                                                                              \
    TAGGED_ROUTE(name##_page, where, USES_NOTHING, answer_##name)

PAGE(cluster, cluster_html, "/cluster/");
PAGE(operator, operator_html, "/operator/");
PAGE(docs, docs_html, "/docs/");
PAGE(members_paper, paper_members_html, "/docs/members");
PAGE(operators_paper, paper_operators_html, "/docs/operators");
PAGE(programs_paper, paper_programs_html, "/docs/programs");
PAGE(install_paper, paper_install_html, "/docs/install");
PAGE(design_paper, paper_design_html, "/docs/design");
PAGE(cloudlog_paper, paper_cloudlog_html, "/docs/cloudlog");
PAGE(log11dx_paper, paper_log11dx_html, "/docs/log11dx");
PAGE(polo_paper, paper_polo_html, "/docs/polo");
PAGE(wsjtx_paper, paper_wsjtx_html, "/docs/wsjtx");
PAGE(api_manual, manual_qsosync_html, "/docs/qsosync");
PAGE(clients_manual, manual_qsosync_clients_html, "/docs/qsosync-clients");
PAGE(adif_manual, manual_qsosync_adif_html, "/docs/qsosync-adif");
