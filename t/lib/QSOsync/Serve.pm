# Runs make run or make demo (t/serve) for a test. The service's files are in the build folder, so the test has its own
# build folder, which contains copies of the programs.
package QSOsync::Serve;
use strict;
use warnings;
use Exporter qw(import);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use JSON::PP ();
use Time::HiRes qw(sleep time);
use QSOsync::Client;
use QSOsync::Front;

our @EXPORT_OK = qw(start printed end_it sign_in rows_on_screen invitation key);
our $build = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
symlink "$QSOsync::Front::BUILD/$_", "$build/$_" for qw(pages app);
# The programs are copies, because Apache's user cannot follow links to a checkout in /root.
copy("$QSOsync::Front::BUILD/$_", "$build/$_") && chmod 0755, "$build/$_"
    for qw(qsosync.fcgi qsosync-site.fcgi qsosync-admin);
my %started;

# start('--port', 8080) starts t/serve with these arguments, and returns its process id.
sub start {
    my (@arguments) = @_;
    my $output = "$build/output-" . keys %started;
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        $ENV{QSOSYNC_BUILDDIR} = $build;
        open STDOUT, '>', $output or POSIX::_exit(127);
        open STDERR, '>&', \*STDOUT or POSIX::_exit(127);
        exec $^X, "$QSOsync::Front::SOURCE/t/serve", @arguments or POSIX::_exit(127);
    }
    $started{$pid} = $output;
    return $pid;
}

# Waits up to a minute until a service is ready or has ended, and returns its output.
sub printed {
    my ($pid) = @_;
    my $end = time + 60;
    while (time < $end) {
        my $text = -e $started{$pid} ? QSOsync::Front::read_file($started{$pid}) : '';
        return $text if $text =~ m{/me$}m || waitpid($pid, POSIX::WNOHANG()) != 0;
        sleep 0.05;
    }
    return 'nothing in a minute';
}

# Ends a service with a signal, and returns its exit status.
sub end_it {
    my ($pid, $signal) = @_;
    kill $signal, $pid;
    waitpid $pid, 0;
    return $? >> 8;
}

# Returns the number of rows that the output fills on a screen of 80 columns.
sub rows_on_screen {
    my ($text) = @_;
    return scalar map { /.{1,80}|\A\z/g } split /\n/, $text;
}

# Signs in with an invitation, as a browser does, and returns the header with the session's cookie.
sub sign_in {
    my ($port, $link) = @_;
    my $answer = QSOsync::Client::request($port, 'POST', '/welcome/',
        headers => { 'Content-Type' => 'application/json', 'Sec-Fetch-Site' => 'same-origin' },
        body => JSON::PP::encode_json({ token => $link =~ s/.*#//r }));
    my ($cookie) = ($answer->header('Set-Cookie') // '') =~ /\A([^;]*)/;
    return (Cookie => $cookie // '');
}

sub invitation { return $_[0] =~ m{^ +(http://127\.0\.0\.1:\d+/welcome/#\w+)$}m ? $1 : undef }
sub key { return $_[0] =~ /X-API-Key:(\w+)/ ? $1 : '' }

END { kill 'TERM', keys %started if %started }

1;
