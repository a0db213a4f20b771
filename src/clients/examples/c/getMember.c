/* Prints the member whose log the key opens. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char url[500], header[100];
    snprintf(url, sizeof url, "%s/me", getenv("QSOSYNC_URL"));
    snprintf(header, sizeof header, "Authorization: Bearer %s", getenv("QSOSYNC_KEY"));
    struct curl_slist *headers = curl_slist_append(NULL, header);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    CURLcode result = curl_easy_perform(curl); /* also prints the body */
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK)
        fprintf(stderr, "%s\n", curl_easy_strerror(result));
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return status == 200 ? 0 : 1;
}
