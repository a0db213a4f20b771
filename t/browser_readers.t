use QSOsync::Test fronts => 'nginx', slow => 200, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Pages for readers of other languages, and on slow lines, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
plan skip_all => 'the pages do not depend on sanitizers' if QSOsync::Front::is_sanitized();

# A page loads one language early, and is readable without it.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico|clusterx/);
    QSOsync::Browser::run($service, 'languages.js');
}

# An invented language with texts 40 % longer than the English ones, on a narrow phone.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico|clusterx/);
    my $other = $service->add_member('26AT101');
    # QSOs of every kind: confirmed, almost confirmed, and spots.
    my @at = map { iso_time(time - 3600 * $_) } 1 .. 4;
    my %qso = (operatorCallsign => undef, mode => 'USB');
    $service->post_batch([map { qso(%qso, callsignWorked => '21SD333', qsoAt => $_) } @at[0, 1]],
        key => $other->{write_key});
    $service->post_batch([map { qso(%qso, callsignWorked => '26AT101', qsoAt => $_, sendSpot => JSON::PP::true()) }
        @at[0, 2, 3]]);
    $service->admin('uploads', 'on');
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'long-texts.js',
        QSOSYNC_LANGUAGES => "$QSOsync::Front::SOURCE/src/languages");
}

# Every page loads over a slow line without moving what is visible.
{
    my $service = QSOsync::Service->start(site => 4);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'loading.js');
}

done_testing;
