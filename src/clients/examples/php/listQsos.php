<?php // Prints the first page of the log, its serverTime, and the cursor of the next page.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$context = stream_context_create(["http" => ["header" => $header]]);
$url = getenv("QSOSYNC_URL") . "/logs?limit=500&includeDeleted=true";
$body = file_get_contents($url, false, $context);
if ($body === false) exit(1);
$page = json_decode($body);
foreach ($page->items as $qso)
    echo "$qso->clientId $qso->qsoAt $qso->callsignWorked\n";
echo $page->serverTime, " ", $page->nextCursor ?? "null", "\n";
