use QSOsync::Test fronts => 'nginx', slow => 50, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Spots in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# The open spots page: new spots appear, and the connection fails.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'cluster-alive.js');
}

# Spots of other clusters, as stored by qsosync-link.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    my $row = "('cb.example.org', '60AT101', %s, 27520000, %s, unixepoch() * 1000 - %d)";
    $service->sqlite('INSERT INTO network_spots (source, spotter, callsign, frequency, comment, spotted_at) VALUES '
        . join ', ', sprintf($row, "'172ZZ02'", "'USB <b>59</b>'", 60_000), sprintf($row, "'10QQ03'", "''", 9_000_000));
    QSOsync::Browser::run($service, 'cluster-network.js');
}

done_testing;
