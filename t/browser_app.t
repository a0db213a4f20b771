use QSOsync::Test fronts => 'nginx';
use QSOsync::Browser;
use QSOsync::Profile;
use JSON::PP ();

# The app runs in a real browser. Each script has its own service. QSOSYNC_TEST_ROUNDS lengthens the scripts with random
# faults, and QSOSYNC_TEST_SEED selects other faults.

# A member logs, changes and deletes QSOs offline, in tabs that the test kills. The app synchronises with the service,
# although answers are lost and a backup is restored.
script 'app.js', slow => 58, sub {
    my $service = QSOsync::Service->start(site => 1);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    QSOsync::Browser::run($service, 'app.js', QSOSYNC_COOKIE => $me->cookie, QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
};

# Another author's page stores its log with the client kit.
script 'kit.js', slow => 5, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'kit.js');
};

# A signed-in member logs on a device that does not store the log, and then lets the device store the log.
script 'app-session.js', slow => 20, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-session.js',
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
};

# A link with a key opens the app, which downloads the log for the first time.
script 'app-download.js', slow => 11, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->add_member('26AT101');
    my $other = QSOsync::Profile->log_in($service, '26AT101');
    QSOsync::Browser::run($service, 'app-download.js', QSOSYNC_OTHER => $other->{callsign},
        QSOSYNC_PASSWORD => $other->{password});
};

# A member logs an activation in the form, and sends spots.
script 'app-form.js', slow => 15, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-form.js');
};

# A member types channels, tones and several callsigns.
script 'tuning.js', slow => 15, sub {
    my $service = QSOsync::Service->start(site => 1);
    my $german = $service->add_member('13HN207');
    my $signed_in = QSOsync::Profile->log_in($service, '13HN207');
    QSOsync::Browser::run($service, 'tuning.js', QSOSYNC_GERMAN_KEY => $german->{write_key},
        QSOSYNC_GERMAN => '13HN207', QSOSYNC_GERMAN_PASSWORD => $signed_in->{password});
};

# Logbook in the app shows the same QSOs as Logbook in the profile.
script 'app-logbook.js', slow => 25, sub {
    my $service = QSOsync::Service->start(site => 1);
    # This QSO of the partner confirms one of the member's QSOs.
    my $other = $service->add_member('26AT7');
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => undef,
        frequencyMhz => undef, qsoAt => '2025-06-12T15:07:00Z')], key => $other->{write_key});
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-logbook.js');
};

# Logbook in the app shows the same figures and places as Logbook in the profile.
script 'app-figures.js', slow => 20, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-figures.js');
};

# The app counts the awards in its log.
script 'app-awards.js', sub {
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    # This QSO of the partner confirms the member's QSO.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => 'USB',
        qsoAt => '2025-05-17T19:42:00Z')], key => $other->{write_key});
    QSOsync::Browser::run($service, 'app-awards.js');
};

# The form reads lines that were typed from a paper log.
script 'paper.js', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'paper.js');
};

# A key is revoked while its member logs.
script 'key-revoked.js', slow => 15, sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr/favicon\.ico/);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'key-revoked.js',
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
};

# The app and Logbook fill in the member's locator and the station's locator.
script 'locators.js', slow => 10, sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'locators.js');
};

# Storage is full, cleared or missing, or the page is not a secure context. The app states what works, and keeps every
# QSO that it reported as saved. No access log contains the app's key.
script 'app-storage.js', slow => 15, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-storage.js', QSOSYNC_DB => $service->db,
        QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
    my $log = QSOsync::Front::read_file($service->directory . '/access.log');
    like $log, qr{GET /api/v1/logs}, "the front server logs the app's requests";
    unlike $log, qr/qsosync_\w{8}/, 'no access log contains a key';
};

# A member signs out of a browser that stores a log.
script 'app-sign-out.js', slow => 13, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-sign-out.js');
};

# Two members use one device in turn. The service's own texts contain neither the members' callsigns nor their locators,
# so each occurrence is a trace of a member.
script 'shared-device.js', suite => 'all', sub {
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
};

# Each frequent task takes exactly the expected number of taps and key presses.
script 'touches.js', slow => 24, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'touches.js');
};

# The browser can install the app, and pages offer the installation.
script 'install.js', slow => 23, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'install.js');
};

# A new version of the app replaces the old version, and keeps text that a member is typing.
script 'app-takeover.js', slow => 26, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr{/app/missing\.js});
    QSOsync::Browser::run($service, 'app-takeover.js', QSOSYNC_DB => $service->db,
        QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
};

# The QSOs of a first download are shown at once, and stay visible while the app stores them as individual records.
script 'app-packs.js', slow => 13, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-packs.js');
};

# The app has a long log. QSOSYNC_TEST_QSOS sets the number of QSOs (4000 by default).
script 'app-large.js', slow => 17, suite => 'all', sub {
    my $count = $ENV{QSOSYNC_TEST_QSOS} || 4000;
    my $service = QSOsync::Service->start(site => 1);
    fill_log($service, $count);
    QSOsync::Browser::run($service, 'app-large.js', QSOSYNC_QSOS => $count,
        QSOSYNC_CYCLES => $ENV{QSOSYNC_TEST_CYCLES} || 15);
};

# QSOs that were logged offline by keyboard survive random kills of the browser, restarts and restores of the service,
# and lost answers. The browser is killed once per ten QSOs.
script 'app-kills.js', slow => 33, suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    my %variables = (QSOSYNC_FOLDER => $service->directory, QSOSYNC_DB => $service->db,
        QSOSYNC_KEY => $service->write_key, QSOSYNC_LINE_PORT => QSOsync::Service::free_port());
    my $backup = $service->directory . '/before.db';
    $service->post_batch([qso(callsignWorked => '13SD001')]);
    my ($early) = $service->download;
    $service->delete_qso($early->{clientId});
    $service->admin('backup', $backup);
    QSOsync::Browser::run($service, 'app-kills.js', %variables, QSOSYNC_PART => 'log');
    is scalar($service->download), 5, 'the service has the QSOs sent before the network failed';
    $service->restart_workers(sub { $service->admin('restore', $backup) });
    is scalar($service->download), 0, 'the restored service has no QSO';
    QSOsync::Browser::run($service, 'app-kills.js', %variables, QSOSYNC_PART => 'send');
};

# A member with one or two devices logs through an evening of random faults.
script 'evening.js', suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'evening.js', QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
};

# Three operators of a station log, change and delete in the app, offline and online, during kills and other faults.
script 'station-evenings.js', suite => 'all', sub {
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'station-evenings.js', QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
};

# The core of the app, sign-in and the profile work in Firefox and in WebKitGTK (webkit2gtk-driver, xvfb), if these
# browsers are installed. WebKitGTK has the engine of Safari.
script 'app-other-browsers.js', slow => 29, suite => 'all', sub {
    return omit('the pages do not depend on sanitizers') if QSOsync::Front::is_sanitized();
    my %program = (firefox => 'firefox-esr', webkit => 'WebKitWebDriver >/dev/null && command -v Xvfb');
    my @browsers = grep { system("command -v $program{$_} >/dev/null 2>&1") == 0 } sort keys %program;
    return omit('no other browser is installed: ./bootstrap --browser installs Firefox') if !@browsers;
    for my $browser (@browsers) {
        my $service = QSOsync::Service->start(site => 1);
        $service->expect_log(qr/favicon\.ico/);
        QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-other-browsers.js',
            QSOSYNC_BROWSER => $browser, QSOSYNC_FOLDER => $service->directory);
    }
};

done_testing;
