use QSOsync::Test fronts => 'none', slow => 40, suite => 'all';
use File::Temp;
use List::Util qw(min shuffle);
use QSOsync::Kit;

# qsosync-check-client.py accepts the client in the paper for programmers. For each mutant of this client, the checker
# reports the rule that the mutant breaks. Each run draws QSOSYNC_TEST_MUTANTS mutants (2 by default).
my $check = "$QSOsync::Front::BUILD/clients/qsosync-check-client.py";
my $paper = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/manual/papers/programs.txt");
my ($section) = $paper =~ /^## A whole client\n(.*?)^## /ms;
my $program = join "\n", map { s/^ {4}//gmr } grep { /\A {4}(?!python3)/ } split /\n\n/, $section;
$program =~ s/or 5\)/or 1)/ or die; # the client's pause after a 500
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
        '--add', "python3 '$file' add {callsign} 27.555 USB");
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
