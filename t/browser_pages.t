use QSOsync::Test fronts => 'nginx';
use QSOsync::Browser;
use QSOsync::Profile;
use Encode qw(decode_utf8);
use JSON::PP ();

# Visitors, members who sign in, and operators use the pages in a real browser, in several languages and over slow
# connections.

# The front page and the spots page show the club and its spots.
script 'cluster.js', slow => 35, sub {
    my $service = QSOsync::Service->start(site => 1,
        environment => { QSOSYNC_CLUB => 'Club 333', QSOSYNC_CLUB_TEXT => 'Wednesdays at eight on 27.555' });
    # The list for programs is not HTML, so the browser requests /favicon.ico.
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--sandbox', 'on');
    QSOsync::Browser::run($service, 'cluster.js');
};

# The open spots page shows new spots, and survives failures of the connection.
script 'cluster-alive.js', slow => 28, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'cluster-alive.js');
};

# The spots page shows spots from other clusters. The test stores these spots as qsosync-link does.
script 'cluster-network.js', suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    my $row = "('cb.example.org', '60AT101', %s, 27520000, %s, unixepoch() * 1000 - %d)";
    $service->sqlite('INSERT INTO network_spots (source, spotter, callsign, frequency, comment, spotted_at) VALUES '
        . join ', ', sprintf($row, "'172ZZ02'", "'USB <b>59</b>'", 60_000), sprintf($row, "'10QQ03'", "''", 9_000_000));
    QSOsync::Browser::run($service, 'cluster-network.js');
};

# Members sign in and out: from an invitation to the first QSO, with two browsers, and with the keyboard.
script 'sign-in.js', slow => 40, sub {
    my $service = QSOsync::Service->start(site => 4);
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
    $service->post_batch([full_qso()]);
    $service->admin('member', 'add', '26AT101', '--locator', 'IO91wm');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my ($replaced) = $service->admin('member', 'invite', '26AT101') =~ /#(\S+)/;
    my ($invitation) = $service->admin('member', 'invite', '26AT101') =~ /(\S+)/;
    QSOsync::Browser::run_as($me, 'sign-in.js', QSOSYNC_INVITATION => $invitation, QSOSYNC_REPLACED => $replaced);
};

# A new member types only a password between the invitation on the terminal and the first synchronised QSO.
script 'invitation.js', slow => 11, sub {
    my $service = QSOsync::Service->start(site => 4, wants_member => 0);
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
    $service->admin('member', 'add', '26AT101', '--locator', 'JN58');
    QSOsync::Browser::run($service, 'invitation.js',
        QSOSYNC_INVITATION => $service->admin('member', 'invite', '26AT101'));
    is $service->sqlite('SELECT count(*) FROM qsos'), 1, 'the logbook has the QSO';
};

# Members use passkeys, which require an address with a host name.
script 'passkeys.js', slow => 26, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--address', 'http://localhost:' . $service->port);
    $service->admin('member', 'add', $_, '--locator', 'JN58') for qw(26AT101 26AT102);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'passkeys.js',
        QSOSYNC_ORIGIN => 'http://localhost:' . $service->port, QSOSYNC_DB => $service->db,
        QSOSYNC_INVITATION => $service->admin('member', 'invite', '26AT101'),
        QSOSYNC_INVITATION_2 => $service->admin('member', 'invite', '26AT102'));
};

# An operator works through an evening's tasks on the operator's page.
script 'operator.js', slow => 14, sub {
    my $service = QSOsync::Service->start(site => 4);
    $service->expect_log(qr/favicon\.ico/);
    my $theirs = $service->add_member('26AT101');
    $service->admin('member', 'add', '<img src=x>', '--locator', 'JO59');
    $service->post_batch([map { qso() } 1 .. 3], key => $theirs->{write_key});
    $service->post_batch([qso(frequencyMhz => 'x')]);
    my $other = QSOsync::Service->start(site => 1);
    $_->[0]->admin('club', 'set', '--name', $_->[1], '--address', 'http://127.0.0.1:' . $_->[0]->port)
        for [$service, 'Here'], [$other, '<b>There</b>'];
    $other->admin('peer', 'enter', $service->admin('peer', 'add', 'http://127.0.0.1:' . $other->port));
    my $me = QSOsync::Operator->with_role($service, '21SD333');
    QSOsync::Operator->log_in($service, '26AT101');
    QSOsync::Browser::run_as($me, 'operator.js', QSOSYNC_OTHER => '127.0.0.1:' . $other->port);
    $other->stop;
    is $service->sqlite("SELECT count(*) FROM members WHERE callsign = '26AT101'"), 0,
        'a member deleted on the page is gone from the logbook';
    is $service->sqlite("SELECT count(*) FROM members WHERE callsign = '13TH102' AND active = 0"), 1,
        'a member renamed and disabled on the page is renamed and disabled in the logbook';
};

# Several members operate a station.
script 'stations.js', slow => 20, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    $service->add_member($_) for qw(26AT101 1AT100);
    my @people = (QSOsync::Operator->with_role($service, '1AT100'), map { QSOsync::Profile->log_in($service, $_) }
        qw(21SD333 26AT101));
    QSOsync::Browser::run($service, 'stations.js', QSOSYNC_COOKIE => $people[0]->cookie,
        QSOSYNC_PEOPLE => JSON::PP::encode_json([
        map { { callsign => $_->{callsign}, password => $_->{password} } } @people]));
};

# Filters accept characters that have a special meaning in an address.
script 'filters.js', slow => 20, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    my @phrases = ('via box', 'a+b', '50% off', 'say "hi"', "it's &c=1", 'Füße #2');
    $service->admin('member', 'add', $_, '--locator', 'JO59') for @phrases;
    $service->admin('station', 'add', '13HN0/DX', '--locator', 'JO59');
    $service->admin('station', 'grant', '13HN0/DX', '21SD333');
    my $me = QSOsync::Operator->with_role($service, '21SD333');
    my @worked = map { qso(callsignWorked => decode_utf8($_), operatorCallsign => undef) } @phrases;
    QSOsync::Profile::send_json($service, '/profile/data/qsos?log=13HN0/DX', { entries => \@worked },
        headers => { Cookie => $me->cookie });
    QSOsync::Profile::send_json($service, '/profile/data/log-page?log=13HN0/DX', { on => JSON::PP::true() },
        headers => { Cookie => $me->cookie });
    QSOsync::Browser::run_as($me, 'filters.js');
};

# A page loads the texts of one language early, and is readable even if these texts cannot be loaded.
script 'languages.js', slow => 14, suite => 'all', sub {
    return omit('the pages do not depend on sanitizers') if QSOsync::Front::is_sanitized();
    my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_CLUB => 'Club 333' });
    $service->expect_log(qr/favicon\.ico|clusterx/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'languages.js');
};

# Pages fit a narrow phone in an invented language whose texts are 40 % longer than the English texts.
script 'long-texts.js', slow => 15, suite => 'all', sub {
    return omit('the pages do not depend on sanitizers') if QSOsync::Front::is_sanitized();
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico|clusterx/);
    my $other = $service->add_member('26AT101');
    # The log has QSOs of every kind: confirmed, almost confirmed, and spots.
    my @at = map { iso_time(time - 3600 * $_) } 1 .. 4;
    my %qso = (operatorCallsign => undef, mode => 'USB');
    $service->post_batch([map { qso(%qso, callsignWorked => '21SD333', qsoAt => $_) } @at[0, 1]],
        key => $other->{write_key});
    $service->post_batch([map { qso(%qso, callsignWorked => '26AT101', qsoAt => $_, sendSpot => JSON::PP::true()) }
        @at[0, 2, 3]]);
    $service->admin('uploads', 'on');
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'long-texts.js',
        QSOSYNC_LANGUAGES => "$QSOsync::Front::SOURCE/src/languages");
};

# Every page loads over a slow connection, and its visible parts do not move.
script 'loading.js', slow => 32, suite => 'all', sub {
    return omit('the pages do not depend on sanitizers') if QSOsync::Front::is_sanitized();
    my $service = QSOsync::Service->start(site => 4);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'loading.js');
};

# Each view looks right on a desktop and on phones, in two languages.
sub start_views {
    my $service = QSOsync::Service->start(site => 2);
    $service->expect_log(qr/favicon\.ico/);
    fill_log($service, 2_000);
    $service->post_batch([map { qso(callsignWorked => "26AT$_", sendSpot => JSON::PP::true()) } 101 .. 112]);
    return QSOsync::Operator->with_role($service, '21SD333');
}

script 'views.js', slow => 240, suite => 'all', sub { QSOsync::Browser::run_as(start_views(), 'views.js') };

script 'views-firefox.js', slow => 90, suite => 'all', sub {
    return omit('the pages do not depend on sanitizers') if QSOsync::Front::is_sanitized();
    return omit('./bootstrap --browser installs Firefox') if system('command -v firefox-esr >/dev/null 2>&1') != 0;
    QSOsync::Browser::run_as(start_views(), 'views-firefox.js');
};

done_testing;
