# Runs qsosync-admin on a terminal of its own, as a person would.
package QSOsync::Terminal;
use strict;
use warnings;
use IPC::Open2 qw(open2);
use QSOsync::Front;

# As one word of a shell's command line.
sub quote {
    my ($word) = @_;
    return "'" . $word =~ s/'/'\\''/gr . "'";
}

# The exit status, and what stood on the terminal; input is what the person types.
sub admin {
    my ($service, $input, @arguments) = @_;
    my $command = join ' ', map { quote($_) } "$QSOsync::Front::BUILD/qsosync-admin", '--db', $service->db, @arguments;
    my $pid = open2(my $output, my $keyboard, 'script', '-q', '-e', '-c', $command, '/dev/null');
    print {$keyboard} $input;
    $keyboard->flush;
    my $screen = do { local $/; <$output> };
    close $keyboard;
    waitpid $pid, 0;
    return ($? >> 8, $screen =~ s/\r\n/\n/gr);
}

1;
