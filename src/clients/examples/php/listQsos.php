<?php // Prints the first page of the log, its serverTime, and the cursor of the next page.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$http = ["header" => $header, "ignore_errors" => true];
$context = stream_context_create(["http" => $http]);
$url = getenv("QSOSYNC_URL") . "/logs?limit=500&includeDeleted=true";
$body = file_get_contents($url, false, $context);
if (!preg_match("/ 200 /", $http_response_header[0] ?? "")) {
    fwrite(STDERR, "$body\n"); // names the fault
    exit(1);
}
$page = json_decode($body);
foreach ($page->items as $qso)
    echo "$qso->clientId $qso->qsoAt $qso->callsignWorked\n";
echo $page->serverTime, " ", $page->nextCursor ?? "null", "\n";
