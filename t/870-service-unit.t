use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# The service unit: how far it shuts the workers in, and that it leaves them what they need. The socket unit
# starts no program.
sub has { scalar grep { -x "$_/$_[0]" } qw(/usr/bin /bin) }
plan skip_all => 'needs systemd-analyze' unless has('systemd-analyze');

my $unit = "$QSOsync::Front::SOURCE/nginx/qsosync.service";
my $judgement = `systemd-analyze security --offline=true --no-pager $unit 2>&1`;
plan skip_all => 'this systemd-analyze reads no files' if $judgement =~ /unrecognized option/;
my ($exposure) = $judgement =~ /Overall exposure level for \S+: (\d+\.\d)/;
cmp_ok $exposure // 10, '<=', 1.5, 'the exposure that systemd calculates for the service unit is at most 1.5';

SKIP: {
    skip 'needs strace and multiwatch', 2
        unless has('strace') && has('multiwatch') && system('strace -o /dev/null true 2>/dev/null') == 0;
    skip 'sanitizers and coverage make calls of their own', 2 if QSOsync::Front::is_instrumented();

    # What SystemCallFilter lets through: groups and names, taken away again by a line that begins with ~.
    my (%group, $name);
    for (split /\n/, `systemd-analyze syscall-filter --no-pager 2>/dev/null`) {
        $name = $1 if /^(\@\S+)/;
        push @{$group{$name}}, $1 if /^    (\@?\w[\w-]*)/;
    }
    my $expand;
    $expand = sub { map { /^@/ ? $expand->(@{$group{$_}}) : $_ } @_ };
    my %allowed = map { $_ => 1 } $expand->('@default');
    for (QSOsync::Front::read_file($unit) =~ /^SystemCallFilter=(.*)/mg) {
        my ($taken, @names) = (s/^~//, split ' ');
        $allowed{$_} = !$taken for $expand->(@names);
    }

    my $scratch = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $program = QSOsync::Front::worker_program();
    my ($command) = QSOsync::Front::read_file($unit) =~ /^ExecStart=(.*)/m;
    $command =~ s{-f 4 }{-f 1 };
    $command =~ s{/usr/local/libexec/qsosync\.fcgi}{$program};
    QSOsync::Front::write_file("$scratch/traced", "#!/bin/sh\nexec strace -D -f -o $scratch/calls $command\n");
    chmod 0755, "$scratch/traced";
    local $ENV{QSOSYNC_TEST_WORKER} = "$scratch/traced";
    my $service = QSOsync::Service->start(workers => 1);
    my $qso = full_qso(sendSpot => JSON::PP::true());
    $service->post_batch([$qso, map { full_qso() } 1 .. 199]);
    $service->get($_) for '/me', '/logs', '/logs/ids', '/openapi.json';
    $service->delete_qso($qso->{clientId});
    $service->stop;

    my %made;
    /^\d+\s+(\w+)\((.*)/ and $made{$1} //= $2 for split /\n/, QSOsync::Front::read_file("$scratch/calls");
    # SQLite gives files to their owner where root is at work; the unit's workers are not root.
    my @refused = grep { !$allowed{$_} && !($_ eq 'fchown' && $> == 0) } sort keys %made;
    ok $made{epoll_pwait} && $made{fdatasync}, 'the trace shows the workers serving and writing' or diag join ' ', sort keys %made;
    is "@refused", '', 'the service unit allows every system call that the workers make';
}

done_testing;
