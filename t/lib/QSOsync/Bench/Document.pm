# Writes and reads the results of make bench as JSON.
package QSOsync::Bench::Document;
use strict;
use warnings;
use JSON::PP ();
use POSIX ();
use QSOsync::Bench::Others;
use QSOsync::Front;

our $FORMAT = 1; # version of the JSON

sub output_of {
    my (@command) = @_;
    open my $output, '-|', 'sh', '-c', '"$@" 2>/dev/null', 'sh', @command or return '';
    chomp(my $line = <$output> // '');
    close $output;
    return $line;
}

# Returns the facts about this machine that determine its speed.
sub machine {
    my ($processor) = QSOsync::Front::read_file('/proc/cpuinfo') =~ /^(?:model name|Model|cpu model)\s*:\s*(.+)/m;
    my ($memory) = QSOsync::Front::read_file('/proc/meminfo') =~ /^MemTotal:\s+(\d+)/;
    my ($system, undef, $kernel, undef, $kind) = POSIX::uname();
    return { processor => $processor // $kind, cores => 0 + QSOsync::Bench::Others::cores(), system => $system,
        kernel => $kernel, architecture => $kind, memoryMiB => int($memory / 1024),
        sqlite => (split ' ', output_of('sqlite3', '--version') || 'unknown')[0] };
}

# Returns the results as data. facts holds the other properties of the run (seed, quick).
sub document {
    my ($summaries, %facts) = @_;
    my @time = gmtime;
    my ($version) = output_of("$QSOsync::Front::BUILD/qsosync-admin", '--version') =~ /([\d.]+)/;
    return { format => $FORMAT, measuredAt => POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', @time), version => $version // '',
        commit => output_of('git', '-C', $QSOsync::Front::SOURCE, 'describe', '--always', '--dirty'),
        machine => machine(), rows => $summaries, %facts };
}

sub write_document {
    my ($path, $document) = @_;
    QSOsync::Front::write_file($path, JSON::PP->new->utf8->canonical->pretty->encode($document));
}

sub read_document {
    my ($path) = @_;
    my $document = eval { JSON::PP->new->utf8->decode(QSOsync::Front::read_file($path)) };
    die "$path is not a file from make bench\n" if ref $document ne 'HASH' || ref $document->{rows} ne 'ARRAY';
    die "$path has the format $document->{format}, but this program reads $FORMAT\n" if $document->{format} != $FORMAT;
    return $document;
}

1;
