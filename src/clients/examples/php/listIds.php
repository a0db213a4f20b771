<?php // Prints the ids of all QSOs in the log.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$http = ["header" => $header, "ignore_errors" => true];
$context = stream_context_create(["http" => $http]);
$url = getenv("QSOSYNC_URL") . "/logs/ids";
$body = file_get_contents($url, false, $context);
if (!preg_match("/ 200 /", $http_response_header[0] ?? "")) {
    fwrite(STDERR, "$body\n"); // names the fault
    exit(1);
}
foreach (json_decode($body)->items as $item)
    echo "$item->clientId $item->id\n";
