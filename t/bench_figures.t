use QSOsync::Test fronts => 'none';
use QSOsync::Bench;

# The manual's tables of figures are what t/bench/figures.json keeps of make bench, with the machine and the day.
my $source = $QSOsync::Front::SOURCE;
my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
my $manual = QSOsync::Front::read_file("$source/src/manual/qsosync.fcgi.8");

sub figures {
    my ($files, @words) = @_;
    return QSOsync::Bench::run_program($files, 'figures', @words);
}

my ($status, $text) = figures({});
is "$status $text", '0 ', 'the figures of the manual are those of t/bench/figures.json';

my %copies = (MANUAL => "$folder/manual.8", FIGURES => "$folder/figures.json");
(my $changed = $manual) =~ s/^(    GET \/me  .*)\d$/${1}x/m or die 'no figure';
QSOsync::Front::write_file($copies{MANUAL}, $changed);
QSOsync::Front::write_file($copies{FIGURES}, QSOsync::Front::read_file("$source/t/bench/figures.json"));
($status, $text) = figures(\%copies);
is "$status $text", "1 evening is not what figures.json says: t/bench/figures --write\n",
    'a figure that is changed by hand is told';
figures(\%copies, '--write');
is QSOsync::Front::read_file($copies{MANUAL}), $manual, 'the figure that was measured comes back';

# A run that has found another number of members, on a machine that others used.
my @steps = map { { members => $_, p50 => 1.25, p99 => 33, cores => 0.5, holds => $_ < 2000 ? JSON::PP::true
    : JSON::PP::false } } 1000, 2000;
my %row = (name => 'members', measurement => 'members', what => 'members', against => '', unit => 'members',
    goal => '');
my %run = (format => $QSOsync::Bench::FORMAT, measuredAt => '2031-02-03T04:05:06Z', version => '9.8', quick => 0,
    machine => { cores => 64, processor => 'Made One' },
    rows => [QSOsync::Bench::summary(\%row, { value => 1000, others => 0.3, stolen => 0, steps => \@steps })]);
QSOsync::Bench::write_document("$folder/run.json", \%run);
($status, $text) = figures(\%copies, '--take', "$folder/run.json");
is "$status $text", "0 members is taken\n", 'a run gives the tables whose rows it has';
is((figures(\%copies))[1], "members is not what figures.json says: t/bench/figures --write\n",
    'the manual is old then');
figures(\%copies, '--write');
my $now = QSOsync::Front::read_file($copies{MANUAL});
like $now, qr/^Measured on 2031\\-02\\-03 with version 9\.8 on 64 cores of Made One, which others used /m,
    'the manual names the day and the machine, and that others used it';
like $now, qr/^ +1000     1\.2       33 +0\.50\n +2000     1\.2       33 +0\.50; requests fail\n/m,
    'the table has what was measured';
is((figures(\%copies))[0], 0, 'the copy agrees with its figures again');

QSOsync::Bench::write_document("$folder/other.json", { %run, machine => { cores => 8, processor => 'Made Two' } });
($status, $text) = figures(\%copies, '--take', "$folder/run.json", "$folder/other.json");
like $text, qr/^the runs are of several machines$/, 'runs of several machines make no table';
QSOsync::Bench::write_document("$folder/run.json", { %run, quick => JSON::PP::true });
($status, $text) = figures(\%copies, '--take', "$folder/run.json");
isnt $status, 0, 'a quick run is refused';
like $text, qr/quick/, 'the message says that it was quick';

done_testing;
