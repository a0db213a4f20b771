use QSOsync::Test fronts => 'nginx', slow => 150, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;
use JSON::PP ();

# Tasks of members: one after the other on a device, with a passkey, and the cost of the main tasks.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# Two members use one device, one after the other. No text of the service contains their callsigns and locators.
{
    my $service = QSOsync::Service->start(site => 1);
    my %locators = ('3BQ501' => 'KP03ab', '8VK702' => 'IM76cd');
    my @people;
    for my $callsign (sort keys %locators) {
        my $member = $service->add_member($callsign, locator => $locators{$callsign});
        $service->post_batch([qso()], key => $member->{write_key});
        my $profile = QSOsync::Profile->log_in($service, $callsign);
        push @people, { callsign => $callsign, locator => $locators{$callsign}, password => $profile->{password} };
    }
    QSOsync::Browser::run($service, 'shared-device.js', QSOSYNC_PEOPLE => JSON::PP::encode_json(\@people));
}

# The cost of the main tasks.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'touches.js');
}

# A station in a real browser.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    $service->add_member($_) for qw(26AT101 1AT100);
    my @people = (QSOsync::Operator->with_role($service, '1AT100'), map { QSOsync::Profile->log_in($service, $_) }
        qw(21SD333 26AT101));
    QSOsync::Browser::run($service, 'stations.js', QSOSYNC_COOKIE => $people[0]->cookie,
        QSOSYNC_PEOPLE => JSON::PP::encode_json([
        map { { callsign => $_->{callsign}, password => $_->{password} } } @people]));
}

# Installing the app: the requirements are met, and pages offer it.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'install.js');
}

# Passkeys, which require an address with a host name.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'passkeys.js',
        QSOSYNC_ORIGIN => 'http://localhost:' . $service->port, QSOSYNC_DB => $service->db);
}

done_testing;
