/* The command member password: a new password for the pages, shown once and never chosen by a
 * person. The store keeps its hash and writes the file that front servers read; who checks logins
 * is described in qsosync-security(7). */
#include "admin/password.h"

#include <string.h>

#include "admin/find_member.h"
#include "admin/keys.h"
#include "base/password.h"
#include "store/logins.h"
#include "store/members.h"

int password_renew(struct invocation *invocation)
{
    char password[PASSWORD_LENGTH + 1], hash[PASSWORD_HASH_BYTES];
    struct member member;
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    if (!password_make(password) || !password_hash_made(password, hash))
        return command_refuse("the system cannot make a password");
    enum store_result result = store_set_login_password(invocation->store, member.login, hash);
    int status = EXIT_REFUSED;
    if (result == STORE_REFUSED)
        status =
            command_refuse("the login name %s cannot be in a password file", member.login.bytes);
    else if (result == STORE_DONE && !keys_print_secret(password, PASSWORD_LENGTH))
        status = command_refuse("the password could not be shown; make another one");
    else if (result == STORE_DONE)
        status = command_say("This is the password of the login name %s. It cannot be shown again.",
                             member.login.bytes);
    explicit_bzero(password, sizeof password);
    return status;
}
