/* Shows the history of a member's log on the operator's page. Operators can undo the damage that a
 * faulty program or a wrong file has done. */
#include "site/operator/routes.h"
#include "site/profile/history.h"

OPERATOR_ROUTE(operator_history, METHOD_GET, "members/{number}/history", 200, history_answer_acts);
OPERATOR_ROUTE(operator_undo_preview, METHOD_POST, "members/{number}/undo/preview", 200,
               history_answer_preview, .body = &history_undo_body);
OPERATOR_ROUTE(operator_undo, METHOD_POST, "members/{number}/undo", 200, history_answer_undo,
               .body = &history_undo_body);
