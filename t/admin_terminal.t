use QSOsync::Test fronts => 'nginx', slow => 10;

# qsosync-admin on a terminal confirms success, asks questions and shows progress. A program gets none of these texts.
my $service = QSOsync::Service->start(wants_member => 0);
my ($status, $screen);
sub person { ($status, $screen) = $service->admin_on_terminal(@_) }

for (['added 21SD333; there is no operator yet, so appoint one with: '
                . 'qsosync-admin member set 21SD333 --operator on',
        'member', 'add', '21sd333', '--locator', 'JO59'],
    ['changed 21SD333', 'member', 'set', '21SD333', '--locator', 'JO59jw'],
    ['21SD333 is now 21SD777; the login name is 21sd777', 'member', 'rename', '21SD333', '21SD777'],
    ['21SD777 is disabled', 'member', 'disable', '21SD777'], ['21SD777 is enabled', 'member', 'enable',
        '21SD777'],
    ["the backup is complete: " . $service->directory . '/copy.db', 'backup', $service->directory . '/copy.db'],
    ['no problems found', 'check']) {
    my ($word, @arguments) = @$_;
    person('', @arguments);
    is $status, 0, "'@arguments' succeeds";
    is $screen, "$word\n", "'@arguments' confirms its success on a terminal";
}
person('', 'key', 'add', '21SD777', '--name', 'x', '--scope', 'READ');
like $screen, qr/\Aqsosync_\w+\nThis is key 1 for 21SD777\. It cannot be shown again\.\n\z/,
    'a terminal shows that a key is printed only once';
$service->admin('club', 'set', '--address', 'https://log.example.org');
for (['key', '/api/v1', '--scope', 'READ'], ['upload-token', '/cloudlog']) {
    my ($kind, $path, @options) = @$_;
    person('', $kind, 'add', '21SD777', '--name', 'y', @options);
    like $screen, qr{again\.\nThe address for the program is https://log\.example\.org$path\.\n\z},
        "a terminal shows the address for the $kind";
}
$service->admin('key', 'revoke', '21SD777', 2);
person('', 'key', 'revoke', '21SD777', '1');
is $screen, "revoked key 1\n", 'a terminal confirms that a key was revoked';

# A deletion asks for confirmation.
my $question = qr/Delete 21SD777 \(QSOs: 0, active keys: 0\)\? \[y\/N\] /;
for my $answer ("n\n", "\n", "\x04", "yesterday\n") {
    person($answer, 'member', 'delete', '21SD777');
    is $status, 1, 'a declined deletion fails' . ($answer =~ /\w/ ? ": $answer" =~ s/\n//r : '');
    like $screen, qr/${question}[^\n]*\n?.*qsosync-admin: nothing was deleted\n\z/s,
        'a declined deletion reports that nothing was deleted';
}
like $service->admin('member', 'list'), qr/^21SD777 .* yes /m, 'a declined deletion keeps the member active';
person("y\n", 'member', 'delete', '21SD777');
is $status, 0, 'a confirmed deletion succeeds';
like $screen, qr/${question}.*\ndeleted 21SD777\n\z/s, 'a confirmed deletion is reported';

# A terminal shows the progress of work that takes more than a second. The test doubles the 400,000 QSOs until
# the check takes that long.
$service->admin('member', 'add', 'A', '--locator', 'JO59');
$service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, notes)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
    SELECT (SELECT id FROM members), 0, 0, 0, i, printf(\'%0100d\', i) FROM n');
my $bar = qr/\rchecking pages and indexes: \d+ % \[#* *\] *\r/;
for (1 .. 4) {
    person('', 'check');
    last if $screen =~ $bar;
    $service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, notes) '
        . 'SELECT member_id, 0, '
        . '0, 0, qso_at, notes FROM qsos');
}
like $screen, $bar, 'a long check shows a progress bar on a terminal';
like $screen, qr/\r *\rno problems found\n\z/, 'the progress bar is erased before the result';
my (undef, $output, $errors) = $service->admin_try('check');
is "$output$errors", '', 'the check prints no progress to a program';
$service->stop;

done_testing;
