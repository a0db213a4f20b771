<?php // Prints the member whose log the key opens.
$header = "Authorization: Bearer " . getenv("QSOSYNC_KEY");
$http = ["header" => $header, "ignore_errors" => true];
$context = stream_context_create(["http" => $http]);
$url = getenv("QSOSYNC_URL") . "/me";
$body = file_get_contents($url, false, $context);
if (!preg_match("/ 200 /", $http_response_header[0] ?? "")) {
    fwrite(STDERR, "$body\n"); // names the fault
    exit(1);
}
echo json_decode($body)->callsign, "\n";
