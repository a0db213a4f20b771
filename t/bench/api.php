<?php
// Implements the API as a PHP developer would write it with PDO and SQLite, for the requests of the benchmark: /me,
// /logs, /logs/ids and /logs/batch on a copy of the service's database. Not part of the product.
header('Content-Type: application/json');
header('Cache-Control: no-store');
$db = new PDO('sqlite:' . $_SERVER['QSOSYNC_DB'], null, null,
    [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$db->exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');

const COLUMNS = ['clientId' => 'client_id', 'band' => 'band', 'qsoAt' => 'qso_at', 'frequencyMhz' => 'frequency',
    'channel' => 'channel', 'ctcssTone' => 'ctcss_tone', 'dcsCode' => 'dcs_code', 'mode' => 'mode',
    'callsignWorked' => 'callsign_worked', 'operatorCallsign' => 'operator_callsign', 'dxLocator' => 'dx_locator',
    'dxLat' => 'dx_lat', 'dxLng' => 'dx_lng', 'txPowerW' => 'tx_power', 'myLocator' => 'my_locator',
    'splitKhz' => 'split', 'path' => 'path', 'qsoStatus' => 'qso_status', 'rstSent' => 'rst_sent',
    'rstReceived' => 'rst_received', 'qslSent' => 'qsl_sent', 'qslReceived' => 'qsl_received', 'qslVia' => 'qsl_via',
    'notes' => 'notes', 'radio' => 'radio', 'antenna' => 'antenna', 'id' => 'id',
    'crossConfirmedAt' => 'cross_confirmed_at', 'spottedAt' => 'spotted_at', 'createdAt' => 'created_at',
    'syncedAt' => 'synced_at'];
const CHOICES = ['band' => ['ELEVEN_METERS', 'PMR446'], 'mode' => ['FM', 'AM', 'SSB', 'USB', 'LSB', 'CW', 'DIGITAL'],
    'path' => ['SP', 'LP'], 'qsoStatus' => ['HRD', 'WKD', 'CFM'], 'qslVia' => ['DIRECT', 'BUREAU', 'EQSL', 'ECARD']];
const LENGTHS = ['callsignWorked' => 20, 'operatorCallsign' => 20, 'rstSent' => 10, 'rstReceived' => 10,
    'notes' => 2000, 'radio' => 80, 'antenna' => 80];
const TIMES = ['qsoAt', 'crossConfirmedAt', 'spottedAt', 'createdAt', 'syncedAt'];

function fail(int $status, string $code): never
{
    http_response_code($status);
    exit(json_encode(['error' => ['code' => $code]]));
}

function time_text(?int $ms): ?string
{
    return $ms === null ? null : gmdate('Y-m-d\TH:i:s', intdiv($ms, 1000)) . sprintf('.%03dZ', $ms % 1000);
}

function uuid_text(?string $bytes): ?string
{
    return $bytes === null ? null : vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

$key = substr($_SERVER['HTTP_AUTHORIZATION'] ?? '', 7);
$find = $db->prepare('SELECT member_id, scope, callsign, locator FROM api_keys JOIN members ON members.id = member_id
    WHERE fingerprint = ? AND revoked_at IS NULL AND active = 1');
$find->bindValue(1, hash('sha256', $key, true), PDO::PARAM_LOB);
$find->execute();
$me = $find->fetch(PDO::FETCH_ASSOC) ?: fail(401, 'API_KEYS.INVALID');

function qso_json(array $row): array
{
    $qso = [];
    foreach (COLUMNS as $name => $column) {
        $value = $row[$column];
        if (in_array($name, TIMES, true)) $value = time_text($value);
        elseif (isset(CHOICES[$name]) && $value !== null) $value = CHOICES[$name][$value];
        elseif ($name === 'clientId') $value = uuid_text($value);
        elseif ($name === 'frequencyMhz' && $value !== null) $value = sprintf('%.3f', $value / 1000);
        elseif ($name === 'id') $value = (string) $value;
        elseif ($name === 'qslSent' || $name === 'qslReceived') $value = (bool) $value;
        $qso[$name] = $value;
    }
    return $qso;
}

function entry_row(array $entry): array|string
{
    $row = [];
    foreach (COLUMNS as $name => $column) {
        $value = $entry[$name] ?? null;
        if (is_string($value)) $value = trim($value);
        if (isset(CHOICES[$name]) && $value !== null) {
            $value = array_search($value, CHOICES[$name], true);
            if ($value === false) return "$name must be one of " . implode(', ', CHOICES[$name]);
        }
        if (isset(LENGTHS[$name]) && $value !== null && (!is_string($value) || iconv_strlen($value) > LENGTHS[$name])) return "$name is too long";
        $row[$column] = $value;
    }
    if (!preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i', $row['client_id'] ?? '')) return 'CLIENT_ID_INVALID';
    $row['client_id'] = hex2bin(str_replace('-', '', $row['client_id']));
    try {
        $row['qso_at'] = (int) (new DateTimeImmutable($row['qso_at'] ?? 'x'))->format('Uv');
    } catch (Exception) {
        return 'DATETIME_INVALID';
    }
    if ($row['frequency'] !== null) {
        if (!preg_match('/^\d{1,3}\.\d{3}$/', $row['frequency'])) return 'FREQUENCY_FORMAT_INVALID';
        $row['frequency'] = (int) round($row['frequency'] * 1000);
    }
    foreach (['dx_locator', 'my_locator'] as $column)
        if ($row[$column] !== null && !preg_match('/^[A-R]{2}\d\d([A-X]{2})?$/i', $row[$column])) return 'LOCATOR_INVALID';
    return $row;
}

$path = preg_replace('~^.*/api/v1~', '', strtok($_SERVER['REQUEST_URI'], '?'));
if ($path === '/me') {
    echo json_encode(['callsign' => $me['callsign'], 'locator' => $me['locator'], 'scope' => $me['scope']]);
} elseif ($path === '/logs') {
    $limit = (int) ($_GET['limit'] ?? 200);
    $list = $db->prepare('SELECT * FROM qsos WHERE member_id = ? AND synced_at > ? ORDER BY synced_at, id LIMIT ?');
    $since = isset($_GET['updatedSince']) ? (int) (new DateTimeImmutable($_GET['updatedSince']))->format('Uv') : 0;
    $list->execute([$me['member_id'], $since, $limit + 1]);
    $items = array_map('qso_json', $list->fetchAll(PDO::FETCH_ASSOC));
    echo json_encode(['items' => array_slice($items, 0, $limit), 'nextCursor' => count($items) > $limit ? 'x' : null,
        'serverTime' => time_text((int) (microtime(true) * 1000))], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
} elseif ($path === '/logs/ids') {
    $list = $db->prepare('SELECT id, client_id FROM qsos WHERE member_id = ?');
    $list->execute([$me['member_id']]);
    $items = [];
    foreach ($list as $row) $items[] = ['id' => (string) $row['id'], 'clientId' => uuid_text($row['client_id'])];
    echo json_encode(['items' => $items]);
} elseif ($path === '/logs/batch') {
    $entries = json_decode(file_get_contents('php://input'), true)['entries'] ?? fail(400, 'VALIDATION.FAILED');
    $names = array_values(array_diff(COLUMNS, ['id', 'cross_confirmed_at', 'spotted_at', 'created_at', 'synced_at']));
    $db->exec('BEGIN IMMEDIATE');
    $now = (int) (microtime(true) * 1000);
    $known = $db->prepare('SELECT id, member_id FROM qsos WHERE client_id = ?');
    $insert = $db->prepare('INSERT INTO qsos (member_id, created_at, synced_at, ' . implode(', ', $names) . ') VALUES (?, ?, ?'
        . str_repeat(', ?', count($names)) . ')');
    $results = [];
    foreach ($entries as $entry) {
        $row = entry_row($entry);
        if (is_string($row)) {
            $results[] = ['clientId' => $entry['clientId'] ?? null, 'id' => null, 'error' => $row, 'permanent' => true];
            continue;
        }
        $row['qsl_sent'] = (int) $row['qsl_sent'];
        $row['qsl_received'] = (int) $row['qsl_received'];
        $known->bindValue(1, $row['client_id'], PDO::PARAM_LOB);
        $known->execute();
        if ($known->fetch()) fail(400, 'VALIDATION.FAILED'); // the benchmark sends only new QSOs
        foreach ([$me['member_id'], $now, $now] as $i => $value) $insert->bindValue($i + 1, $value, PDO::PARAM_INT);
        foreach ($names as $i => $name) $insert->bindValue($i + 4, $row[$name],
            $name === 'client_id' ? PDO::PARAM_LOB : (is_int($row[$name]) ? PDO::PARAM_INT : PDO::PARAM_STR));
        $insert->execute();
        $results[] = ['clientId' => $entry['clientId'], 'id' => $db->lastInsertId(), 'spottedAt' => null];
    }
    $db->exec('COMMIT');
    echo json_encode(['results' => $results]);
} else {
    fail(404, 'GENERIC.NOT_FOUND');
}
