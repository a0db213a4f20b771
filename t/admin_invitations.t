use QSOsync::Test fronts => 'nginx';
use QSOsync::QrCode;
use Digest::SHA qw(sha256);

# qsosync-admin member invite creates a link that signs a member in once.
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

# The service's address comes from the option --address, the logbook or the environment.
my ($status, $output, $errors) = try_invite('A');
is "$status $output", '1 ', 'member invite without an address prints no link';
is $errors, "qsosync-admin: the service's address is not set; set it once with: "
    . "qsosync-admin club set --address https://log.example.org\n",
    'one line names the command that sets the address';
is scalar(links()), 0, 'a refused invitation creates no link';
{
    local $ENV{QSOSYNC_ADDRESS} = 'https://old.example.org/club/api/v1';
    like invite('A'), qr{\Ahttps://old\.example\.org/club/welcome/#qsosyncin_[0-9A-Za-z]{49}\z},
        "a link uses the address from the environment, without the API's path";
    $service->admin('club', 'set', '--address', 'https://log.example.org/');
    like invite('A'), qr{\Ahttps://log\.example\.org/welcome/#},
        "the logbook's address takes precedence over the address from the environment";
    like invite('A', '--address', 'https://x.example.org'), qr{\Ahttps://x\.example\.org/welcome/#},
        '--address takes precedence over the logbook and the environment';
    $service->admin('club', 'set', '--address', '');
    local $ENV{QSOSYNC_ADDRESS} = 'log.example.org';
    like +(try_invite('A'))[2], qr/\Aqsosync-admin: QSOSYNC_ADDRESS must be [^\n]*\n\z/,
        "an invalid address in the environment is refused with the variable's name";
}
$service->admin('club', 'set', '--address', 'https://log.example.org');
my $link = invite('a');
like $link, qr{\Ahttps://log\.example\.org/welcome/#qsosyncin_[0-9A-Za-z]{49}\z},
    'member invite prints only the link';
my ($token) = $link =~ /#(.*)/;
my @links = links();
is_deeply $links[-1], ['A', 0, uc unpack('H*', sha256($token)), '7.0', 1],
    'the logbook stores the fingerprint of an invitation that expires after seven days';
is scalar(grep { $_->[4] } @links), 1, 'a newer invitation replaces the older invitation';
my $bytes = join '', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->db . '*';
is index($bytes, substr $token, 10), -1, 'no file of the logbook contains an invitation';
invite('B', '--days', 90);
is +(links())[-1][3], '90.0', '--days sets the lifetime of an invitation';

# With --qr, standard error has a QR code. A terminal also shows a sentence about the link.
($status, $output, $errors) = try_invite('A', '--qr');
is $status, 0, 'member invite --qr succeeds';
like $output, qr{\Ahttps://log\.example\.org/welcome/#\S+\n\z}, 'standard output has only the link with --qr';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($errors)), $output =~ s/\n//r,
    'the QR code on standard error contains the link';
($status, my $screen) = $service->admin_on_terminal('', 'member', 'invite', 'A', '--qr', '--days', 1);
my ($shown) = $screen =~ /^(https:\S+)$/m;
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($screen)), $shown,
    'a terminal shows the link and its QR code';
like $screen,
    qr/^This link signs A in once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. It cannot be shown again\.\n\z/m,
    'a terminal shows the expiry of the link';

sub give_all {
    my $today = int(time / 86400);
    $service->sqlite("UPDATE members SET password_hash = 'x' WHERE callsign = 'B';
        INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at,
            may_set_password)
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
is open_for_b() =~ s/10/01/r, '1|01|1', 'an invitation keeps sessions and the password';
invite('B', '--new');
is open_for_b(), '0|0|0', '--new ends all sessions, revokes all links and removes the password';
is $service->get('/me', key => $key)->status, 200, '--new keeps API keys';

# The loop in the manual invites a whole club.
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
        "the manual's shell loop creates a link for each listed member";
}

$service->admin('member', 'disable', 'C');
is_deeply [try_invite('C')],
    [1, '', "qsosync-admin: C is disabled; enable the member with: qsosync-admin member enable C\n"],
    'inviting a disabled member is refused';
is_deeply [try_invite('Z')], [1, '', "qsosync-admin: no member Z\n"], 'inviting an unknown member is refused';
is +(try_invite('A', '--days', $_))[0], 2, "'--days $_' is wrong usage" for 0, 91, 'x', '', '1.5';
is +(try_invite('A', '--address', $_))[0], 2, "'--address $_' is wrong usage" for '', 'log.example.org',
    'ftp://log.example.org', 'https://';
is scalar(grep { $_->[0] eq 'C' } links()), 0, 'a refused command creates no link';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
is system("'$program' --db '@{[$service->db]}' member invite A > /dev/full 2> /dev/null") >> 8, 1,
    'an invitation that cannot be printed fails';

$service->stop;

done_testing;
