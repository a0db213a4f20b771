use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# qsosync-metrics.service writes below a folder of another user: with the rights of its unit, and so that neither that
# user nor the logbook's can lead root to another file.
plan skip_all => 'needs root' if $> != 0;
QSOsync::Front::end_leak_detector();
my ($user, $reader) = map { [(getpwnam $_)[2, 3]] } 'daemon', 'nobody';
plan skip_all => 'needs the users daemon and nobody' if grep { !defined $_->[0] } $user, $reader;
my $unit = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/qsosync-metrics.service");
my ($command) = $unit
    =~ m{^ExecStart=/usr/local/bin/qsosync-admin (.*) /var/lib/prometheus/node-exporter/qsosync\.prom$}m;
is $command, 'metrics --to', 'the unit has the command write the file';
unlike $unit, qr/^(?:Exec\w+=[+!]|Standard\w+=(?:file|append|truncate):)/m,
    'nothing in the unit writes a file with all rights of root';
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
    skip 'setpriv knows no such set here', 1 if system('setpriv', '--bounding-set', $bounds, '--inh-caps', '-all',
        'true') != 0;
    is run(), 0, 'the file is written with the rights of the unit';
    my @status = stat "$text/qsosync.prom";
    is "@status[4, 5] " . sprintf('%o', $status[2] & 07777), "@$reader 644",
        'it belongs to the owner of the folder, and all may read it';
    like QSOsync::Front::read_file("$text/qsosync.prom"), qr/\A# HELP.*^qsosync_qsos 0\n.*\n\z/ms,
        'it holds the numbers of the logbook';

    # Links of the folder's owner: to a file of root's, and to one in the logbook's folder.
    my $treasure = "$place/treasure";
    QSOsync::Front::write_file($treasure, "precious\n");
    for my $name ('qsosync.prom', 'qsosync.prom.new') {
        unlink "$text/$name";
        symlink $treasure, "$text/$name" or die;
        run();
        is QSOsync::Front::read_file($treasure), "precious\n", "a link at $name leads nowhere";
        ok -f "$text/qsosync.prom" && !-l "$text/qsosync.prom",
            "a link at $name does not keep the file from being written";
    }
    rename $text, "$place/moved" or die;
    mkdir "$place/roots" or die;
    QSOsync::Front::write_file("$place/roots/qsosync.prom", "precious\n");
    symlink "$place/roots", $text or die;
    system('chown', '-h', join(':', @$reader), $text) == 0 or die;
    isnt run(), 0, 'a link of the reader in the place of the folder is refused';
    is QSOsync::Front::read_file("$place/roots/qsosync.prom"), "precious\n",
        "root's file behind a link in the place of the folder stays as it was";
}
done_testing;
