/* Defines the findings. Each finding has a name, a level, a check, a message (for printf) and the
 * line that fixes the fault. The line is complete, or a format for printf, or the default if the
 * check finds no better line. The line is NULL if the check writes the line itself, or if no line
 * is needed or possible. Texts about several units or sockets, and levels that depend on a number,
 * are in the check. */
#ifndef QSOSYNC_DOCTOR_FINDING_TEXTS_H
#define QSOSYNC_DOCTOR_FINDING_TEXTS_H

#include "doctor/examination.h"

#define FINDING(name, level, check, message, fix)                                                  \
    static const enum finding_level name##_LEVEL = FINDING_##level;                                \
    static const char *const name##_CHECK = check, *const name##_FIX = fix;                        \
    static const char name##_SAYS[] = message;

FINDING(KEY_REFUSED, PROBLEM, "authorization",
        "the service rejects this key: it was revoked, its member is disabled, or it belongs to "
        "another service; the lists on the server show the reason",
        "qsosync-admin key list && qsosync-admin member list")
FINDING(KEY_REVOKED, PROBLEM, "authorization",
        "this key of %s was revoked on %.10s; the list shows which keys still work",
        "qsosync-admin key list %s")
FINDING(
    KEY_OF_DISABLED, PROBLEM, "authorization",
    "the member %s is disabled; the key is valid, and will work again when the member is enabled",
    "if that was not intended: qsosync-admin member enable %s")
FINDING(KEY_OF_OTHER_LOGBOOK, PROBLEM, "authorization",
        "the service rejects a key that is in %s: the service uses another logbook, or the web "
        "server strips both key headers",
        "set QSOSYNC_DB in both units to this logbook: systemctl edit qsosync.service "
        "qsosync-site.service")
FINDING(KEY_REMOVED, PROBLEM, "authorization",
        "the %s strips the Authorization header (X-API-Key gets through)",
        "configure the proxy to forward the Authorization header; in nginx: proxy_set_header "
        "Authorization $http_authorization;")
FINDING(KEY_NOT_LOOKED_UP, PROBLEM, "authorization",
        "the service cannot look up a key (status %ld)", NULL)
FINDING(BODY_ARRIVES, OK, "body", "a body of 2 MiB gets through", NULL)
FINDING(BODY_STOPPED, PROBLEM, "body",
        "a body of 2 MiB does not %s, but a batch of 200 QSOs can be that large (status %ld)",
        "configure the proxy to accept bodies of 8 MiB; in nginx: client_max_body_size 8m;")
FINDING(KEY_ARRIVES, OK, "authorization", "the key gets through", NULL)
FINDING(KEY_NOT_GIVEN, WARNING, "authorization",
        "no key was given, so keys and bodies were not checked",
        "read -rs QSOSYNC_KEY && export QSOSYNC_KEY && %s")
FINDING(KEY_MISTYPED, PROBLEM, "authorization",
        "this is not a key, or the key was mistyped: the checksum at its end does not match",
        "copy the key again")
FINDING(PAGES_BLIND, PROBLEM, "sign-in", "the pages cannot read the logbook (status %ld)", NULL)
FINDING(PAGES_SILENT, PROBLEM, "sign-in", "no page worker answers (status %ld)",
        "systemctl restart qsosync-site.socket qsosync-site.service")
FINDING(SIGN_IN_BEHIND_LOGIN, PROBLEM, "sign-in",
        "the web server still asks for its own login, which only older versions needed, so nobody "
        "can sign in (status %ld)",
        NULL)
FINDING(SIGN_IN_NOT_LED_TO, PROBLEM, "sign-in",
        "the profile does not redirect to the sign-in page (status %ld)", NULL)
FINDING(SIGN_IN_STORED, PROBLEM, "sign-in",
        "private answers lack Cache-Control: no-store, so caches can keep them (status %ld)", NULL)
FINDING(SIGN_IN_FORM_REFUSED, PROBLEM, "sign-in",
        "the service mistakes its own sign-in form for another site's: the web server changes the "
        "Host, Origin or Sec-Fetch-Site header (status %ld)",
        NULL)
FINDING(SIGN_IN_FORM_LOST, PROBLEM, "sign-in", "the sign-in form does not get through (status %ld)",
        NULL)
FINDING(
    SIGN_IN_COOKIE_LOST, PROBLEM, "sign-in",
    "the web server strips the Cookie or Set-Cookie header, so nobody stays signed in (status %ld)",
    NULL)
FINDING(SIGN_IN_COOKIE_TAKEN, PROBLEM, "sign-in", "an unknown cookie is accepted (status %ld)",
        NULL)
FINDING(SIGN_IN_ABSENT, OK, "sign-in", "only the API is served at this address, no pages", NULL)
FINDING(ADDRESS_IN_THE_CLEAR, PROBLEM, "own address",
        "the service uses the address %s, so phones that are set up with its links and QR codes "
        "would send their keys unencrypted",
        NULL)
FINDING(ADDRESS_IS_ANOTHER, WARNING, "own address",
        "the service's own address is %s, so links, QR codes and sign-in use that address", NULL)
FINDING(ADDRESS_UNKNOWN, WARNING, "own address",
        "the service's own address is not set; links and QR codes need this address",
        "set the address once: qsosync-admin %sclub set --address https://...")
FINDING(ADDRESS_KNOWN, OK, "own address", "%s", NULL)
FINDING(SIGN_IN_WORKS, OK, "sign-in", "members can sign in, and private answers are not cached",
        NULL)
FINDING(DATABASE_CLOSED, PROBLEM, "database", "%s", NULL)
FINDING(DATABASE_MISSING, PROBLEM, "database", "%s: %s", "journalctl -k -n 30")
FINDING(OWNER_WRONG, PROBLEM, "owner", "%s, and the workers, which run as %s, cannot write to it%s",
        NULL)
FINDING(MODES_OPEN, WARNING, "modes", "every user of this machine can read %s", "%schmod o= %s")
FINDING(OWNER_RIGHT, OK, "owner", "%s can read and write the logbook", NULL)
FINDING(FOLDER_READ_ONLY, PROBLEM, "folder",
        "%s is on a file system that is mounted read-only; check journalctl -k for a disk error",
        "mount -o remount,rw $(findmnt -n -o TARGET -T%s)%s")
FINDING(
    FOLDER_CLOSED, PROBLEM, "folder",
    "%s belongs to %s with mode %o, and the workers, which run as %s, cannot create files in it",
    "put the logbook in its own folder, owned by %s")
FINDING(FOLDER_OPEN, WARNING, "folder",
        "every user of this machine can enter %s (mode %o), which only %s needs", NULL)
FINDING(FOLDER_RIGHT, OK, "folder", "%s can create files in %s", NULL)
FINDING(SPACE_FREE, WARNING, "space",
        "%lld MB free on the logbook's disk; the logbook has %lld MB%s", "df -h %s")
FINDING(FILE_SYSTEM_REMOTE, PROBLEM, "file system",
        "%s is on a %s file system, where the shared memory and locks that the write-ahead log "
        "needs do not work",
        "move the logbook to a local disk, and name it in QSOSYNC_DB")
FINDING(FILE_SYSTEM_LOCAL, OK, "file system", "local", NULL)
FINDING(FRONT_LACKS_MODULES, PROBLEM, "web server",
        "Apache lacks modules that the QSOsync site needs:%s",
        "a2enmod -q%s && systemctl restart apache2")
FINDING(FRONT_OUTDATED, WARNING, "web server",
        "%s still runs with an old configuration and will not restart; %s reports: %s", NULL)
FINDING(FRONT_REFUSES, PROBLEM, "web server", "%s is not running; %s reports: %s", NULL)
FINDING(FRONT_STOPPED, PROBLEM, "web server", "%s is not running", NULL)
FINDING(FRONT_UNASKED, PROBLEM, "web server", "%s is not running, and only root can find out why",
        "as root: qsosync-admin %sdoctor")
FINDING(FRONT_UNSEEN, WARNING, "web server", "this user cannot read %s, which may be the site",
        "as root: qsosync-admin %sdoctor")
FINDING(FRONT_WITHOUT_SITE, PROBLEM, "web server", "%s has no QSOsync site in %s",
        "install the site with the name of your service: %sNAME")
FINDING(FRONT_LACKS_PORT, PROBLEM, "web server",
        "%s is not running: port %u is used by another program",
        "stop that program (ss -ltnp names it) or move it to another port, then %s")
FINDING(SCHEMA_PRESENT, OK, "schema", "version %lld", NULL)
FINDING(LOG_GROWS, WARNING, "log", "the write-ahead log has %lld MB and keeps growing", NULL)
FINDING(LOG_SHORT, OK, "log", "the write-ahead log has %lld kB", NULL)
FINDING(CLOCK_FELL_BACK, WARNING, "clock",
        "the last write is %lld day%s ahead of this machine's clock, so old backups and old "
        "changes are kept",
        NULL)
FINDING(CLOCK_DOUBTED, WARNING, "clock",
        "nothing was written for more than a week before %.16sZ, or this machine's clock jumped, "
        "so old changes are kept until %.16sZ",
        "if date shows the right time: %s - otherwise: timedatectl set-ntp true")
FINDING(CLOCK_SET_BACK, WARNING, "clock",
        "the last write is %lld s ahead of this machine's clock, because the clock was set back",
        "timedatectl set-ntp true")
FINDING(OPERATORS_NONE, OK, "operators",
        "no member is an operator, so nobody can open /operator/; appoint an operator with: "
        "qsosync-admin member set CALLSIGN --operator on",
        NULL)
FINDING(BACKUP_MISSING, WARNING, "backup", "no backup was ever made", NULL)
FINDING(BACKUP_NOT_HANDED_ON, WARNING, "backup",
        "the last backup was not copied elsewhere: %.*s; the last copy elsewhere: %s", NULL)
FINDING(BACKUP_GONE, WARNING, "backup", "the last backup, %s, is %s (%lld day%s old)", NULL)
FINDING(BACKUP_AGE, WARNING, "backup", "the last backup is %s, %lld day%s old", NULL)
FINDING(CONTENT_LARGE, OK, "content",
        "the logbook is too large for a check here; run qsosync-admin check", NULL)
FINDING(CONTENT_BREAKS_RULE, PROBLEM, "content",
        "%s%s: no page is damaged, but the content breaks a rule of QSOsync",
        "keep the logbook as it is and report this line")
FINDING(CONTENT_REMARK, WARNING, "content", "%s",
        "qsosync-admin --db %s member rename CALLSIGN NEW, for one of the two")
FINDING(CONTENT_RIGHT, OK, "content", "the check found no problems", NULL)
FINDING(STORAGE_FULL, WARNING, "storage",
        "%s has no room for more history, extra fields, PoLo records and pictures: %s",
        "raise QSOSYNC_MEMBER_MIB: systemctl edit qsosync.service qsosync-site.service")
FINDING(STORAGE_USED, OK, "storage", "the member with the most data in addition to QSOs is %s: %s",
        NULL)
FINDING(PEERS_NOT_ASKED, WARNING, "peers", "the other clubs have not been queried for a day",
        "let cron run qsosync-admin peer pull every five minutes; see qsosync-peers(7)")
FINDING(PEERS_FAIL, WARNING, "peers", "%s", "contact that club, or see qsosync-peers(7)")
FINDING(PEERS_WAIT, WARNING, "peers", "%s is not paired yet",
        "enter its code again, or remove it with qsosync-admin peer remove")
FINDING(PEERS_ANSWER, OK, "peers", "%d other club%s answered", NULL)
FINDING(SCHEMA_NEWER, PROBLEM, "schema", "%s",
        "reinstall the newer QSOsync that last wrote the logbook")
FINDING(DATABASE_FOREIGN, PROBLEM, "database", "%s is not a QSOsync logbook",
        "set QSOSYNC_DB to the logbook, or move this file away")
FINDING(DATABASE_RIGHT, OK, "database", "%s is a QSOsync logbook", NULL)
FINDING(
    CLOCK_WRONG, PROBLEM, "clock",
    "this machine's clock is wrong: it shows %.16sZ, before the certificate of %s is valid (%s)",
    "timedatectl set-ntp true")
FINDING(TLS_WITHOUT_ISSUER, PROBLEM, "tls",
        "%s: the certificate is not trusted, because the issuer's certificate, %s, is missing (for "
        "your own authority, set CURL_CA_BUNDLE to its file)",
        "use fullchain.pem of certbot instead of cert.pem in the site, and reload the web server")
FINDING(TLS_NOT_TRUSTED, PROBLEM, "tls",
        "%s: the certificate is not trusted (%s); for your own authority, set CURL_CA_BUNDLE to "
        "its file",
        "replace %s with a certificate that is valid for %s, and reload the web server")
FINDING(TLS_NOT_NEEDED, OK, "tls", "not used within this machine", NULL)
FINDING(TLS_MISSING, PROBLEM, "tls", "the address is http: keys can be read in transit", NULL)
FINDING(TLS_TRUSTED, OK, "tls", "the certificate is trusted", NULL)
FINDING(TLS_ENDS, WARNING, "tls", "the certificate is trusted, and expires in %lld day%s", NULL)
FINDING(TLS_FAILS, PROBLEM, "tls", "%s: no TLS connection (%s)", NULL)
FINDING(SERVICE_UNNAMED, PROBLEM, "address", "%s: the name cannot be resolved (%s)",
        "correct the name, or its DNS record")
FINDING(SERVICE_DOWN, PROBLEM, "address", "%s: nothing is listening (%s)",
        "run qsosync-admin doctor on the server to check whether the web server is running")
FINDING(SERVICE_SILENT, PROBLEM, "address", "%s: %s (%s)", NULL)
FINDING(SERVICE_MOVED, PROBLEM, "address", "%s: the address redirects to %s (status %ld)", NULL)
FINDING(SERVICE_FAILS, PROBLEM, "address", "%s: the service fails (status %ld)", NULL)
FINDING(SERVICE_WITHOUT_WORKER, PROBLEM, "address", "%s: no worker answers (status %ld)", NULL)
FINDING(SERVICE_FORBIDDEN, PROBLEM, "address",
        "%s: the web server refuses the address (status %ld)", NULL)
FINDING(SERVICE_BEHIND_LOGIN, PROBLEM, "address",
        "%s: the site asks for a login before the API does (status %ld)", NULL)
FINDING(
    SERVICE_HANDED_OUT, PROBLEM, "address",
    "%s: the web server serves the worker's program as a file instead of running it (status %ld)",
    NULL)
FINDING(SERVICE_STRANGE, PROBLEM, "address",
        "%s: something other than QSOsync answers (status %ld)", NULL)
FINDING(CURL_MISSING, PROBLEM, "curl", "cannot query the service: %s", NULL)
FINDING(SERVICE_ANSWERS, OK, "address", "%s answers", NULL)
FINDING(CORS_ORIGIN_WRONG, PROBLEM, "cors", "answers %s, so browser pages cannot read them", NULL)
FINDING(CORS_PREFLIGHT_FAILS, PROBLEM, "cors",
        "a browser's preflight request (OPTIONS) for sending a key is not answered (status %ld)",
        NULL)
FINDING(CORS_RIGHT, OK, "cors", "browser pages may use the API", NULL)
FINDING(CLOCK_RIGHT, OK, "clock", "the service's clock agrees with this one", NULL)
FINDING(CLOCK_APART, WARNING, "clock", "the service's clock and this machine's differ by %lld s",
        "timedatectl set-ntp true")
FINDING(CLIENTS_APART, OK, "clients", "each client address has its own request limit", NULL)
FINDING(CLIENTS_SHARE, PROBLEM, "clients",
        "all clients share one request limit: the service sees %s as everyone's address",
        "configure the proxy to forward the address of the client; in nginx: proxy_set_header "
        "X-Forwarded-For $proxy_add_x_forwarded_for;")
FINDING(LIMIT_SET, OK, "limit", "%s requests per minute", NULL)
FINDING(LIMIT_MISSING, WARNING, "limit",
        "answers lack RateLimit-Limit, -Remaining or -Reset: there is no request limit, or the "
        "headers are stripped",
        "check whether QSOSYNC_RATE_LIMIT is 0 in the settings of the workers; if not, install the "
        "shipped site again")
FINDING(WORKERS_SERVE_ANOTHER, WARNING, "workers", "%s serves another logbook, %s, according to %s",
        NULL)
FINDING(SETTINGS_NAME_NONE, PROBLEM, "settings",
        "%s: QSOSYNC_DB is %s, which does not exist; %s was examined",
        "correct QSOSYNC_DB in %s, then systemctl daemon-reload and systemctl restart %s")
FINDING(SETTINGS_UNKNOWN, WARNING, "settings", "%s: %.*s, so the line has no effect", NULL)
FINDING(SETTINGS_WRONG, PROBLEM, "settings", "%s: %.*s; no worker starts with this setting",
        "correct the setting in %s, then systemctl daemon-reload and systemctl restart %s")
FINDING(WORKERS_SERVE_OTHERS, WARNING, "workers",
        "no worker serves %s; the running workers serve another logbook, %s", NULL)
FINDING(UNITS_MASKED, PROBLEM, "units", "masked, so systemd does not start them:%s",
        "systemctl unmask%s && systemctl enable --now%s")
FINDING(UNITS_DISABLED, WARNING, "units", "not enabled, so they do not start after a reboot:%s",
        "systemctl enable%s")
FINDING(WORKERS_UNSEEN, OK, "workers",
        "this user can see no running workers; a web server can start them", NULL)
FINDING(CLUSTER_SILENT, PROBLEM, "cluster", "nothing is listening on the DX cluster's port %lu",
        "systemctl restart qsosync-cluster.socket")
FINDING(CLUSTER_PORT_TAKEN, PROBLEM, "cluster",
        "the DX cluster's port %lu is used by another program",
        "move the program that ss -ltnp names to another port, or change the port of "
        "qsosync-cluster.socket; then systemctl restart qsosync-cluster.socket")
FINDING(CLUSTER_LISTENS, OK, "cluster", "port %lu is open", NULL)
FINDING(LOCK_FREE, OK, "lock", "the write lock is free", NULL)
FINDING(LOCK_KEPT, WARNING, "lock",
        "%s has held the write lock for a full second; if you stop it, its uncommitted changes are "
        "lost",
        NULL)
FINDING(PROGRAMS_BUILT_HERE, OK, "programs", "built on this machine, not from a release", NULL)
FINDING(PROGRAMS_CHANGED, WARNING, "programs", "%s differs from the program in %.*s that %s lists",
        "find out who replaced this program, then check and reinstall the release (see "
        "qsosync-security(7))")
FINDING(PROGRAMS_LISTED, OK, "programs", "the running programs are those in %.*s, according to %s",
        NULL)

#undef FINDING

#endif
