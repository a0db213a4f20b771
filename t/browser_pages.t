use QSOsync::Test fronts => 'nginx', slow => 130;
use QSOsync::Browser;
use QSOsync::Profile;

# The other pages in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# The front page and the spots page.
{
    my $service = QSOsync::Service->start(site => 1,
        environment => { QSOSYNC_CLUB => 'Club 333', QSOSYNC_CLUB_TEXT => 'Wednesdays at eight on 27.555' });
    # The list for programs is not HTML, so the browser asks for its icon.
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run($service, 'cluster.js');
}

# Signing in and out, from an invitation to the first QSO, with two browsers, and with the keyboard.
{
    my $service = QSOsync::Service->start(site => 4);
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
    $service->post_batch([full_qso()]);
    $service->admin('member', 'add', '26AT101', '--locator', 'IO91wm');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my ($replaced) = $service->admin('member', 'invite', '26AT101') =~ /#(\S+)/;
    my ($invitation) = $service->admin('member', 'invite', '26AT101') =~ /(\S+)/;
    QSOsync::Browser::run_as($me, 'sign-in.js', QSOSYNC_INVITATION => $invitation, QSOSYNC_REPLACED => $replaced);
}

# From an invitation on the terminal to the first synchronised QSO, typing only a password.
{
    my $service = QSOsync::Service->start(site => 4, wants_member => 0);
    $service->expect_log(qr/favicon\.ico/);
    $service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
    $service->admin('member', 'add', '26AT101', '--locator', 'JN58');
    QSOsync::Browser::run($service, 'invitation.js',
        QSOSYNC_INVITATION => $service->admin('member', 'invite', '26AT101'));
    is $service->sqlite('SELECT count(*) FROM qsos'), 1, 'the logbook has the QSO';
}

# The operator's page.
{
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
        'a member renamed and disabled on the page is so in the logbook';
}

done_testing;
