use QSOsync::Test fronts => 'none';
use Digest::SHA qw(sha256);
use QSOsync::QrCode;
use QSOsync::Terminal;

# qsosync-admin member invite: a link that signs a member in, once.
my $service = QSOsync::Service->start(wants_member => 0);
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(A B C);
delete $ENV{QSOSYNC_ADDRESS};
sub try_invite { $service->admin_try('member', 'invite', @_) }
sub invite { $service->admin('member', 'invite', @_) }
sub links {
    return map { [split /\|/] } split /\n/, $service->sqlite("SELECT callsign, kind, hex(fingerprint),
        round((expires_at - made_at) / 86400000.0, 2), used_at IS NULL AND replaced_at IS NULL
        FROM sign_in_links JOIN members ON members.id = member_id ORDER BY sign_in_links.id");
}

# The address stands in the logbook.
my ($status, $output, $errors) = try_invite('A');
is "$status $output", '1 ', 'without an address there is no link';
is $errors, "qsosync-admin: the address of the service is not known; set it once with: "
    . "qsosync-admin club set --address https://log.example.org\n", 'one line says what to set';
is scalar(links()), 0, 'an invitation that could not be shown was not made';
{
    local $ENV{QSOSYNC_ADDRESS} = 'https://old.example.org/club/api/v1';
    like invite('A'), qr{\Ahttps://old\.example\.org/club/welcome/#qsosyncin_[0-9A-Za-z]{49}\z},
        'the address of the environment is taken, without the path of the API';
    $service->admin('club', 'set', '--address', 'https://log.example.org/');
    like invite('A'), qr{\Ahttps://log\.example\.org/welcome/#}, "the logbook's address comes first";
    like invite('A', '--address', 'https://x.example.org'), qr{\Ahttps://x\.example\.org/welcome/#},
        'an address that is given comes before both';
    $service->admin('club', 'set', '--address', '');
    local $ENV{QSOSYNC_ADDRESS} = 'log.example.org';
    like +(try_invite('A'))[2], qr/\Aqsosync-admin: QSOSYNC_ADDRESS must be [^\n]*\n\z/,
        'an address of the environment that is none is named';
}
$service->admin('club', 'set', '--address', 'https://log.example.org');
my $link = invite('a');
like $link, qr{\Ahttps://log\.example\.org/welcome/#qsosyncin_[0-9A-Za-z]{49}\z}, 'the link is printed alone';
my ($token) = $link =~ /#(.*)/;
my @links = links();
is_deeply $links[-1], ['A', 0, uc unpack('H*', sha256($token)), '7.0', 1],
    'the logbook holds the fingerprint of the invitation, which works for seven days';
is scalar(grep { $_->[4] } @links), 1, 'a newer invitation takes the place of an older one';
my $bytes = join '', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->db . '*';
is index($bytes, substr $token, 10), -1, 'no invitation is stored';
invite('B', '--days', 90);
is +(links())[-1][3], '90.0', '--days says how long it works';

# For people: a QR code, and a word. A program gets the link alone.
($status, $output, $errors) = try_invite('A', '--qr');
is $status, 0, 'an invitation is made with a QR code';
like $output, qr{\Ahttps://log\.example\.org/welcome/#\S+\n\z}, 'standard output has the link alone, with --qr too';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($errors)), $output =~ s/\n//r,
    'the QR code on standard error is the link';
($status, my $screen) = QSOsync::Terminal::admin($service, '', 'member', 'invite', 'A', '--qr', '--days', 1);
my ($shown) = $screen =~ /^(https:\S+)$/m;
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($screen)), $shown, 'a person sees both';
like $screen, qr/^This link signs A in, once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. It cannot be shown again\.\n\z/m,
    'a person is told until when it works';

# --new: nothing older lets anybody in.
sub give_all {
    my $today = int(time / 86400);
    $service->sqlite("UPDATE members SET password_hash = 'x' WHERE callsign = 'B';
        INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at, may_set_password)
        SELECT id, randomblob(32), 'Firefox', 1, $today, 0, 0 FROM members WHERE callsign = 'B';
        INSERT INTO sign_in_links (member_id, kind, fingerprint, made_at, expires_at)
        SELECT id, 1, randomblob(32), 1, 9e12 FROM members WHERE callsign = 'B';");
}
sub open_for_b {
    return $service->sqlite("SELECT (SELECT count(*) FROM sessions WHERE member_id = m.id),
        (SELECT group_concat(kind, '') FROM sign_in_links WHERE member_id = m.id AND used_at IS NULL
            AND replaced_at IS NULL), password_hash IS NOT NULL
        FROM members m WHERE callsign = 'B'") =~ s/\s+\z//r;
}
my $key = $service->admin('key', 'add', 'B', '--name', 'x', '--scope', 'READ');
give_all();
invite('B');
is open_for_b() =~ s/10/01/r, '1|01|1', 'an invitation leaves what is there as it is';
invite('B', '--new');
is open_for_b(), '0|0|0', '--new ends all sessions and links, and the password';
is $service->get('/me', key => $key)->status, 200, '--new leaves keys as they are';

# A whole club, as the manual says it.
my ($loop) = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/manual/qsosync-admin.8")
    =~ /^( +cut [^\n]*list\.txt.*?^ +done)$/ms;
QSOsync::Front::write_file($service->directory . '/list.txt', "A, JO59\nB, JO59\n");
{
    local @ENV{'PATH', 'QSOSYNC_DB'} = ("$QSOsync::Front::BUILD:$ENV{PATH}", $service->db);
    my $lines = $loop =~ s/\\-/-/gr;
    my $invited = do {
        open my $shell, '-|', 'bash', '-c', "cd '@{[$service->directory]}' && $lines" or die $!;
        local $/;
        <$shell>;
    };
    like $invited, qr{\AA, https://log\.example\.org/welcome/#\S+\nB, https://log\.example\.org/welcome/#\S+\n\z},
        "the manual's lines for a shell give each member of a list a link";
}

# Refused.
$service->admin('member', 'disable', 'C');
is_deeply [try_invite('C')], [1, '', "qsosync-admin: C is disabled; first: qsosync-admin member enable C\n"],
    'a disabled member is not invited';
is_deeply [try_invite('Z')], [1, '', "qsosync-admin: no member Z\n"], 'nobody is invited who is no member';
is +(try_invite('A', '--days', $_))[0], 2, "'--days $_' is wrong usage" for 0, 91, 'x', '', '1.5';
is +(try_invite('A', '--address', $_))[0], 2, "'--address $_' is wrong usage" for '', 'log.example.org',
    'ftp://log.example.org', 'https://';
is scalar(grep { $_->[0] eq 'C' } links()), 0, 'what is refused makes no link';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
is system("'$program' --db '@{[$service->db]}' member invite A > /dev/full 2> /dev/null") >> 8, 1,
    'a link that cannot be shown is a failure';

# qsosync-admin on a terminal: a word of success, questions, progress. A program is told nothing of that.
{
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
        $service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, notes) '
            . 'SELECT member_id, 0, '
            . '0, 0, qso_at, notes FROM qsos');
    }
    like $screen, $bar, 'a check that takes long shows how much of it is done';
    like $screen, qr/\r *\rno problems found\n\z/, 'the line goes before the result is said';
    my (undef, $output, $errors) = $service->admin_try('check');
    is "$output$errors", '', 'a program sees no progress';
}

done_testing;
