/* Prints the description of the API. This request needs no key. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char url[500];
    snprintf(url, sizeof url, "%s/openapi.json", getenv("QSOSYNC_URL"));
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    CURLcode result = curl_easy_perform(curl); /* also prints the body */
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (result != CURLE_OK)
        fprintf(stderr, "%s\n", curl_easy_strerror(result));
    curl_easy_cleanup(curl);
    return status == 200 ? 0 : 1;
}
