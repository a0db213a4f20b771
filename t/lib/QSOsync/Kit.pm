# Runs the programs of the client kit, and kills them.
package QSOsync::Kit;
use strict;
use warnings;
use POSIX ();
use Test::More ();
use Time::HiRes qw(sleep);
use QSOsync::ChangingProxy;
use QSOsync::FaultyProxy;
use QSOsync::Front;

# The file of a client, as it is installed.
sub client {
    my ($name) = @_;
    my $built = "$QSOsync::Front::BUILD/clients/$name";
    return -e $built ? $built : "$QSOsync::Front::SOURCE/src/clients/$name";
}

# The environment that every client of the kit reads: where the service is, a file with the key, and where it may keep
# what it makes for this user.
sub environment {
    my ($service, %option) = @_;
    my $key = $option{key} || $service->write_key;
    my $file = $service->directory . '/key-' . substr($key, -6);
    QSOsync::Front::write_file($file, "$key\n");
    return { QSOSYNC_URL => $option{url} || $service->base_url, QSOSYNC_KEY_FILE => $file,
        XDG_STATE_HOME => $service->directory . '/state' };
}

# Starts a command in a process group of its own, with its output in $log; its process id.
sub start {
    my ($log, $environment, @command) = @_;
    return QSOsync::Front::spawn($log, { %$environment, LC_ALL => 'C.UTF-8' }, undef, @command);
}

# Runs a command to its end: its exit status and what it printed on both channels.
sub run {
    my ($log, $environment, @command) = @_;
    unlink $log;
    my $pid = start($log, $environment, @command);
    waitpid $pid, 0;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, QSOsync::Front::read_file($log));
}

# Runs a command and kills it after so many seconds, alone or with all that it has started. True when it
# was killed, false when it had ended before.
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

# Deletes QSOs on the service in each situation that a client meets, and lets it synchronise: $is_in_step->($rule,
# $url) does that and tests that its copy is the log. It asks for the ids only where it cannot know all deletions.
sub test_deletions {
    my ($service, $is_in_step, @client_ids) = @_;
    my $synchronise = sub {
        my ($rule, $is_asked) = @_;
        $service->delete_qso(shift @client_ids)->status == 204 or die 'not deleted';
        my $proxy = QSOsync::FaultyProxy->start($service, sub { 'pass' });
        $is_in_step->($rule, $proxy->url);
        my $ids = grep { $_->{target} =~ m{/logs/ids} } $proxy->journal;
        Test::More::is($ids ? 1 : 0, $is_asked, "$rule: the ids are " . ($is_asked ? '' : 'not ') . 'asked for');
    };
    $synchronise->('a deletion that is told', 0);
    my $since = $service->sqlite('SELECT deletions_since FROM logbook');
    $service->sqlite('UPDATE logbook SET deletions_since = last_stamp + 3600000');
    $synchronise->('a deletion while not all are known', 1);
    $service->sqlite("UPDATE logbook SET deletions_since = $since");
    $synchronise->('a deletion when all are known again', 0);

    my $older = QSOsync::ChangingProxy->start($service,
        request => sub { $_[0] =~ s/^Accept-Encoding:.*\r\n//mi; return },
        answer => sub {
            $_[0] =~ s/^Content-Length:.*\r\n//mi;
            $_[1] =~ s/,"deleted":\[.*?\],"deletedComplete":(?:true|false)//s;
        });
    for my $time ('first', 'second') {
        $service->delete_qso(shift @client_ids)->status == 204 or die 'not deleted';
        $is_in_step->("a deletion on a service that does not tell them, the $time time", 'http://127.0.0.1:'
            . $older->port . '/api/v1');
    }
    $synchronise->('the first deletion after the service learnt to tell them', 0);
}

1;
