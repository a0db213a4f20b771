use QSOsync::Test fronts => 'none';
use QSOsync::Cluster;

# A spot is a line of a DX cluster node, with 75 columns and callsigns that cluster programs can read and that are never
# cut.
my $service = QSOsync::Service->start;
my $true = JSON::PP::true();

# Returns the line of one QSO, or undef if it has no line.
sub line_of {
    my ($qso) = @_;
    my $result = ($service->post_spots({ %$qso, sendSpot => $true }))[0];
    $result->{id} or die "rejected: $result->{error}";
    my $line = (split /\n/, $service->admin('spots', '--limit', 1))[0];
    $service->delete_qso($qso->{clientId});
    return $line;
}
sub spot { return full_qso(operatorCallsign => '21SD333', @_) }
sub ascii { return defined $_[0] ? $_[0] =~ s/([^\x20-\x7e])/sprintf 'U+%04X', ord $1/ger : 'nothing' }
sub without_time { return defined $_[0] ? substr $_[0], 0, 69 : undef }

my $line = line_of(spot());
like $line, qr/\ADX de 21SD333:   27555\.0  26AT101      USB IO91wm                     \d{4}Z\z/,
    'the line of a spot on 11 m has spotter, kHz, DX callsign, mode, locator and time';
like line_of(full_pmr_qso(dcsCode => undef, channel => 1, operatorCallsign => '21SD333')),
    qr/\ADX de 21SD333:  446006\.2  26AT101      FM PMR ch 1 88\.5 IO91wm        \d{4}Z\z/,
    'the line of a spot on PMR446 has channel and tone';
like line_of(full_pmr_qso(ctcssTone => undef, mode => undef, channel => 8)), qr/.{39}PMR ch 8 D023N IO91wm /,
    'the comment has the DCS code if the tone is missing';
like line_of(spot(mode => undef, dxLocator => undef)), qr/\A.{39} {31}\d{4}Z\z/, 'a comment can be empty';

# 11 m operators write callsigns in these ways.
my %read_as = ('26AT101' => '26AT101', '14-FR-001' => '14FR001', '26 AT 101' => '26AT101', '26at101' => '26AT101',
    '161SD001/P' => '161SD001/P', '21.sd.333/m' => '21SD333/M', ' 30-ct-7 ' => '30CT7', '1AT' => '1AT',
    '302-RC-1015' => '302RC1015', '199EXP0/DX/2026' => '199EXP0/DX/2026',
    'A1/B2/C3/D4/E5/F6/G7' => 'A1/B2/C3/D4/E5/F6/G7');
for my $written (sort keys %read_as) {
    my $line = line_of(spot(callsignWorked => $written));
    is +(split ' ', substr $line, 25)[0], $read_as{$written}, "the station $written is $read_as{$written} in a line";
    $line = line_of(spot(operatorCallsign => $written));
    like $line, qr/\ADX de \Q$read_as{$written}\E: /, "the spotter $written is $read_as{$written} in a line";
}
is line_of(spot(callsignWorked => $_)), undef, 'an invalid callsign has no line: ' . ascii($_)
    for undef, 'Bob', 'OM Bob', '12345', 'A1', '26AT101!', "26AT\x{e9}101", "\x{1F4E1}1A", '26AT101 (Jim)', '1LOGIN',
    '7PASSWORD7';
is line_of(spot(operatorCallsign => $_)), undef, 'a spotter without a callsign has no line: ' . ascii($_) for 'Bob',
    'A', "A1\x{202e}B";
is line_of(spot(frequencyMhz => undef)), undef, 'a spot without a frequency has no line';

# Long callsigns first use up blanks, then columns of the comment. A line has DX de, spotter, kHz, DX callsign and
# comment.
my @layout = (
    ['21SD333', '26AT101', 'DX de 21SD333:   27555.0  26AT101      USB IO91wm'],
    ['161SD123', '26AT101', 'DX de 161SD123:  27555.0  26AT101      USB IO91wm'],
    ['161SD1234', '26AT101', 'DX de 161SD1234: 27555.0  26AT101      USB IO91wm'],
    ['161SD1234/P', '26AT101', 'DX de 161SD1234/P: 27555.0 26AT101     USB IO91wm'],
    ['161SD1234/QRP', '26AT101', 'DX de 161SD1234/QRP: 27555.0 26AT101   USB IO91wm'],
    ['161SD1234/QRP', '302RC1015', 'DX de 161SD1234/QRP: 27555.0 302RC1015 USB IO91wm'],
    ['161SD1234/QRP', '302RC1015/P', 'DX de 161SD1234/QRP: 27555.0 302RC1015/P USB IO91wm'],
    ['A1/B2/C3/D4/E5/F6/G7', 'G7/F6/E5/D4/C3/B2/A1',
        'DX de A1/B2/C3/D4/E5/F6/G7: 27555.0 G7/F6/E5/D4/C3/B2/A1 USB IO91wm'],
    ['21SD333', '302RC1015/QRP', 'DX de 21SD333:   27555.0  302RC1015/QRP USB IO91wm'],
);
for my $row (@layout) {
    my ($spotter, $dx, $wanted) = @$row;
    my $line = line_of(spot(operatorCallsign => $spotter, callsignWorked => $dx));
    is without_time($line), sprintf('%-69s', $wanted), "the line of $dx spotted by $spotter keeps both callsigns whole";
    is length $line, 75, "the line of $dx spotted by $spotter has 75 columns";
    like $line, qr/ \d{4}Z\z/, "the line of $dx spotted by $spotter ends with the time";
}
like line_of(full_pmr_qso(operatorCallsign => '161SD1234/QRP', callsignWorked => 'G7/F6/E5/D4/C3/B2/A1',
    channel => 16)),
    qr{\ADX de 161SD1234/QRP: 446193\.8 G7/F6/E5/D4/C3/B2/A1 FM PMR ch 16 88\.5\s+\d{4}Z\z},
    'a moved comment is shortened';

# Spots without a line do not hide other spots.
$service->post_spots(map { spot(sendSpot => $true, callsignWorked => "26AT$_") } 101 .. 103);
$service->post_spots(map { spot(sendSpot => $true, callsignWorked => undef) } 1 .. 60);
is scalar(split /\n/, $service->admin('spots')), 3, 'spots without a line do not hide other lines';
$service->post_spots(map { spot(sendSpot => $true, callsignWorked => "26AT$_") } 200 .. 259);
my @lines = split /\n/, $service->admin('spots');
is scalar(@lines), 50, 'the newest 50 lines are shown';
like $lines[0], qr/26AT259 /, 'the newest line comes first';
is scalar(split /\n/, $service->admin('spots', '--limit', 62)), 62, '--limit counts lines, not spots';
is scalar(@{JSON::PP::decode_json($service->admin('spots', '--limit', 5, '--json'))}), 5,
    '--json returns as many spots as --limit allows';
$service->stop;

# 200 callsigns as 11 m operators write them are stations and spotters in the lines and rows of the cluster. Each
# reading program gets each callsign whole. The rules of each program come from its source, in our own words.
{
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
        # Frequencies have one or two decimals. Wavelog and others show its spots.
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
    # Read the rows of sh/dx.
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

    # Returns the fault in a reader's result, as text.
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
        is join("\n", @wrong), '', "$reader reads @{[scalar @able]} callsigns in lines, $role";
    }
    for my $reader (sort keys %row_readers) {
        my @wrong = map { judge($row_readers{$reader}->($rows[$_]), @{$expected[$_]}) } 0 .. 199;
        is join("\n", @wrong), '', "$reader reads the 200 callsigns in rows of sh/dx, $role";
    }
    SKIP: {
        skip 'needs python3-pyhamtools', 1 if !$python;
        # pyhamtools looks for the spotter only in columns 7 to 15, including the colon. It refuses more than eight
        # characters.
        my @got = read_by_pyhamtools(@lines);
        my @wrong = map { length $expected[$_][0] <= 8 ? judge($got[$_], @{$expected[$_]}) : $got[$_][0] eq 'nothing'
            ? () : "@{$got[$_]}" } 0 .. 199;
        is join("\n", @wrong), '', "pyhamtools reads the 200 callsigns in lines, $role, and mistakes none of them";
    }
}
    $service->stop;
}

done_testing;
