/* Deletes the QSO whose clientId is the first argument. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char url[500], header[100];
    snprintf(url, sizeof url, "%s/logs/%s", getenv("QSOSYNC_URL"), argc > 1 ? argv[1] : "");
    snprintf(header, sizeof header, "Authorization: Bearer %s", getenv("QSOSYNC_KEY"));
    struct curl_slist *headers = curl_slist_append(NULL, header);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "DELETE");
    CURLcode result = curl_easy_perform(curl); /* also prints the body */
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK)
        fprintf(stderr, "%s\n", curl_easy_strerror(result));
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return status == 204 || status == 404 ? 0 : 1; /* after 404, the QSO was already deleted */
}
