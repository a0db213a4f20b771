# Runs the programs of the client kit, and kills them.
package QSOsync::Kit;
use strict;
use warnings;
use POSIX ();
use Test::More ();
use Time::HiRes qw(sleep);
use QSOsync::Front;
use QSOsync::Proxy;

# Returns the path of a client's file: the built file or, without a built file, the source.
sub client {
    my ($name) = @_;
    my $built = "$QSOsync::Front::BUILD/clients/$name";
    return -e $built ? $built : "$QSOsync::Front::SOURCE/src/clients/$name";
}

# Returns the environment that every client of the kit reads: the service's address, a file with the key, and the folder
# for its files.
sub environment {
    my ($service, %option) = @_;
    my $key = $option{key} || $service->write_key;
    my $file = $service->directory . '/key-' . substr($key, -6);
    QSOsync::Front::write_file($file, "$key\n");
    return { QSOSYNC_URL => $option{url} || $service->base_url, QSOSYNC_KEY_FILE => $file,
        XDG_STATE_HOME => $service->directory . '/state' };
}

# Starts a command in its own process group with its output in $log. Returns the command's process id.
sub start {
    my ($log, $environment, @command) = @_;
    return QSOsync::Front::spawn($log, { %$environment, LC_ALL => 'C.UTF-8' }, undef, @command);
}

# Runs a command to its end, and returns its exit status and its output on both channels.
sub run {
    my ($log, $environment, @command) = @_;
    unlink $log;
    my $pid = start($log, $environment, @command);
    waitpid $pid, 0;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, QSOsync::Front::read_file($log));
}

# Starts the checker of clients with these arguments. end_check reads the checker's exit status and lines, so that
# several checks can wait at the same time.
sub begin_check {
    my (@arguments) = @_;
    open my $lines, '-|', 'python3', client('qsosync-check-client.py'), @arguments or die "python3: $!";
    return $lines;
}
sub end_check {
    my ($lines) = @_;
    my $text = join '', <$lines>;
    close $lines;
    return ($? >> 8, $text);
}

# Runs a command and kills it after this many seconds, at random with or without its children. Returns true if the
# command was killed, or false if it had already ended.
sub run_and_kill {
    my ($log, $environment, $seconds, @command) = @_;
    my $pid = start($log, $environment, @command);
    sleep $seconds;
    my $killed = waitpid($pid, POSIX::WNOHANG) == 0;
    return 0 unless $killed;
    kill 'KILL', rand() < 0.5 ? $pid : -$pid;
    waitpid $pid, 0;
    return 1;
}

# Deletes QSOs on the service in each situation that a client can encounter, and lets the client sync:
# $is_in_step->($rule, $url) syncs and tests that its copy equals the log. The client may request the ids only if it
# cannot know all deletions.
sub test_deletions {
    my ($service, $is_in_step, @client_ids) = @_;
    my $synchronise = sub {
        my ($rule, $is_asked) = @_;
        $service->delete_qso(shift @client_ids)->status == 204 or die 'not deleted';
        my $proxy = QSOsync::FaultyProxy->start($service, sub { 'pass' });
        $is_in_step->($rule, $proxy->url);
        my $ids = grep { $_->{target} =~ m{/logs/ids} } $proxy->journal;
        Test::More::is($ids ? 1 : 0, $is_asked, "$rule: the client requests " . ($is_asked ? 'the ids' : 'no ids'));
    };
    $synchronise->('a reported deletion', 0);
    my $since = $service->sqlite('SELECT deletions_since FROM logbook');
    $service->sqlite('UPDATE logbook SET deletions_since = last_stamp + 3600000');
    $synchronise->('a deletion while the service has forgotten others', 1);
    $service->sqlite("UPDATE logbook SET deletions_since = $since");
    $synchronise->('a deletion while the service has all of them again', 0);

    my $older = QSOsync::ChangingProxy->start($service,
        request => sub { $_[0] =~ s/^Accept-Encoding:.*\r\n//mi; return },
        answer => sub {
            $_[0] =~ s/^Content-Length:.*\r\n//mi;
            $_[1] =~ s/,"deleted":\[.*?\],"deletedComplete":(?:true|false)//s;
        });
    for my $time ('first', 'second') {
        $service->delete_qso(shift @client_ids)->status == 204 or die 'not deleted';
        $is_in_step->("a deletion on a service that does not report any, the $time time", 'http://127.0.0.1:'
            . $older->port . '/api/v1');
    }
    $synchronise->('the first deletion after an upgrade to a service that reports them', 0);
}

# Tests two folders of one log that is restored from a backup. The folder that is behind never overwrites a version that
# the other folder has already replaced. $sync->($name, $notes, $url) puts these notes of one QSO into the folder of
# that name, unless they are undefined. Then $sync syncs the folder, through $url if given, and returns the notes in the
# folder. $sync tests nothing, because another process also calls it.
sub test_restored {
    my ($service, $sync) = @_;
    my $is_everywhere = sub {
        my ($notes, $rule) = @_;
        $sync->($_) for qw(ahead behind);
        Test::More::is_deeply([$sync->('ahead'), $sync->('behind'), map { $_->{notes} } $service->download],
            [($notes) x 3], $rule);
    };
    my $backup = $service->directory . '/backup.db';
    $service->admin('backup', $backup);

    # The folder that is behind syncs first.
    $sync->('ahead', 'older');
    Test::More::is($sync->('behind'), 'older', 'both folders have the older version');
    $sync->('ahead', 'newer');
    $service->admin('restore', $backup);
    Test::More::is($sync->('behind'), 'older', 'one folder sends the older version to the restored log again');
    $is_everywhere->('newer', 'the newer version of the other folder stays');

    # The folder that is behind reads the restored log before the other folder sends the lost version, and sends its own
    # version afterwards.
    $sync->('ahead', 'newest');
    $service->admin('restore', $backup);
    my $is_done;
    my $slow = QSOsync::ChangingProxy->start($service, request => sub {
        $sync->('ahead') if $_[0] =~ /\APOST / && !$is_done++;
        return;
    });
    $sync->('behind', undef, 'http://127.0.0.1:' . $slow->port . '/api/v1');
    Test::More::is(($service->download)[0]{notes}, 'newer', 'an older version arrives late');
    $is_everywhere->('newest', 'the newest version stays');

    # An edit after the restore counts as a change.
    $sync->('behind', 'another');
    $is_everywhere->('another', 'a later change counts, even after a restore');
}

1;
