<?php // Deletes the QSO whose clientId is the first argument.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$http = ["method" => "DELETE", "header" => $header, "ignore_errors" => true];
$url = getenv("QSOSYNC_URL") . "/logs/" . $argv[1];
$body = file_get_contents($url, false, stream_context_create(["http" => $http]));
// After 404, the QSO was already deleted.
if (!preg_match("/ (204|404) /", $http_response_header[0])) {
    fwrite(STDERR, "$body\n");
    exit(1);
}
