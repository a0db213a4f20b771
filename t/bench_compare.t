use QSOsync::Test fronts => 'none';
use QSOsync::Bench::Document;
use QSOsync::Bench::Summary;
use QSOsync::Bench;

# t/bench/compare A B prints two runs next to each other, and whether their difference is within the noise. The data is
# invented.
my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

sub row {
    my ($name, $goal, $others, @values) = @_;
    my %row = (name => $name, measurement => 'made', what => "made $name", against => 'limit', unit => 'ratio',
        goal => $goal);
    my @rounds = map { { value => $_, seconds => 1, others => $others, stolen => 0 } } @values;
    return QSOsync::Bench::Summary::summary(\%row, @rounds);
}
sub write_run {
    my ($name, $facts, @rows) = @_;
    my %machine = (processor => 'Made One', cores => 2, kernel => '6.1', sqlite => '3.40.1', system => 'Linux');
    QSOsync::Bench::Document::write_document("$folder/$name",
        { format => $QSOsync::Bench::Document::FORMAT, version => '1.1.0',
        commit => "of $name", measuredAt => '2026-11-22T19:20:00Z', machine => \%machine, quick => JSON::PP::false,
        rows => \@rows, %$facts });
}
sub compare { return QSOsync::Bench::run_program({}, 'compare', @_) }
sub line_of { my ($text, $name) = @_; return ($text =~ /^(made \Q$name\E .*)$/m)[0] }

my $absent = QSOsync::Bench::Summary::summary_without({ name => 'absent', what => 'made absent', against => 'PHP',
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
    'if the goal is a maximum, a lower value is better, and a star marks a shared machine';
like line_of($text, 'more'), qr/ 0\.50  worse$/, 'if the goal is a minimum, a lower value is worse';
like line_of($text, 'aimless'), qr/ 2\.00  differs$/, 'without a goal, another value is only reported as different';
like line_of($text, 'absent'), qr/: PHP +not measured +not measured *$/, 'an unmeasured row is shown as not measured';
like line_of($text, 'gone'), qr/ 7\.00 \(7\.00 to 7\.00\) +not measured *$/,
    'a row that is only in the first run is listed';
like line_of($text, 'come'), qr/not measured +1\.00 /, 'a row that is only in the second run is listed';
unlike $text, qr/machines differ|quick/, 'equal machines get no remark';

my %other = (processor => 'Made Two', cores => 8, kernel => '6.1', sqlite => '3.40.1', system => 'Linux');
write_run('c', { quick => JSON::PP::true, machine => \%other });
($status, $text) = compare("$folder/a", "$folder/c");
like $text, qr/^The machines differ/m, 'different machines get a remark';
like $text, qr/^One run is quick/m, 'a quick run gets a remark';

write_run('later', { format => $QSOsync::Bench::Document::FORMAT + 1 });
QSOsync::Front::write_file("$folder/other", '{"rows":1}');
for (['later', qr/format/], ['other', qr/not a file from make bench/], ['none', qr/not a file from make bench/]) {
    my ($name, $message) = @$_;
    ($status, $text) = compare("$folder/a", "$folder/$name");
    isnt $status, 0, "comparing with the file $name fails";
    like $text, $message, "the message names the fault in $name";
}
($status, $text) = compare("$folder/a");
like $text, qr/^usage: /, 'comparing one file prints the usage';

done_testing;
