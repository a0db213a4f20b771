# Runs the programs of the client kit, and kills them.
package QSOsync::Kit;
use strict;
use warnings;
use POSIX ();
use Time::HiRes qw(sleep);
use QSOsync::Front;

# The file of a client, as it is installed.
sub client {
    my ($name) = @_;
    my $built = "$QSOsync::Front::BUILD/clients/$name";
    return -e $built ? $built : "$QSOsync::Front::SOURCE/src/clients/$name";
}

# The environment that every client of the kit reads: where the service is, and a file with the key.
sub environment {
    my ($service, %option) = @_;
    my $key = $option{key} || $service->write_key;
    my $file = $service->directory . '/key-' . substr($key, -6);
    QSOsync::Front::write_file($file, "$key\n");
    return { QSOSYNC_URL => $option{url} || $service->base_url, QSOSYNC_KEY_FILE => $file };
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

1;
