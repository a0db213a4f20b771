<?php // Prints the member whose log the key opens.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$context = stream_context_create(["http" => ["header" => $header]]);
$url = getenv("QSOSYNC_URL") . "/me";
$body = file_get_contents($url, false, $context);
if ($body === false) exit(1);
echo json_decode($body)->callsign, "\n";
