/* The table of the errors that the API does not have: of logins, forms and uploads. Status, code
 * and headers of one stand in one row, as in src/http/error.c, which has those that both programs
 * answer with. */
#include "site/site_error.h"

#include <stddef.h>

const struct error site_error_no_login = {
    .status = 403,
    .code = "PROFILE.NO_LOGIN",
    .summary = "The front server has logged nobody in here.",
};
const struct error site_error_no_member = {
    .status = 403,
    .code = "PROFILE.NO_MEMBER",
    .summary = "The login belongs to no active member.",
};
const struct error site_error_cross_site = {
    .status = 403,
    .code = "PROFILE.CROSS_SITE",
    .summary = "A change has to come from the service's own pages.",
};
const struct error site_error_too_many = {
    .status = 409,
    .code = "PROFILE.TOO_MANY",
    .summary = "The member has as many as a member can have; one has to be revoked first.",
};
