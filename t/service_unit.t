use QSOsync::Test fronts => 'none';
use File::Basename qw(basename);
use File::Temp qw(tempdir);
use QSOsync::Cluster;

# The service units restrict their programs, but allow everything that the programs need.
SKIP: {
    sub has { scalar grep { -x "$_/$_[0]" } qw(/usr/bin /bin) }
    skip 'needs systemd-analyze', 1 unless has('systemd-analyze');

    my $folder = "$QSOsync::Front::SOURCE/src/service";
    for my $unit (glob "$folder/*.service") {
        my $judgement = `systemd-analyze security --offline=true --no-pager '$unit' 2>&1`;
        skip 'this systemd-analyze cannot read files', 1 if $judgement =~ /unrecognized option/;
        my ($exposure) = $judgement =~ /Overall exposure level for \S+: (\d+\.\d)/;
        # Units that clients talk to are more restricted than units that a timer starts.
        my $most = QSOsync::Front::read_file($unit) =~ /^StandardInput=socket$/m ? 0.5 : 2;
        cmp_ok $exposure // 10, '<=', $most, 'the exposure that systemd calculates for ' . basename($unit)
            . " is at most $most";
    }

    # Returns a hash of the system calls that the unit's SystemCallFilter lines allow. A line that begins with ~ removes
    # calls.
    sub allowed_calls {
        my ($unit) = @_;
        my (%group, $name);
        for (split /\n/, `systemd-analyze syscall-filter --no-pager 2>/dev/null`) {
            $name = $1 if /^(\@\S+)/;
            push @{$group{$name}}, $1 if /^    (\@?\w[\w-]*)/;
        }
        my $expand;
        $expand = sub { map { /^@/ ? $expand->(@{$group{$_}}) : $_ } @_ };
        my %allowed = map { $_ => 1 } $expand->('@default');
        for (QSOsync::Front::read_file("$folder/$unit") =~ /^SystemCallFilter=(.*)/mg) {
            my ($taken, @names) = (s/^~//, split ' ');
            $allowed{$_} = !$taken for $expand->(@names);
        }
        return \%allowed;
    }

    my $scratch = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

    # Returns a program that runs the unit's command with one worker and records its system calls.
    sub traced {
        my ($unit, $program) = @_;
        my ($command) = QSOsync::Front::read_file("$folder/$unit") =~ /^ExecStart=-?(.*)/m;
        $command =~ s{-f \d+ }{-f 1 };
        $command =~ s{/usr/local/libexec/\S+}{$program};
        mkdir "$scratch/$unit" or die;
        my $wrapper = "$scratch/$unit/" . basename($program);
        QSOsync::Front::write_file($wrapper, "#!/bin/sh\nexec strace -D -f -o $scratch/$unit/calls $command\n");
        chmod 0755, $wrapper;
        return $wrapper;
    }

    sub check_calls {
        my ($unit, @needed) = @_;
        my %made;
        until_true(sub { # strace writes the last lines after its program has ended
            /^\d+\s+(\w+)\((.*)/ and $made{$1} //= $2 for split /\n/, QSOsync::Front::read_file("$scratch/$unit/calls");
            return !grep { !$made{$_} } @needed;
        });
        my $allowed = allowed_calls($unit);
        # As root, SQLite gives files to their owner; the unit's programs do not run as root.
        my @refused = grep { !$allowed->{$_} && !($_ eq 'fchown' && $> == 0) } sort keys %made;
        is join(' ', grep { !$made{$_} } @needed), '', "the trace of $unit has all expected calls" or diag join ' ',
            sort keys %made;
        is "@refused", '', "$unit allows every system call that its program makes";
    }

    SKIP: {
        skip 'needs strace and multiwatch', 10
            unless has('strace') && has('multiwatch') && system('strace -o /dev/null true 2>/dev/null') == 0;
        skip 'sanitizers and coverage add system calls', 10 if QSOsync::Front::is_instrumented();

        my $site = traced('qsosync-site.service', QSOsync::Front::site_program());
        local $ENV{QSOSYNC_TEST_WORKER} = traced('qsosync.service', QSOsync::Front::worker_program());
        no warnings 'redefine';
        local *QSOsync::Front::site_program = sub { $site };
        my $service = QSOsync::Service->start(workers => 1, site => 1);
        my $qso = full_qso(sendSpot => JSON::PP::true());
        $service->post_batch([$qso, map { full_qso() } 1 .. 199]);
        $service->get($_) for '/me', '/logs', '/logs/ids', '/openapi.json';
        is $service->request('GET', $_, raw_path => "/$_")->status, 200, "/$_ returns 200" for 'healthz', '',
            'cluster/spots';
        $service->admin('uploads', 'on');
        my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'logger');
        my $upload = JSON::PP::encode_json({ key => $token, station_profile_id => '1', type => 'adif',
            string => '<call:7>26AT999<qso_date:8>20260517<time_on:6>194200<freq:6>27.555<mode:3>SSB<submode:3>'
                . 'USB<eor>' });
        is $service->request('POST', 'upload', raw_path => '/cloudlog/index.php/api/qso', body => $upload,
            headers => { 'Content-Type' => 'application/json' })->status, 201, 'an upload is saved';
        $service->delete_qso($qso->{clientId});
        {
            my $program = traced('qsosync-cluster@.service', "$QSOsync::Front::BUILD/qsosync-cluster");
            local $QSOsync::Front::BUILD = "$scratch/qsosync-cluster\@.service";
            my $cluster = QSOsync::Cluster->new($service);
            my $client = $cluster->client('21SD333');
            $client->say('sh/dx', 'bye');
            $client->read_until(qr/73 de /, 10);
        }
        $service->stop;
        check_calls('qsosync.service', qw(accept4 fdatasync));
        check_calls('qsosync-site.service', qw(accept4 fdatasync));
        check_calls('qsosync-cluster@.service', qw(pread64));
    }
}

# The limits for clients of the cluster are 10 per address and 500 in all. The port stays open, however many clients
# connect at once.
{
    my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/qsosync-cluster.socket");
    like $text, qr/^\Q$_\E$/m, "qsosync-cluster.socket contains $_"
        for 'Accept=yes', 'MaxConnections=500', 'MaxConnectionsPerSource=10', 'TriggerLimitIntervalSec=0';
}

# systemd counts starts, including those by needrestart after each upgrade of a library. No number of starts stops a
# unit, and a socket keeps listening even if its service cannot start.
for my $path (glob "$QSOsync::Front::SOURCE/src/service/*.{service,socket}") {
    my ($text, $name) = (QSOsync::Front::read_file($path), basename($path));
    next if $name =~ /@/; # one unit per client of the cluster
    like $text, qr/^\[Unit\]\n(?:[^\[\n][^\n]*\n)*StartLimitIntervalSec=0\n/m,
        "$name can start any number of times";
    like $text, qr/^TriggerLimitIntervalSec=0$/m, "$name keeps listening, however often its service fails"
        if $name =~ /\.socket\z/;
}

# qsosync-metrics.service writes below a folder of another user, with the rights of its unit. Neither that user nor the
# logbook's owner can redirect root to another file.
SKIP: {
    skip 'needs root', 1 if $> != 0;
    QSOsync::Front::end_leak_detector();
    my ($user, $reader) = map { [(getpwnam $_)[2, 3]] } 'daemon', 'nobody';
    skip 'needs the users daemon and nobody', 1 if grep { !defined $_->[0] } $user, $reader;
    my $unit = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/qsosync-metrics.service");
    my ($command) = $unit
        =~ m{^ExecStart=/usr/local/bin/qsosync-admin (.*) /var/lib/prometheus/node-exporter/qsosync\.prom$}m;
    is $command, 'metrics --to', "the unit's command writes the file itself";
    unlike $unit, qr/^(?:Exec\w+=[+!]|Standard\w+=(?:file|append|truncate):)/m,
        'the unit never writes a file with all rights of root';
    my ($rights) = $unit =~ /^CapabilityBoundingSet=(.*)$/m;
    my $bounds = join ',', '-all', map { '+' . lc s/^CAP_//r } split ' ', $rights;

    my $place = tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $place or die;
    my ($logbook, $text) = map { mkdir "$place/$_" or die; "$place/$_" } 'logbook', 'text';
    chown @$user, $logbook or die;
    chown @$reader, $text or die;
    chmod 0750, $logbook, $text or die;
    my $program = "$place/qsosync-admin";
    system('install', '-m', '755', "$QSOsync::Front::BUILD/qsosync-admin", $program) == 0 or die;
    system($program, '--db', "$logbook/logbook.db", 'init') == 0 or die;
    sub run {
        system('setpriv', '--bounding-set', $bounds, '--inh-caps', '-all', $program, '--db', "$logbook/logbook.db",
            split(' ', $command), "$text/qsosync.prom");
        $? >> 8;
    }

    SKIP: {
        skip 'setpriv cannot limit capabilities', 1
            if system('setpriv', '--bounding-set', $bounds, '--inh-caps', '-all', 'true') != 0;
        is run(), 0, 'the metrics file is written with the rights of the unit';
        my @status = stat "$text/qsosync.prom";
        is "@status[4, 5] " . sprintf('%o', $status[2] & 07777), "@$reader 644",
            "the metrics file belongs to the folder's owner, and everybody may read it";
        like QSOsync::Front::read_file("$text/qsosync.prom"), qr/\A# HELP.*^qsosync_qsos 0\n.*\n\z/ms,
            "the metrics file contains the logbook's numbers";

        # The folder's owner creates links with the file's names, and a link in place of the folder.
        my $treasure = "$place/treasure";
        QSOsync::Front::write_file($treasure, "precious\n");
        for my $name ('qsosync.prom', 'qsosync.prom.new') {
            unlink "$text/$name";
            symlink $treasure, "$text/$name" or die;
            run();
            is QSOsync::Front::read_file($treasure), "precious\n", "a link at $name is not followed";
            ok -f "$text/qsosync.prom" && !-l "$text/qsosync.prom",
                "a link at $name does not prevent the file from being written";
        }
        rename $text, "$place/moved" or die;
        mkdir "$place/roots" or die;
        QSOsync::Front::write_file("$place/roots/qsosync.prom", "precious\n");
        symlink "$place/roots", $text or die;
        system('chown', '-h', join(':', @$reader), $text) == 0 or die;
        isnt run(), 0, 'a link in place of the folder is refused';
        is QSOsync::Front::read_file("$place/roots/qsosync.prom"), "precious\n",
            "root's file behind a link in place of the folder stays unchanged";
    }
}

done_testing;
