use QSOsync::Test fronts => 'nginx';
use QSOsync::Browser;
use QSOsync::Profile;
use JSON::PP ();

# A member uses the profile and the log in a real browser.

# A member creates and revokes keys and upload tokens.
script 'profile-access.js', slow => 34, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->admin('uploads', 'on');
    # The browser requests /favicon.ico.
    $service->expect_log(qr/favicon\.ico/);
    $service->post_batch([qso()], key => $service->read_key);
    $service->post_batch([map { qso(frequencyMhz => 'x') } 1 .. 3]);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-access.js');
};

# A browser and the app in it are one device.
script 'devices.js', slow => 19, sub {
    QSOsync::Browser::run_as(QSOsync::Profile->log_in(QSOsync::Service->start(site => 1), '21SD333'), 'devices.js');
};

# A member edits QSOs, and downloads an ADIF file and the member's data. Some requests are refused.
script 'profile-log.js', slow => 35, sub {
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('1AT100');
    # The partner's QSO is an hour later.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, qsoAt => '2026-01-01T19:00:00Z')],
        key => $other->{write_key});
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-log.js',
        QSOSYNC_FOLDER => $service->directory);
};

# A member sets up alerts: rules, ways, trials, and limits.
script 'profile-alerts.js', slow => 25, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-alerts.js');
};

# Alerts arrive at chat services and in a browser.
script 'profile-alerts-sent.js', slow => 20, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
    my $other = $service->add_member('26AT101');
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-alerts-sent.js',
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'),
        QSOSYNC_OTHER_KEY => $other->{write_key});
};

# Forms restore typed text that was not saved.
script 'drafts.js', slow => 10, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'drafts.js');
};

# A member undoes a deletion.
script 'undo.js', slow => 15, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'undo.js');
};

# On a phone, a swipe deletes a QSO.
script 'swipes.js', slow => 8, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'swipes.js');
};

# The profile shows the awards and statistics of a log.
script 'profile-awards.js', slow => 17, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    # This QSO of the partner confirms the member's QSO.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => 'USB',
        qsoAt => '2025-05-17T19:42:00Z')], key => $other->{write_key});
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-awards.js');
};

# The gallery shows another member's QSL card with a hostile design, and the member's own card.
script 'profile-cards.js', slow => 29, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    my $friend = QSOsync::Profile->log_in($service, '26AT101');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    for my $day (16, 17) {
        my %at = (qsoAt => "2026-05-${day}T19:42:00Z", operatorCallsign => undef, mode => 'AM');
        $service->post_batch([qso(%at, callsignWorked => '26AT101', rstReceived => '57')]);
        $service->post_batch([qso(%at, callsignWorked => '21SD333')], key => $other->{write_key});
    }
    my %own = (headers => { 'Sec-Fetch-Site' => 'same-origin' });
    # Only an older release stored such a card.
    my $design = JSON::PP->new->ascii->encode({ background => 'picture', fields => 'none', paper => '"><script>',
        ink => '#ff00000',
        lines => ["<script>document.title='x'</script>", "\x{202e}" . "long " x 200, { no => 'text' }] });
    $friend->request('PUT', 'card', %own, json => {});
    $service->sqlite("UPDATE cards SET content = CAST('" . $design =~ s/'/''/gr . "' AS BLOB);
        INSERT INTO cards (member_id, part, set_at, content) SELECT member_id, 1, 1, x'89504e470d0a1a0a0000000d49484452"
        . '000000010000000108000000003a7e9b550000000a49444154789c636800000082008177cd72b60000000049454e44ae426082'
        . "' FROM cards");
    QSOsync::Browser::run_as($me, 'profile-cards.js');
};

# Older releases stored any object as a design. Each of 200 members has a random design, and no design hides another
# member's card.
script 'cards-random.js', suite => 'all', sub {
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
    is $service->sqlite('SELECT count(*) FROM qsos WHERE confirmed_by IS NOT NULL'), 400, '200 contacts are confirmed';
    note "QSOSYNC_TEST_SEED=$seed";
    QSOsync::Browser::run_as($me, 'cards-random.js');
};

# Firefox shows cards and labels in every language.
script 'cards-firefox.js', slow => 16, suite => 'all', sub {
    return omit('the pages do not depend on sanitizers') if QSOsync::Front::is_sanitized();
    return omit('./bootstrap --browser installs Firefox') if system('command -v firefox-esr >/dev/null 2>&1') != 0;
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'cards-firefox.js');
};

# The History section shows edits and undoes them.
script 'history.js', slow => 10, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 4);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my %key = map { $_ => $service->admin('key', 'add', '21SD333', '--name', $_, '--scope', 'WRITE') } qw(tablet phone);
    QSOsync::Browser::run_as($me, 'history.js', QSOSYNC_TABLET => $key{tablet}, QSOSYNC_PHONE => $key{phone});
};

# Logbook shows possible duplicates, and merges them.
script 'doubles.js', slow => 15, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'doubles.js');
};

# The import of a file is stopped, continued, and abandoned halfway.
script 'import.js', suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'import.js');
};

# Sheets are imported: their columns and questions, refusals, and a sheet of 20,000 rows.
script 'import-sheet.js', slow => 20, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'import-sheet.js');
};

# A member drops a large file on the page to import a log.
script 'profile-large.js', slow => 20, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 4);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-large.js',
        QSOSYNC_FOLDER => $service->directory);
    is $service->admin('check'), '', 'the logbook passes the check with a large log';
};

done_testing;
