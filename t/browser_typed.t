use QSOsync::Test fronts => 'nginx', slow => 60;
use QSOsync::Browser;
use QSOsync::Profile;
use Encode qw(decode_utf8);

# Input in filters, forms and lines, undo, and moving on, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# Filters with characters that have a meaning in an address.
{
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
}

# Drafts that were not saved.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'drafts.js');
}

# Completed locators.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'locators.js');
}

# Lines from a paper log.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'paper.js');
}

# A key revoked during logging.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'key-revoked.js',
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
}

# Undo after a deletion.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'undo.js');
}

done_testing;
