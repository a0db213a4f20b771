use QSOsync::Test fronts => 'none';
use File::Basename qw(basename);
use File::Temp qw(tempdir);

# A worker reports a wrong setting, and is not restarted endlessly. The unit checks the settings before it starts a
# worker, and multiwatch gives up after a limited number of attempts.
my $folder = "$QSOsync::Front::SOURCE/src/service";
my $scratch = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
my %program = ('qsosync.service' => QSOsync::Front::worker_program(),
    'qsosync-site.service' => QSOsync::Front::site_program());

for my $unit (sort keys %program) {
    my $text = QSOsync::Front::read_file("$folder/$unit");
    my ($before) = $text =~ m{^ExecStartPre=/usr/local/libexec/(\S+ --check)$}m;
    is $before, basename($program{$unit}) . ' --check', "$unit checks its settings before it starts workers";
    my $check = sub {
        my (%environment) = @_;
        local %ENV = ((map { ($_ => $ENV{$_}) } grep { !/\AQSOSYNC_/ } keys %ENV), %environment);
        my $said = `'$program{$unit}' --check 2>&1 < /dev/null`;
        ($? >> 8, $said);
    };
    my ($status, $said) = $check->(QSOSYNC_WRITE_WAIT_MS => '10 s');
    is $status, 78, "$unit: a wrong setting gives exit status 78";
    like $said, qr/\A[^\n]*QSOSYNC_WRITE_WAIT_MS must be an integer from 0 to 60000\n\z/,
        "$unit: a wrong setting is reported in one line";
    ($status, $said) = $check->(QSOSYNC_WRITE_WAIT_MS => '10');
    is "$status$said", '0', "$unit: valid settings pass without a message";
    ($status, $said) = $check->(QSOSYNC_RATE_LIMT => '10');
    is $status, 0, "$unit: a misspelt setting does not prevent the start";
    like $said, qr/there is no setting QSOSYNC_RATE_LIMT\n\z/, "$unit: a misspelt setting is reported";

    SKIP: {
        skip 'needs multiwatch', 1 if !-x '/usr/bin/multiwatch';
        my ($command) = $text =~ /^ExecStart=(.*)$/m;
        my $counted = "$scratch/" . basename($program{$unit});
        QSOsync::Front::write_file($counted, "#!/bin/sh\necho >> $counted.count\nexec $program{$unit}\n");
        chmod 0755, $counted or die;
        $command =~ s{/usr/local/libexec/\S+}{$counted};
        local $ENV{QSOSYNC_WRITE_WAIT_MS} = '10 s';
        system("timeout 60 $command > $counted.log 2>&1 < /dev/null");
        my $starts = () = QSOsync::Front::read_file("$counted.count") =~ /\n/g;
        cmp_ok $starts, '<=', 200, "$unit: multiwatch gives up after at most 200 starts";
    }
}

done_testing;
