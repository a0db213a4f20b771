use QSOsync::Test fronts => 'none';
use QSOsync::Bench;

# t/bench/compare A B: two runs next to each other, with the noise; the data is invented.
my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

sub row {
    my ($name, $goal, $others, @values) = @_;
    my %row = (name => $name, measurement => 'made', what => "made $name", against => 'limit', unit => 'ratio',
        goal => $goal);
    my @rounds = map { { value => $_, seconds => 1, others => $others, stolen => 0 } } @values;
    return QSOsync::Bench::summary(\%row, @rounds);
}
sub write_run {
    my ($name, $facts, @rows) = @_;
    my %machine = (processor => 'Made One', cores => 2, kernel => '6.1', sqlite => '3.40.1', system => 'Linux');
    QSOsync::Bench::write_document("$folder/$name", { format => $QSOsync::Bench::FORMAT, version => '1.1.0',
        commit => "of $name", measuredAt => '2026-11-22T19:20:00Z', machine => \%machine, quick => JSON::PP::false,
        rows => \@rows, %$facts });
}
sub compare { return QSOsync::Bench::run_program({}, 'compare', @_) }
sub line_of { my ($text, $name) = @_; return ($text =~ /^(made \Q$name\E .*)$/m)[0] }

my $absent = QSOsync::Bench::summary_without({ name => 'absent', what => 'made absent', against => 'PHP',
    unit => 'ratio', goal => '' }, 'PHP is not installed');
write_run('a', {}, row('noise', '<= 2', 0, 1, 1.2, 1.4), row('less', '<= 2', 0, 2, 2.1, 2.2),
    row('more', '>= 2', 0, 2, 2.1, 2.2), row('aimless', '', 0, 4, 5, 6), $absent, row('gone', '', 0, 7));
write_run('b', {}, row('noise', '<= 2', 0, 1.3, 1.5, 1.6), row('less', '<= 2', 0.3, 1, 1.05, 1.1),
    row('more', '>= 2', 0, 1, 1.05, 1.1), row('aimless', '', 0, 8, 10, 12), $absent, row('come', '', 0, 1));
my ($status, $text) = compare("$folder/a", "$folder/b");
is $status, 0, 'comparing two runs succeeds' or diag $text;
like $text, qr/^A: 2026-11-22T19:20:00Z, 1\.1\.0 \(of a\), 2 cores of Made One, Linux 6\.1, SQLite 3\.40\.1$/m,
    'the comparison begins with the facts of each run';
like line_of($text, 'noise'), qr/1\.20 \(1\.00 to 1\.40\) +1\.50 \(1\.30 to 1\.60\) +1\.25  within the noise$/,
    'overlapping ranges are within the noise';
like line_of($text, 'less'), qr/ 1\.05 \(1\.00 to 1\.10\)\* +0\.50  better$/,
    'a lower value is better for an upper goal, and a star marks a shared machine';
like line_of($text, 'more'), qr/ 0\.50  worse$/, 'a lower value is worse for a lower goal';
like line_of($text, 'aimless'), qr/ 2\.00  differs$/, 'without a goal a value only differs';
like line_of($text, 'absent'), qr/: PHP +not measured +not measured *$/, 'an unmeasured row is shown as not measured';
like line_of($text, 'gone'), qr/ 7\.00 \(7\.00 to 7\.00\) +not measured *$/, 'a row of only the first run is listed';
like line_of($text, 'come'), qr/not measured +1\.00 /, 'a row of only the second run is listed';
unlike $text, qr/machines differ|quick/, 'equal machines get no remark';

my %other = (processor => 'Made Two', cores => 8, kernel => '6.1', sqlite => '3.40.1', system => 'Linux');
write_run('c', { quick => JSON::PP::true, machine => \%other });
($status, $text) = compare("$folder/a", "$folder/c");
like $text, qr/^The machines differ/m, 'different machines get a remark';
like $text, qr/^One run is quick/m, 'a quick run gets a remark';

write_run('later', { format => $QSOsync::Bench::FORMAT + 1 });
QSOsync::Front::write_file("$folder/other", '{"rows":1}');
for (['later', qr/format/], ['other', qr/not a file from make bench/], ['none', qr/not a file from make bench/]) {
    my ($name, $message) = @$_;
    ($status, $text) = compare("$folder/a", "$folder/$name");
    isnt $status, 0, "comparing with the file $name fails";
    like $text, $message, "the message gives the fault of $name";
}
($status, $text) = compare("$folder/a");
like $text, qr/^usage: /, 'comparing one file prints the usage';

# The manual's tables of figures come from t/bench/figures.json, which stores results of make bench with machine and
# day.
{
    my $source = $QSOsync::Front::SOURCE;
    my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $manual = QSOsync::Front::read_file("$source/src/manual/papers/design.txt");

    sub figures {
        my ($files, @words) = @_;
        return QSOsync::Bench::run_program($files, 'figures', @words);
    }

    my ($status, $text) = figures({});
    is "$status $text", '0 ', "the manual's figures are those of t/bench/figures.json";

    my %copies = (MANUAL => "$folder/manual.txt", FIGURES => "$folder/figures.json");
    (my $changed = $manual) =~ s/^(    GET \/me  .*)\d$/${1}x/m or die 'no figure';
    QSOsync::Front::write_file($copies{MANUAL}, $changed);
    QSOsync::Front::write_file($copies{FIGURES}, QSOsync::Front::read_file("$source/t/bench/figures.json"));
    ($status, $text) = figures(\%copies);
    is "$status $text", "1 evening differs from figures.json: run t/bench/figures --write\n",
        'a figure changed by hand is reported';
    figures(\%copies, '--write');
    is QSOsync::Front::read_file($copies{MANUAL}), $manual, 'figures --write restores the measured figure';

    # A run with another number of members, on a shared machine.
    my @steps = map { { members => $_, p50 => 1.25, p99 => 33, cores => 0.5, holds => $_ < 2000 ? JSON::PP::true
        : JSON::PP::false } } 1000, 2000;
    my %row = (name => 'members', measurement => 'members', what => 'members', against => '', unit => 'members',
        goal => '');
    my %run = (format => $QSOsync::Bench::FORMAT, measuredAt => '2031-02-03T04:05:06Z', version => '9.8', quick => 0,
        machine => { cores => 64, processor => 'Made One' },
        rows => [QSOsync::Bench::summary(\%row, { value => 1000, others => 0.3, stolen => 0, steps => \@steps })]);
    QSOsync::Bench::write_document("$folder/run.json", \%run);
    ($status, $text) = figures(\%copies, '--take', "$folder/run.json");
    is "$status $text", "0 members is copied\n", 'a run is taken for the tables of its rows';
    is((figures(\%copies))[1], "members differs from figures.json: run t/bench/figures --write\n",
        'the manual is then out of date');
    figures(\%copies, '--write');
    my $now = QSOsync::Front::read_file($copies{MANUAL});
    like $now, qr/^Measured on 2031-02-03 with version 9\.8 on 64 cores of Made One, which others used /m,
        'the manual names the day, the machine and its other load';
    like $now, qr/^ +1000     1\.2       33 +0\.50\n +2000     1\.2       33 +0\.50; requests fail\n/m,
        'the table has the measured values';
    is((figures(\%copies))[0], 0, 'the written copy agrees with the figures');

    QSOsync::Bench::write_document("$folder/other.json", { %run, machine => { cores => 8, processor => 'Made Two' } });
    ($status, $text) = figures(\%copies, '--take', "$folder/run.json", "$folder/other.json");
    like $text, qr/^the runs are of several machines$/, 'runs of several machines are refused';
    QSOsync::Bench::write_document("$folder/run.json", { %run, quick => JSON::PP::true });
    ($status, $text) = figures(\%copies, '--take', "$folder/run.json");
    isnt $status, 0, 'a quick run is refused as a source of figures';
    like $text, qr/quick/, 'the message names the quick run';
}

done_testing;
