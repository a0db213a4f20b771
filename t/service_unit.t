use QSOsync::Test fronts => 'none';
use File::Basename qw(basename);
use File::Temp qw(tempdir);
use QSOsync::Cluster;

# The service units: how far they shut their programs in, and that they leave them what they need. Socket units and
# timers start no program of ours.
sub has { scalar grep { -x "$_/$_[0]" } qw(/usr/bin /bin) }
plan skip_all => 'needs systemd-analyze' unless has('systemd-analyze');

my $folder = "$QSOsync::Front::SOURCE/src/service";
for my $unit (glob "$folder/*.service") {
    my $judgement = `systemd-analyze security --offline=true --no-pager '$unit' 2>&1`;
    plan skip_all => 'this systemd-analyze reads no files' if $judgement =~ /unrecognized option/;
    my ($exposure) = $judgement =~ /Overall exposure level for \S+: (\d+\.\d)/;
    # Those that clients talk to are shut in further than those that a timer starts.
    my $most = QSOsync::Front::read_file($unit) =~ /^StandardInput=socket$/m ? 0.5 : 2;
    cmp_ok $exposure // 10, '<=', $most, 'the exposure that systemd calculates for ' . basename($unit)
        . " is at most $most";
}

# What SystemCallFilter lets through: groups and names, taken away again by a line that begins with ~.
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

# A program that does the same as the unit's command, with one worker, and has its system calls written down.
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
    until_true(sub { # strace writes the last of it when its program has ended
        /^\d+\s+(\w+)\((.*)/ and $made{$1} //= $2 for split /\n/, QSOsync::Front::read_file("$scratch/$unit/calls");
        return !grep { !$made{$_} } @needed;
    });
    my $allowed = allowed_calls($unit);
    # SQLite gives files to their owner where root is at work; the unit's programs are not root.
    my @refused = grep { !$allowed->{$_} && !($_ eq 'fchown' && $> == 0) } sort keys %made;
    is join(' ', grep { !$made{$_} } @needed), '', "the trace of $unit shows the program at work" or diag join ' ',
        sort keys %made;
    is "@refused", '', "$unit allows every system call that its program makes";
}

SKIP: {
    skip 'needs strace and multiwatch', 10
        unless has('strace') && has('multiwatch') && system('strace -o /dev/null true 2>/dev/null') == 0;
    skip 'sanitizers and coverage make calls of their own', 10 if QSOsync::Front::is_instrumented();

    my $site = traced('qsosync-site.service', QSOsync::Front::site_program());
    local $ENV{QSOSYNC_TEST_WORKER} = traced('qsosync.service', QSOsync::Front::worker_program());
    no warnings 'redefine';
    local *QSOsync::Front::site_program = sub { $site };
    my $service = QSOsync::Service->start(workers => 1, site => 1);
    my $qso = full_qso(sendSpot => JSON::PP::true());
    $service->post_batch([$qso, map { full_qso() } 1 .. 199]);
    $service->get($_) for '/me', '/logs', '/logs/ids', '/openapi.json';
    is $service->request('GET', $_, raw_path => "/$_")->status, 200, "/$_ is there" for 'healthz', '', 'cluster/spots';
    $service->admin('uploads', 'on');
    my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'logger');
    my $upload = JSON::PP::encode_json({ key => $token, station_profile_id => '1', type => 'adif',
        string => '<call:7>26AT999<qso_date:8>20260517<time_on:6>194200<freq:6>27.555<mode:3>SSB<submode:3>USB<eor>' });
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

done_testing;
