use QSOsync::Test fronts => 'none';
use QSOsync::Bench::Document;
use QSOsync::Bench::Summary;
use QSOsync::Bench;

# The manual's tables of figures come from t/bench/figures.json, which stores results of make bench with the machine and
# the day.
my $source = $QSOsync::Front::SOURCE;
my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
my $manual = QSOsync::Front::read_file("$source/src/manual/papers/design.txt");

sub figures {
    my ($files, @words) = @_;
    return QSOsync::Bench::run_program($files, 'figures', @words);
}

my ($status, $text) = figures({});
is "$status $text", '0 ', "the manual's figures equal the figures in t/bench/figures.json";

my %copies = (MANUAL => "$folder/manual.txt", FIGURES => "$folder/figures.json");
(my $changed = $manual) =~ s/^(    GET \/me  .*)\d$/${1}x/m or die 'no figure';
QSOsync::Front::write_file($copies{MANUAL}, $changed);
QSOsync::Front::write_file($copies{FIGURES}, QSOsync::Front::read_file("$source/t/bench/figures.json"));
($status, $text) = figures(\%copies);
is "$status $text", "1 evening differs from figures.json: run t/bench/figures --write\n",
    'a figure changed by hand is reported';
figures(\%copies, '--write');
is QSOsync::Front::read_file($copies{MANUAL}), $manual, 'figures --write restores the measured figure';

# This run has different numbers of members, and was measured on a shared machine.
my @steps = map { { members => $_, p50 => 1.25, p99 => 33, cores => 0.5, holds => $_ < 2000 ? JSON::PP::true
    : JSON::PP::false } } 1000, 2000;
my %row = (name => 'members', measurement => 'members', what => 'members', against => '', unit => 'members',
    goal => '');
my %run = (format => $QSOsync::Bench::Document::FORMAT, measuredAt => '2031-02-03T04:05:06Z',
    version => '9.8', quick => 0,
    machine => { cores => 64, processor => 'Made One' },
    rows => [QSOsync::Bench::Summary::summary(\%row, { value => 1000, others => 0.3, stolen => 0, steps => \@steps })]);
QSOsync::Bench::Document::write_document("$folder/run.json", \%run);
($status, $text) = figures(\%copies, '--take', "$folder/run.json");
is "$status $text", "0 members is copied\n", 'a run is copied to the tables that contain its rows';
is((figures(\%copies))[1], "members differs from figures.json: run t/bench/figures --write\n",
    'the manual is out of date after a run is copied');
figures(\%copies, '--write');
my $now = QSOsync::Front::read_file($copies{MANUAL});
like $now, qr/^Measured on 2031-02-03 with version 9\.8 on 64 cores \(Made One\), while others used them;/m,
    'the manual names the day, the machine and its other load';
like $now, qr/^ +1000     1\.2       33 +0\.50\n +2000     1\.2       33 +0\.50; requests fail\n/m,
    'the table has the measured values';
is((figures(\%copies))[0], 0, 'after figures --write, the manual agrees with the figures');

QSOsync::Bench::Document::write_document("$folder/other.json",
    { %run, machine => { cores => 8, processor => 'Made Two' } });
($status, $text) = figures(\%copies, '--take', "$folder/run.json", "$folder/other.json");
like $text, qr/^the runs are of several machines$/, 'runs from several machines are refused';
QSOsync::Bench::Document::write_document("$folder/run.json", { %run, quick => JSON::PP::true });
($status, $text) = figures(\%copies, '--take', "$folder/run.json");
isnt $status, 0, 'a quick run is refused as a source of figures';
like $text, qr/quick/, 'the message names the quick run';

done_testing;
