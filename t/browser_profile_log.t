use QSOsync::Test fronts => 'nginx', slow => 110, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# A member's work with a whole log, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# Awards and statistics of a log.
{
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    # The partner's QSO.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => 'USB',
        qsoAt => '2025-05-17T19:42:00Z')], key => $other->{write_key});
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-awards.js');
}

# QSL cards: another member's with a hostile design, and the member's own.
{
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    my $friend = QSOsync::Profile->log_in($service, '26AT101');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    for my $day (16, 17) {
        my %at = (qsoAt => "2026-05-${day}T19:42:00Z", operatorCallsign => undef);
        $service->post_batch([qso(%at, callsignWorked => '26AT101', rstReceived => '57')]);
        $service->post_batch([qso(%at, callsignWorked => '21SD333')], key => $other->{write_key});
    }
    my %own = (headers => { 'Sec-Fetch-Site' => 'same-origin' });
    # A card as stored by an older release.
    my $design = JSON::PP->new->ascii->encode({ background => 'picture', fields => 'none', paper => '"><script>',
        ink => '#ff00000',
        lines => ["<script>document.title='x'</script>", "\x{202e}" . "long " x 200, { no => 'text' }] });
    $friend->request('PUT', 'card', %own, json => {});
    $service->sqlite("UPDATE cards SET content = CAST('" . $design =~ s/'/''/gr . "' AS BLOB);
        INSERT INTO cards (member_id, part, set_at, content) SELECT member_id, 1, 1, x'89504e470d0a1a0a0000000d49484452"
        . '000000010000000108000000003a7e9b550000000a49444154789c636800000082008177cd72b60000000049454e44ae426082'
        . "' FROM cards");
    QSOsync::Browser::run_as($me, 'profile-cards.js');
}

# Designs as older releases stored them, with any object: each of 200 members has a random one, and none hides another's
# card.
{
    my $service = QSOsync::Service->start(site => 1);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my $seed = $ENV{QSOSYNC_TEST_SEED} // 20261128;
    srand $seed;
    my @words = (qw(waves rings picture toString valueOf constructor __proto__ notes mode length), '#112233', '#gggggg',
        '', 'x' x 500, "\x{202e}", "<svg onload=alert(1)>", "\x{1F600}" x 30, "a\nb");
    my $any;
    my $some = sub { map { $any->($_[0] + 1) } 1 .. rand 5 };
    $any = sub {
        my ($depth) = @_;
        my $kind = int rand($depth > 3 ? 4 : 6);
        return $kind == 0 ? $words[rand @words] : $kind == 1 ? int(rand 1e6) - 5e5 : $kind == 2 ? undef
            : $kind == 3 ? JSON::PP::true() : $kind == 4 ? [$some->($depth)]
            : { map { $words[rand @words] => $_ } $some->($depth) };
    };
    my @designs = map { +{ map { rand() < 0.8 ? ($_ => $any->(0)) : () }
        qw(background paper ink lines fields), $words[rand @words] } } 1 .. 199;
    unshift @designs, { background => { toString => 1, valueOf => 1 } };
    my $sql = join ";\n", map {
        my ($number, $design) = ($_ + 1000, JSON::PP->new->ascii->canonical->encode($designs[$_]) =~ s/'/''/gr);
        ("INSERT INTO members (id, callsign, locator, login, created_at, log_revision)
            VALUES ($number, '26AT$number', 'JO59', 'member $number', 1, 0)",
        "INSERT INTO cards (member_id, part, set_at, content) VALUES ($number, 0, 1, CAST('$design' AS BLOB))",
        "INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at, callsign_worked)
            VALUES ($number, randomblob(16), 1, 1, 0, 1767225600000 + $number * 60000, '21SD333')")
    } 0 .. 199;
    my $file = $service->directory . '/members.sql';
    QSOsync::Front::write_file($file, "BEGIN;\n$sql;\nCOMMIT;\n");
    $service->sqlite(".read $file");
    $service->post_batch([map { qso(callsignWorked => '26AT' . ($_ + 1000), operatorCallsign => undef,
        qsoAt => iso_time(1767225600 + ($_ + 1000) * 60)) } 0 .. 199]);
    is $service->sqlite('SELECT count(*) FROM qsos WHERE confirmed_by IS NOT NULL'), 400, '200 QSOs are confirmed';
    note "QSOSYNC_TEST_SEED=$seed";
    QSOsync::Browser::run_as($me, 'cards-random.js');
}

# The history of a log, and undo.
{
    my $service = QSOsync::Service->start(site => 4);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my %key = map { $_ => $service->admin('key', 'add', '21SD333', '--name', $_, '--scope', 'WRITE') } qw(tablet phone);
    QSOsync::Browser::run_as($me, 'history.js', QSOSYNC_TABLET => $key{tablet}, QSOSYNC_PHONE => $key{phone});
}

# Possible doubles.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'doubles.js');
}

# Importing a file: stopped, continued, and abandoned halfway.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'import.js');
}

done_testing;
