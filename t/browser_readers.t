use QSOsync::Test fronts => 'nginx', slow => 150, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Pages for readers of other languages, on slow lines, with large logs and in other browsers.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# Installing the app: what it needs for that is there, and pages offer it.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'install.js');
}

# A large file dropped on the page, and the large log that it makes.
{
    my $service = QSOsync::Service->start(site => 2);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-large.js',
        QSOSYNC_FOLDER => $service->directory);
    is $service->admin('check'), '', 'the logbook is whole';
}

# The rest looks at pages, which are the same with sanitizers.
if (QSOsync::Front::is_sanitized()) {
    done_testing;
    exit;
}

# One language is loaded, early, and a page can be read without it.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico|clusterx/);
    QSOsync::Browser::run($service, 'languages.js');
}

# A language whose texts are 40 % longer than the English ones, which is made here of them, on a narrow phone.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico|clusterx/);
    my $other = $service->add_member('26AT101');
    # QSOs of every kind: confirmed, nearly, and spots.
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

# Every page while it loads over a slow line: what is seen stays where it is.
{
    my $service = QSOsync::Service->start(site => 2);
    QSOsync::Browser::run_as(QSOsync::Operator->with_role($service, '21SD333'), 'loading.js');
}

# The core of the app, sign-in and profile in Firefox, and in WebKitGTK where it is installed (webkit2gtk-driver, xvfb),
# as Safari is made of it.
my %program = (firefox => 'firefox-esr', webkit => 'WebKitWebDriver >/dev/null && command -v Xvfb');
my @browsers = grep { system("command -v $program{$_} >/dev/null 2>&1") == 0 } sort keys %program;
diag 'no other browser: ./bootstrap --browser installs Firefox' if !@browsers;
for my $browser (@browsers) {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-other-browsers.js',
        QSOSYNC_BROWSER => $browser, QSOSYNC_FOLDER => $service->directory);
}

# Cards and labels in Firefox, in every language.
if (grep { $_ eq 'firefox' } @browsers) {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'cards-firefox.js');
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

done_testing;
