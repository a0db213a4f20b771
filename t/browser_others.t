use QSOsync::Test fronts => 'nginx', slow => 100, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Pages in other browsers.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
plan skip_all => 'the pages do not depend on sanitizers' if QSOsync::Front::is_sanitized();

# The core of the app, sign-in and profile in Firefox, and in WebKitGTK if it is installed (webkit2gtk-driver, xvfb).
# WebKitGTK has the engine of Safari.
my %program = (firefox => 'firefox-esr', webkit => 'WebKitWebDriver >/dev/null && command -v Xvfb');
my @browsers = grep { system("command -v $program{$_} >/dev/null 2>&1") == 0 } sort keys %program;
plan skip_all => 'no other browser is installed: ./bootstrap --browser installs Firefox' if !@browsers;
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

done_testing;
