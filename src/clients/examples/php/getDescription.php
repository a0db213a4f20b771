<?php // Prints the version of the API. This request needs no key.
$body = file_get_contents(getenv("QSOSYNC_URL") . "/openapi.json");
if ($body === false) exit(1);
echo json_decode($body)->info->version, "\n";
