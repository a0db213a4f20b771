# Pauses writes, in the middle of a body or behind another writer, while a test does something else.
package QSOsync::Waiting;
use strict;
use warnings;
use Fcntl qw(F_SETLK F_UNLCK F_WRLCK SEEK_SET);
use IPC::Open2 qw(open2);
use POSIX ();
use Test::More ();
use Time::HiRes qw(sleep time);
use QSOsync::Client;
use QSOsync::Front;

# held_body($program, \%variables, $body, sub {…}) sends a request to a plain CGI program, and returns the
# response. The request body pauses in the middle until the function returns. When the pause begins, the program has
# read the first half, except for at most the contents of a full pipe.
sub held_body {
    my ($program, $variables, $body, $between) = @_;
    local %ENV = (PATH => $ENV{PATH}, GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1',
        REQUEST_METHOD => 'POST', QUERY_STRING => '', REMOTE_ADDR => '192.0.2.1',
        CONTENT_TYPE => 'application/json', CONTENT_LENGTH => length $body, QSOsync::Front::sandbox_setting(),
        %$variables);
    my $pid = open2(my $output, my $input, $program);
    binmode $_ for $output, $input;
    my $half = int length($body) / 2;
    syswrite $input, $body, $half;
    $between->();
    syswrite $input, $body, length($body) - $half, $half;
    close $input;
    my $text = do { local $/; <$output> };
    waitpid $pid, 0;
    my $status = $text =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
    return QSOsync::Client::parse("HTTP/1.1 $status\r\n$text", 'POST');
}

sub set_lock {
    my ($lock, $type) = @_;
    fcntl $lock, F_SETLK, pack 's s x4 q q i x4', $type, SEEK_SET, 0, 1, 0 or die "lock: $!";
}

sub count_waiting {
    my ($lock) = @_;
    my $inode = (stat $lock)[1];
    return scalar(() = QSOsync::Front::read_file('/proc/locks') =~ /-> \S+ .*:$inode /g);
}

# Returns whether at least this many processes wait for the lock within half a minute, before $has_ended->() is true.
# /proc/locks does not show a single moment: if it is longer than a page of memory, a line can occur twice or be
# missing. A single check is therefore not enough.
sub until_waiting {
    my ($lock, $wanted, $has_ended) = @_;
    my ($end, $looks) = (time + 30, 0);
    while ($looks < 3 && time < $end && !($has_ended && $has_ended->())) {
        sleep 0.01;
        $looks = count_waiting($lock) >= $wanted ? $looks + 1 : 0;
    }
    return $looks == 3;
}

# Runs the function in another process while this process holds the lock. When the other process waits for the lock,
# releases the lock. Returns undef if the function waited, or its result if it returned without the lock.
sub while_locked {
    my ($path, $function) = @_;
    open my $lock, '+<', $path or die "$path: $!";
    set_lock($lock, F_WRLCK);
    my $pid = fork // die "fork: $!";
    POSIX::_exit($function->()) if !$pid;
    my $ended = 0;
    until_waiting($lock, 1, sub { $ended ||= waitpid $pid, POSIX::WNOHANG() });
    my $returned = $ended ? $? >> 8 : undef;
    set_lock($lock, F_UNLCK);
    waitpid $pid, 0 if !$ended;
    return $returned;
}

# behind_writer($service, sub { text of a response }, sub {…}) returns the result of the first function. Its request
# waits for a writer until the second function has returned. The test itself is the writer: it holds the lock, and the
# database is free.
sub behind_writer {
    my ($service, $request, $between) = @_;
    open my $lock, '+<', $service->db . '-gate' or die $!;
    set_lock($lock, F_WRLCK);
    my $pid = open my $answer, '-|' // die "fork: $!";
    if (!$pid) {
        binmode STDOUT, ':encoding(UTF-8)';
        print $request->();
        close STDOUT;
        POSIX::_exit(0);
    }
    Test::More::ok(until_waiting($lock, 1), 'a writer waits');
    $between->();
    set_lock($lock, F_UNLCK);
    my $text = do { local $/; <$answer> };
    close $answer;
    return $text;
}

# at_once($service, sub { text of a response }, ...) returns the results of the functions. Their requests all wait for
# the same writer, and then write one after the other.
sub at_once {
    my ($service, @requests) = @_;
    open my $lock, '+<', $service->db . '-gate' or die $!;
    set_lock($lock, F_WRLCK);
    my @answers = map {
        my $pid = open my $answer, '-|' // die "fork: $!";
        if (!$pid) {
            print $_->();
            close STDOUT;
            POSIX::_exit(0);
        }
        $answer;
    } @requests;
    Test::More::ok(until_waiting($lock, scalar @requests), 'all requests wait for one writer');
    set_lock($lock, F_UNLCK);
    return map { my $text = do { local $/; <$_> }; close $_; $text } @answers;
}

1;
