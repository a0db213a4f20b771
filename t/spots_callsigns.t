use QSOsync::Test fronts => 'none';
use QSOsync::Cluster;

# The cluster's lines and rows contain 200 callsigns, as 11 m operators write them, as stations and as spotters. Each
# reading program reads each callsign whole. The test's rules for a program describe the program's source code in our
# own words.
my @callsigns = map { chomp;
/\A#/ ? () : [split /\t/] } split /^/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/callsigns.tsv");
is scalar(@callsigns), 200, 'there are 200 callsigns';

# Each reader takes a line and returns spotter, kHz, callsign and comment, or nothing if it reads nothing.
my %readers = (
    # foldynl/QLog, ui/DxWidget.cpp, reads letters, digits and slashes after "DX de ". Number, callsign and comment
    # follow the last colon before a blank. A callsign consists of letters, digits and slashes.
    QLog => sub {
        my ($head, $tail) = $_[0] =~ /\A(.*):\s+(.*)\z/ or return;
        my ($spotter) = $head =~ m{\ADX de ([a-z0-9/]+)}i or return;
        my ($khz, $call, $rest) = split ' ', $tail, 3;
        my ($whole) = $call =~ m{\A([a-z0-9/]+)}i or return;
        my ($comment) = $rest =~ /\A(.*)\s+\d{4}Z/ or return;
        return [$spotter, $khz, $whole, $comment];
    },
    # ok2cqr/cqrlog, src/dDXCluster.pas, reads words separated by blanks: the fourth is kHz, the fifth the callsign.
    # The comment ends before four digits and a Z. The spotter is shown unchanged.
    CQRLOG => sub {
        my @words = split ' ', $_[0];
        my ($comment) = join(' ', @words[5 .. $#words]) =~ /\A(.*?) ?\d{4}Z/ or return;
        return [$words[2] =~ s/:\z//r, @words[3, 4], $comment];
    },
    # int2001/DXClusterAPI, dxcluster/index.js, reads at least three characters of upper case, digits, / - and #.
    # Frequencies have one or two decimals. Wavelog and other programs show the spots of DXClusterAPI.
    DXClusterAPI => sub {
        my ($spotter, $khz, $call, $rest) = $_[0] =~ m{\ADX de +([^:]*): *(\S+) +(\S+) (.*)\z} or return;
        return if grep { !m{\A[A-Z0-9/#-]{3,}\z} } $spotter, $call;
        return if $khz !~ /\A\d+\.\d\d?\z/;
        my ($comment) = $rest =~ /\A(.*\S) +\d{4}Z/ or return;
        return [$spotter, $khz, $call, $comment];
    },
    # N0NB/xdx, src/text.c: The program reads the spotter up to the colon, then kHz, the callsign from column 27,
    # and the comment from column 40.
    xdx => sub {
        my ($spotter, $khz) = $_[0] =~ m{\ADX de ([^:]*): +(\S+)} or return;
        my ($call) = substr($_[0], 26) =~ /\A(\S*)/;
        return [$spotter, $khz, $call, substr $_[0], 39, 30];
    },
);
# Programs with fixed columns limit the length of a spotter. DXSpider's own lines have the same limit.
my %longest_spotter = (xdx => 10);
# These readers read the rows of sh/dx.
my %row_readers = (
    QLog => sub {
        my ($khz, $call, $day, $rest) = $_[0] =~ /\A\s{0,8}([\d.]+)\s+(\S+)\s+(\S+)\s+\d{4}Z (.*)\z/ or return;
        my ($comment, $spotter) = $rest =~ m{\A(.*)<([a-z0-9/]+)>\z}i or return;
        return if $day !~ /\A\d\d?-[A-Z][a-z]{2}-\d{4}\z/ || $call !~ m{\A[a-z0-9/]+\z}i;
        return [$spotter, $khz, $call, $comment];
    },
    CQRLOG => sub {
        my @words = split ' ', $_[0];
        my ($comment) = join(' ', @words[4 .. $#words]) =~ /\A(.*) ?</ or return;
        return [$words[-1] =~ tr/<>//dr, @words[0, 1], $comment];
    },
);

my $service = QSOsync::Service->start;
my $cluster = QSOsync::Cluster->new($service);
my $true = JSON::PP::true();

# Returns the fault in a reader's result as text, or nothing if the result is right.
sub judge {
    my ($got, $spotter, $call) = @_;
    my @got = map { s/\A\s+|\s+\z//gr } @{$got || ['nothing']};
    return "@got" eq "$spotter 27555.0 $call USB IO91wm" ? () : "$spotter, $call: @got";
}
# Returns the lines or rows of the newest spots, oldest first.
sub newest { my ($count, $lines) = @_; return (reverse split /\r?\n/, $lines)[-$count .. -1] }

# pyhamtools, from the Debian package python3-pyhamtools, reads the lines.
my $python = (grep { -x &&
    system("$_ -c 'from pyhamtools import dxcluster' 2>/dev/null") == 0 } '/usr/bin/python3')[0];
sub read_by_pyhamtools {
    my (@lines) = @_;
    my $path = $service->directory . '/lines';
    QSOsync::Front::write_file($path, join '', map { "$_\n" } @lines);
    return map { [split /\t/] } split /\n/, `$python - $path <<'END'
import sys
from pyhamtools.dxcluster import decode_char_spot
for line in open(sys.argv[1]):
    try:
        spot = decode_char_spot(line.rstrip("\\n"))
        print(spot["spotter"], spot["frequency"], spot["dx"], spot["comment"], sep="\\t")
    except ValueError:
        print("nothing")
END`;
}

for my $role ('worked', 'spotting') {
    my $field = $role eq 'worked' ? 'callsignWorked' : 'operatorCallsign';
    my %other = (operatorCallsign => '21SD333', callsignWorked => '26AT100');
    my @expected = map { my %is = (%other, $field => $_->[1]); [@is{qw(operatorCallsign callsignWorked)}] } @callsigns;
    my (@lines, @rows);
    for my $half ([0, 99], [100, 199]) {
        my @qsos = map { full_qso(sendSpot => $true, %other, $field => $_->[0]) } @callsigns[$half->[0] .. $half->[1]];
        $service->post_spots(@qsos);
        push @lines, newest(100, $service->admin('spots', '--limit', 100));
        push @rows, newest(100, $cluster->client->ask('sh/dx 100'));
    }
    for my $reader (sort keys %readers) {
        my @able = grep { length $expected[$_][0] <= ($longest_spotter{$reader} || 20) } 0 .. 199;
        my @wrong = map { judge($readers{$reader}->($lines[$_]), @{$expected[$_]}) } @able;
        is join("\n", @wrong), '', "$reader reads @{[scalar @able]} $role callsigns in lines";
    }
    for my $reader (sort keys %row_readers) {
        my @wrong = map { judge($row_readers{$reader}->($rows[$_]), @{$expected[$_]}) } 0 .. 199;
        is join("\n", @wrong), '', "$reader reads the 200 $role callsigns in rows of sh/dx";
    }
    SKIP: {
        skip 'needs python3-pyhamtools', 1 if !$python;
        # pyhamtools looks for the spotter only in columns 7 to 15, including the colon, and refuses more than eight
        # characters.
        my @got = read_by_pyhamtools(@lines);
        my @wrong = map { length $expected[$_][0] <= 8 ? judge($got[$_], @{$expected[$_]}) : $got[$_][0] eq 'nothing'
            ? () : "@{$got[$_]}" } 0 .. 199;
        is join("\n", @wrong), '', "pyhamtools misreads none of the 200 $role callsigns in lines";
    }
}
$service->stop;

done_testing;
