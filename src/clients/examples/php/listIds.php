<?php // Prints the ids of all QSOs in the log.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$context = stream_context_create(["http" => ["header" => $header]]);
$url = getenv("QSOSYNC_URL") . "/logs/ids";
$body = file_get_contents($url, false, $context);
if ($body === false) exit(1);
foreach (json_decode($body)->items as $item)
    echo "$item->clientId $item->id\n";
