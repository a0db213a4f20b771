/* Saves a QSO, and prints the result. Create its clientId once, and keep it. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <uuid/uuid.h>

int main(void)
{
    char url[500], header[100], id[UUID_STR_LEN], body[400];
    snprintf(url, sizeof url, "%s/logs/batch", getenv("QSOSYNC_URL"));
    snprintf(header, sizeof header, "Authorization: Bearer %s", getenv("QSOSYNC_KEY"));
    struct curl_slist *headers = curl_slist_append(NULL, header);
    headers = curl_slist_append(headers, "Content-Type: application/json");
    uuid_t uuid;
    uuid_generate_random(uuid);
    uuid_unparse_lower(uuid, id);
    snprintf(body, sizeof body,
             "{\"entries\": [{\"clientId\": \"%s\", \"band\": \"ELEVEN_METERS\", "
             "\"qsoAt\": \"2026-05-17T19:42:00Z\", \"frequencyMhz\": \"27.555\", "
             "\"mode\": \"USB\", \"callsignWorked\": \"26AT101\"}]}",
             id);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    CURLcode result = curl_easy_perform(curl); /* also prints the body */
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK)
        fprintf(stderr, "%s\n", curl_easy_strerror(result));
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return status == 200 ? 0 : 1;
}
