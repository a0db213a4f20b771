use QSOsync::Test fronts => 'nginx', slow => 110, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# What a member does with a whole log, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# What a log is worth.
{
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    # The other side of one of the QSOs.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => 'USB',
        qsoAt => '2025-05-17T19:42:00Z')], key => $other->{write_key});
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-awards.js');
}

# QSL cards: another member's, with a hostile design, and one's own.
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
    $friend->request('PUT', 'card', %own, json => { background => 'picture', fields => 'none',
        paper => '"><script>', ink => '#ff00000',
        lines => ["<script>document.title='x'</script>", "\x{202e}" . "long " x 200, { no => 'text' }] });
    $friend->request('PUT', 'card/picture', %own, body => pack 'H*', '89504e470d0a1a0a0000000d4948445200000001'
        . '00000001080000' . '00003a7e9b550000000a49444154789c636800000082008177cd72b60000000049454e44ae426082');
    QSOsync::Browser::run_as($me, 'profile-cards.js');
}

# The history of a log, and taking back.
{
    my $service = QSOsync::Service->start(site => 2);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my %key = map { $_ => $service->admin('key', 'add', '21SD333', '--name', $_, '--scope', 'WRITE') } qw(tablet phone);
    QSOsync::Browser::run_as($me, 'history.js', QSOSYNC_TABLET => $key{tablet}, QSOSYNC_PHONE => $key{phone});
}

# Bringing a file in: stopped, gone on with, and left in its middle.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'import.js');
}

done_testing;
