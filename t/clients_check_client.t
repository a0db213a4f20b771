use QSOsync::Test fronts => 'none', slow => 40, suite => 'all';
use File::Temp;
use List::Util qw(min shuffle);
use QSOsync::Kit;

# qsosync-check-client.py accepts the client in the paper for programmers. For each mutant of this client, the checker
# reports the rule that the mutant breaks. Each run draws QSOSYNC_TEST_MUTANTS mutants (2 by default).
my $check = "$QSOsync::Front::BUILD/clients/qsosync-check-client.py";
my $paper = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/manual/papers/programs.txt");
my ($section) = $paper =~ /^## A whole client \|[^\n]*\n(.*?)^## /ms;
my $program = join "\n", map { s/^ {4}//gmr } grep { /\A {4}(?!python3)/ } split /\n\n/, $section;
$program =~ s/or 5\)/or 1)/ or die; # the client's pause after a 500
# The paper's client cannot change a QSO.
my $edit = <<'END';
elif act == "edit":
    name, notes = words
    qso = log["unsent"].get(name) or log["qsos"][name]
    log["unsent"][name] = {**qso, "notes": notes, "baseSyncedAt": qso.get("syncedAt")}
END
$program =~ s/^(?=elif act == "delete":)/$edit/m or die;
my $folder = File::Temp->newdir;
my $made = File::Temp->newdir; # the temporary files of the checkers
local $ENV{TMPDIR} = "$made";

my %mutant = (
    'serverTime of the last page' => ['since or page["serverTime"]', 'page["serverTime"]',
        qr/updatedSince is the serverTime of the first page/],
    'no further page' => ['while since is None or cursor:', 'while since is None:', qr/nextCursor is followed/],
    'no deletions' => ['&includeDeleted=true"', '"; ask = forget(ask)', qr/deletions are requested/],
    'no list of ids' => ['if not complete:', 'if False:', qr/all ids are requested/],
    'does not wait for Retry-After' => ['time.sleep(int(error.headers["Retry-After"] or 1))', 'time.sleep(0.05)',
        qr/waits for Retry-After/],
    'a new clientId each time' => ['{"entries": some}',
        '{"entries": [{**one, "clientId": str(uuid.uuid4())} for one in some]}', qr/sent again under its clientId/],
    'removes waiting QSOs too early' => ['for some in [entries',
        'log["unsent"] = {}; keep(log)' . "\n    for some in [entries", qr/waiting QSOs are sent/],
    'sends a rejected QSO repeatedly' => ['elif result.get("permanent"):', 'elif False:', qr/rejected for good/],
    'gives up a QSO that is rejected for now' => ['elif result.get("permanent"):', 'else:', qr/rejected for now/],
    'ignores the epoch' => ['if log["epoch"] not in (None, epoch):', 'if False:', qr/the whole log is compared/],
    'ignores the epoch of the ids' => ['if epoch != log["epoch"]:', 'if False:', qr/before all ids are requested/],
    'nothing sent after a restore' => ['unsent={**lost, **log["unsent"]}', 'unsent=log["unsent"]',
        qr/that it lacks are sent again/],
    'deletes after a restore' => ['    log.update(since=since,',
        '    log["deleted"] += list(lost)' . "\n    log.update(since=since,", qr/nothing is deleted/],
    'an older state after a restore' => [' or qso.get("syncedAt", "9") > log["qsos"][name]["syncedAt"]', '',
        qr/in an older version are sent again/],
    'a QSO without clientId after a restore' => ['if qso["clientId"]' . "\n            and (", 'if (',
        qr/without clientId is never sent/],
    'a QSO without clientId is a fault' => ['return qso["clientId"] or qso["id"]', 'return qso["clientId"].lower()',
        qr/first download: the program exits successfully/],
    'repeats requests with a revoked key' => ['error.code != 429 and error.code < 500',
        'error.code not in (401, 429, 500)',
        qr/the program stops/],
    'a time in the American format' => ['urllib.parse.quote(log["since"])',
        'urllib.parse.quote(time.strftime("%m/%d/%Y %H:%M:%S", time.strptime(log["since"][:19], "%Y-%m-%dT%H:%M:%S")))',
        qr/every request is valid .*updatedSince/],
    'a time without its milliseconds' => ['urllib.parse.quote(log["since"])', 'log["since"][:19] + "Z"',
        qr/updatedSince is the serverTime of the first page/],
    'no Content-Type' => [', "Content-Type": "application/json"}', ', "Content-Type": "text/plain"}',
        qr/every request is valid .*Content-Type/],
    'pages that are too long' => ['limit=500', 'limit=1000', qr/every request is valid .*limit/],
    'batches that are too long' => ['at + 200] for at in range(0, len(entries), 200)',
        'at + 201] for at in range(0, len(entries), 201)', qr/every request is valid .*entries/],
    'a frequency as a number' => ['    log["unsent"][qso["clientId"]] = qso',
        '    qso["frequencyMhz"] = 27.555' . "\n" . '    log["unsent"][qso["clientId"]] = qso',
        qr/every QSO is valid .*frequencyMhz/],
    'a time without a zone' => ['%H:%M:%SZ"', '%H:%M:%S"', qr/every QSO is valid .*qsoAt/],
    'ignores deletions' => ['log["qsos"].pop(name_of(gone), None)', 'pass',
        qr/changes: the program's log equals the service's/],
    'ignores the list of ids' => ['if name in there}', '}', qr/no longer known: the program's log equals/],
    'saves serverTime after the first page' => ['for gone in page["deleted"]:',
        "log['since'] = since; keep(log)\n        for gone in page['deleted']:",
        qr/updatedSince is still the serverTime/],
    'always publishes a spot' => ['"band": "ELEVEN_METERS"', '"band": "ELEVEN_METERS", "sendSpot": True',
        qr/only if the member asks/],
    'a deletion of a deleted QSO is a fault' => ['error.code == 404 and method == "DELETE"', 'False',
        qr/already deleted counts as done/],
    'sends no deletion' => ['        ask("DELETE", "/logs/" + log["deleted"][0])' . "\n", '',
        qr/the service deletes the QSO/],
    'sends no edit' => ['    log["unsent"][name] = {**qso, "notes"', '    log["qsos"][name] = {**qso, "notes"',
        qr/the service has the new value/],
    'overwrites a newer version' => ['elif result.get("permanent"):',
        'elif result["error"] == "CONFLICT":'
        . "\n                log['unsent'][entry['clientId']].pop('baseSyncedAt')\n"
        . '            elif result.get("permanent"):', qr/the newer version is kept/],
    'fails on an unknown field' => ['for gone in page["deleted"]:',
        "assert all('inventedLater' not in qso for qso in page['items'])\n        for gone in page['deleted']:",
        qr/first download: the program exits successfully/],
);
# Starts a check of a program. The caller reads the result later, so that all checks run at the same time.
sub begin {
    my ($name, $text) = @_;
    my $file = "$folder/" . $name =~ s/\W+/-/gr . '.py';
    QSOsync::Front::write_file($file, $text);
    return QSOsync::Kit::begin_check('--seconds', 40, '--sync', "python3 '$file' sync",
        '--add', "python3 '$file' add {callsign} 27.555 USB", '--list', "python3 '$file' list",
        '--edit', "python3 '$file' edit {clientId} {notes}", '--delete', "python3 '$file' delete {clientId}");
}
my $whole = begin('as it is', $program);
my $forget = <<'END';
def forget(ask):
    def asked(*all):
        epoch, page = ask(*all)
        return epoch, {"deleted": [], "deletedComplete": True, **page} if page else page
    return asked
END
drawn_seed();
my $drawn = $ENV{QSOSYNC_TEST_MUTANTS} || 2;
my @drawn = (shuffle(sort keys %mutant))[0 .. min($drawn, scalar keys %mutant) - 1];
my %begun;
for my $name (@drawn) {
    my ($from, $to) = @{$mutant{$name}};
    my $text = $program;
    my $at = index $text, $from;
    die "$name: the program has no $from" if $at < 0;
    substr $text, $at, length $from, $to;
    $text =~ s/"; ask = forget\(ask\)/"/ and $text =~ s/^(log, \(act)/${forget}ask = forget(ask)\n$1/m
        if $name eq 'no deletions';
    $begun{$name} = begin($name, $text);
}
is_deeply [QSOsync::Kit::end_check($whole)], [0, "all rules kept\n"], "the paper's client in Python keeps all rules";
my ($script) = $paper =~ /^## The same in JavaScript\n(.*?)^## /ms;
QSOsync::Front::write_file("$folder/log.mjs",
    join("\n", map { s/^ {4}//gmr } grep { /\A {4}/ } split /\n\n/, $script) =~ s/\?\? 5\)/?? 1)/r);
my $node = "node '$folder/log.mjs'";
is `python3 '$check' --seconds 40 --sync "$node sync" --add "$node add {callsign}" 2>&1`, "all rules kept\n",
    "the paper's client in JavaScript keeps all rules";
for my $name (@drawn) {
    my ($status, $said) = QSOsync::Kit::end_check($begun{$name});
    is $status, 1, "the checker fails a client with this fault: $name";
    like $said, qr/^BROKEN .*$mutant{$name}[2]/m, "the checker names the broken rule: $name";
}
is_deeply [glob "$made/*"], [], 'no checker leaves a temporary file';

done_testing;
