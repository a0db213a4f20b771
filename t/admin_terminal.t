use QSOsync::Test fronts => 'none';
use QSOsync::Terminal;

# qsosync-admin on a terminal: a word of success, questions, progress. A program is told nothing of that.
my $service = QSOsync::Service->start(wants_member => 0);
my ($status, $screen);
sub person { ($status, $screen) = QSOsync::Terminal::admin($service, @_) }

for (['added 21SD333; nobody is an operator yet: qsosync-admin member set 21SD333 --operator on',
        'member', 'add', '21sd333', '--locator', 'JO59'],
    ['changed 21SD333', 'member', 'set', '21SD333', '--locator', 'JO59jw'],
    ['21SD333 is 21SD777 now; the login name is 21sd777', 'member', 'rename', '21SD333', '21SD777'],
    ['21SD777 is disabled', 'member', 'disable', '21SD777'], ['21SD777 is enabled', 'member', 'enable', '21SD777'],
    ["the copy is complete: " . $service->directory . '/copy.db', 'backup', $service->directory . '/copy.db'],
    ['no problems found', 'check']) {
    my ($word, @arguments) = @$_;
    person('', @arguments);
    is $status, 0, "'@arguments' succeeds";
    is $screen, "$word\n", "'@arguments' says so on a terminal";
}
person('', 'key', 'add', '21SD777', '--name', 'x', '--scope', 'READ');
like $screen, qr/\Aqsosync_\w+\nThis is key 1 of 21SD777\. It cannot be shown again\.\n\z/,
    'a person is told that a key is shown once';
$service->admin('club', 'set', '--address', 'https://log.example.org');
for (['key', '/api/v1', '--scope', 'READ'], ['upload-token', '/cloudlog']) {
    my ($kind, $path, @options) = @$_;
    person('', $kind, 'add', '21SD777', '--name', 'y', @options);
    like $screen, qr{again\.\nThe address for the program is https://log\.example\.org$path\.\n\z},
        "a person is told which address goes with the $kind";
}
$service->admin('key', 'revoke', '21SD777', 2);
person('', 'key', 'revoke', '21SD777', '1');
is $screen, "revoked key 1\n", 'a person is told that a key is revoked';

# Deletion asks.
my $question = qr/Delete 21SD777 with 0 QSOs and 0 active keys\? \[y\/N\] /;
for my $answer ("n\n", "\n", "\x04", "yesterday\n") {
    person($answer, 'member', 'delete', '21SD777');
    is $status, 1, 'a deletion that is not wanted is none' . ($answer =~ /\w/ ? ": $answer" =~ s/\n//r : '');
    like $screen, qr/${question}[^\n]*\n?.*qsosync-admin: nothing was deleted\n\z/s,
        'a deletion that is not wanted says that nothing was deleted';
}
like $service->admin('member', 'list'), qr/^21SD777 .* yes /m, 'the member is still there, and active';
person("y\n", 'member', 'delete', '21SD777');
is $status, 0, 'a deletion that is wanted is done';
like $screen, qr/${question}.*\ndeleted 21SD777\n\z/s, 'a deletion that is wanted says so';

# Progress of work of more than a second, on a terminal alone. Where a machine looks at the pages of 400,000 QSOs in
# less than that, there are twice as many, and so on.
$service->admin('member', 'add', 'A', '--locator', 'JO59');
$service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, notes)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
    SELECT (SELECT id FROM members), 0, 0, 0, i, printf(\'%0100d\', i) FROM n');
my $bar = qr/\rchecking pages and indexes: \d+ % \[#* *\] *\r/;
for (1 .. 4) {
    person('', 'check');
    last if $screen =~ $bar;
    $service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, notes) SELECT member_id, 0, '
        . '0, 0, qso_at, notes FROM qsos');
}
like $screen, $bar, 'a check that takes long shows how much of it is done';
like $screen, qr/\r *\rno problems found\n\z/, 'the line goes before the result is said';
my (undef, $output, $errors) = $service->admin_try('check');
is "$output$errors", '', 'a program sees no progress';

done_testing;
