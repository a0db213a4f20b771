<?php // Saves a QSO, and prints the result. Create its clientId once, and keep it.
$id = bin2hex(random_bytes(16));
$id = preg_replace("/^(.{8})(.{4}).(.{3}).(.{3})/", '$1-$2-4$3-8$4-', $id); // a random UUID
$qso = ["clientId" => $id, "band" => "ELEVEN_METERS", "qsoAt" => "2026-05-17T19:42:00Z",
    "frequencyMhz" => "27.555", "mode" => "USB", "callsignWorked" => "26AT101"];
$header = ["Authorization: Bearer " . getenv("QSOSYNC_KEY"), "Content-Type: application/json"];
$http = ["method" => "POST", "header" => $header, "ignore_errors" => true,
    "content" => json_encode(["entries" => [$qso]])];
$url = getenv("QSOSYNC_URL") . "/logs/batch";
$body = file_get_contents($url, false, stream_context_create(["http" => $http]));
if (!preg_match("/ 200 /", $http_response_header[0] ?? "")) {
    fwrite(STDERR, "$body\n"); // names the fault
    exit(1);
}
foreach (json_decode($body)->results as $result)
    echo $result->clientId, " ", $result->id ?? $result->error, "\n";
