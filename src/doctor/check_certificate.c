/* Checks the service's certificate, and names the command that replaces it. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"
#include "doctor/sites.h"

#define LETSENCRYPT "/etc/letsencrypt"
#define CERTIFICATES LETSENCRYPT "/live/"
#define CERTIFICATE_DAYS_LEAST 14
#define NOT_YET_VALID 9 /* the four values are X509_V_ERR_... in openssl/x509_vfy.h */
#define HAS_EXPIRED 10
#define NO_ISSUER_HERE 20
#define NO_ISSUER_SENT 21

/* Returns whether certbot renews this certificate. Certbot's folder can also contain certificates
 * from other programs and people. */
static bool is_of_certbot(struct examination *seen, const char *certificate)
{
    const char *name = certificate + strlen(CERTIFICATES);
    return strncmp(certificate, CERTIFICATES, strlen(CERTIFICATES)) == 0 &&
           access(print(seen, LETSENCRYPT "/renewal/%.*s.conf", (int)strcspn(name, "/"), name),
                  F_OK) == 0;
}

/* Returns the command that replaces the certificate. Renewal helps only if the certificate has
 * expired or will expire soon. For a certificate that certbot does not renew, returns instructions
 * instead. */
static const char *fix_certificate(struct examination *seen, bool has_expired)
{
    const char *certificate;
    sites_have_name(seen, &certificate);
    if (certificate && !is_of_certbot(seen, certificate))
        return print(seen, TLS_NOT_TRUSTED_FIX, certificate, seen->host);
    if (has_expired)
        return print(seen, "certbot renew && systemctl reload %s",
                     seen->is_apache ? "apache2" : "nginx");
    const char *line =
        fixes_put_site_with(seen,
                            print(seen, "certbot certonly --webroot -w /var/www/html -d %s && ",
                                  quote(seen, seen->host)),
                            " --new-certificate");
    return line ? line : "ask the hosting provider for a certificate";
}

void certificate_report(struct examination *seen, const struct client_response *response)
{
    char now[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), now);
    const char *lone = NULL;
    if (response->verified == NO_ISSUER_HERE || response->verified == NO_ISSUER_SENT)
        lone = probe_ask(seen, .url = seen->base, .unverified = true).lone_issuer;
    if (response->verified == NOT_YET_VALID)
        found(seen, CLOCK_WRONG, now, seen->base, response->reason);
    else if (lone)
        found(seen, TLS_WITHOUT_ISSUER, seen->base, lone);
    else
        found_with(seen, TLS_NOT_TRUSTED, fix_certificate(seen, response->verified == HAS_EXPIRED),
                   seen->base, response->reason);
}

bool certificate_check(struct examination *seen, const struct client_response *response)
{
    long long days = (response->certificate_end_ms - clock_wall_ms()) / DATETIME_DAY_MS;
    if (!seen->is_encrypted && probe_asks_this_machine(seen))
        return found(seen, TLS_NOT_NEEDED);
    if (!seen->is_encrypted)
        return found_with(seen, TLS_MISSING, fix_certificate(seen, false));
    if (!response->certificate_end_ms)
        return found(seen, TLS_TRUSTED);
    found_at(seen, days < CERTIFICATE_DAYS_LEAST ? FINDING_WARNING : FINDING_OK, TLS_ENDS,
             fix_certificate(seen, true), days, days == 1 ? "" : "s");
    return true;
}
