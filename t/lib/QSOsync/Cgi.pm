# The worker as a plain CGI program, without a front server: what it makes of the variables that front
# servers hand over in their different ways.
package QSOsync::Cgi;
use strict;
use warnings;
use POSIX ();
use QSOsync::Client;
use QSOsync::Front;

my $number = 0;

# answer($directory, \%variables, body => bytes, through => [command...], program => path): the response to one request;
# $? is how the program, else the API's worker, ended.
sub answer { return finish(start(@_)) }

# The same in two steps, for several at once.
sub start {
    my ($directory, $variables, %option) = @_;
    $number++;
    my ($input, $output, $errors) = map { "$directory/cgi-$number.$_" } qw(in out err);
    QSOsync::Front::write_file($input, defined $option{body} ? $option{body} : '');
    my @command = (@{$option{through} || []}, $option{program} || QSOsync::Front::worker_program());
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        %ENV = (PATH => $ENV{PATH}, GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1',
            REQUEST_METHOD => 'GET', QUERY_STRING => '', REMOTE_ADDR => '192.0.2.1',
            defined $option{body} ? (CONTENT_LENGTH => length $option{body}) : (),
            QSOsync::Front::sandbox_setting(),
            (map { defined $ENV{$_} ? ($_ => $ENV{$_}) : () } qw(ASAN_OPTIONS UBSAN_OPTIONS LLVM_PROFILE_FILE)),
            %$variables);
        open STDIN, '<', $input or POSIX::_exit(127);
        open STDOUT, '>', $output or POSIX::_exit(127);
        open STDERR, '>', $errors or POSIX::_exit(127);
        no warnings 'exec';
        exec @command;
        POSIX::_exit(127);
    }
    return { pid => $pid, output => $output, errors => $errors, files => [$input, $output, $errors],
        method => $variables->{REQUEST_METHOD} || 'GET' };
}
sub finish {
    my ($started) = @_;
    waitpid $started->{pid}, 0;
    my ($text, $errors) = map { QSOsync::Front::read_file($started->{$_}) } qw(output errors);
    unlink @{$started->{files}};
    my $status = $text =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
    my $response = QSOsync::Client::parse("HTTP/1.1 $status\r\n$text", $started->{method});
    $response->{errors} = $errors if $response;
    return $response;
}

1;
