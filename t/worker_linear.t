use QSOsync::Test fronts => 'none', slow => 15, suite => 'all';
use File::Temp ();

# Parsers of bytes from outside do work in proportion to the length of their input. The inputs are the seeds of the fuzz
# targets, repeated as a whole or in their last line. Further inputs follow a grammar: a beginning, a part that is
# repeated, an end.
QSOsync::Front::end_leak_detector(); # a measured program runs without the leak detector
my $SMALL_BYTES = 16 * 1024;

my @adif_parts = ('<', '<a', '<a:1', '<a:1>', '<a:1>x', '<a:0>', '<a:-1>', '<a:1><EOH>', '<a:-1><EOH>', '<a:-1><EOR>',
    '<a:1>x<EOH>',
    '<a:1>x<EOR>', '<EOH>', '<EOR>', '<EO', "<a:9999>\xe4<EOH>", "<a:9999>\xe4", '<a:9999>x<EOR>', '<a>',
    '<a b:8000><EOR>', '<eof>', '<a:1>x ' . ' ' x 300, "<a:3>\n\n\n", "\xe4", "\r\n",
    '<notes:16>x<EOR><call:1>yz<b:1>x', '<notes:16>x<EOR><call:1>yz', '<a:1>xyz', '<APP_X_EOF>', '<:1>', ' ' x 7, "x\0",
    '<a:999999999>', '<a:1:s>x', '<call:5>26AT1<eor>',
    '<call:5>26AT1<qso_date:8>20260517<time_on:4>1942<band:3>11m<x:1>y<eor>');
my @adif_ends = ('', '<EOR>');
my @json_parts = ('[', '{', '{"a":', '"a":1,', '"a",', '1', '0.', '1e1', '\\u0041', '\\ud83d\\ude00', '\\', '"', ' ',
    '[],', '{},', "\xc3\xa4",
    '{"band":"PMR446","channel":1},', '"entries":[],', '"entries":[{}],');
my @json_begins = ('', '{"entries":[', '{"entries":[{"notes":"', '{');
my @line_parts = ("a\r\n", "\xff\xfa", "\xff", "\b", "sh/dx\r\n", "\r", 'x', "set/grid JO59\r\n", "\0");
my @variable_parts = ('a=b; ', 'a', '/', '%41', '%', '&', 'limit=1&', 'a=b&', '../', '//', '+', 'Bearer ', "\xe4");
my @variables = ('REQUEST_URI=/api/v1/', 'REQUEST_URI=/api/v1/logs?', 'HTTP_COOKIE=', 'QUERY_STRING=',
    'HTTP_AUTHORIZATION=Bearer ');
my @word_parts = ('1', 'a', '%41', ' ', '0', '-', ':', "\xc2\xa0", 'A1');

my %shapes = (adif => [], body => [], dialogue => [], form => [], request => [], upload => [], values => []);
sub shape { my ($target, $name, @parts) = @_; push @{$shapes{$target}}, [$name, @parts] }
sub name_of {
    return join ' ', map { length > 40 ? substr($_, 0, 40) . '...' : $_ }
        map { s/([^!-~ ])/sprintf '\\x%02x', ord $1/ger } @_;
}

for my $part (@adif_parts) {
    shape('adif', name_of($part, '...', $_), '', $part, $_) for @adif_ends;
    shape('upload', name_of("pasted $part ..."), '{"key":"k","type":"adif","string":"', $part, '"}');
}
for my $part (@json_parts) {
    shape('body', name_of($_, $part, '...'), $_, $part, '') for @json_begins;
    shape('upload', name_of("{ $part ..."), '{', $part, '}');
}
shape('upload', "key $_", '', $_, '') for '"key"', '"key":', '"key":"', '"key" ', '"string":"<a', '"string" ',
    '"string":"';
# The lengths of all these fields end at the same place, from which the reader looks ahead.
my $reaching = join '', map { sprintf '<notes:%04d>x<EOR>', 18 * (100 - $_) - 12 } 0 .. 99;
shape('adif', "values that reach as far, then $_ ...", "$reaching<call:1>x", $_, '<notes:1>x<EOR>') for '<b:1>x', '<',
    '<a';
shape('dialogue', name_of($_, '...'), "26AT101\r\n", $_, '') for @line_parts;
for my $variable (@variables) {
    shape('request', name_of($variable, $_, '...'), "REQUEST_METHOD=GET\n$variable", $_, '') for @variable_parts;
}
shape('form', name_of($_, '...'), '', $_, '') for 'a=b&', '&', '=', '%41', '+', 'a', 'qsosync=a; ', ';', ' ',
    '; qsosync', 'Linux ';
shape('values', name_of($_, '...'), '', $_, '') for @word_parts;
cmp_ok scalar(map { @$_ } values %shapes), '>=', 100, 'the grammar gives at least a hundred shapes';

my %byte = (n => "\n", r => "\r", t => "\t", '\\' => '\\');
my @seeds = map { [map { s/\\(?:x(..)|(.))/$1 ? chr hex $1 : $byte{$2}/ger } split /\t/] }
    grep { !/\A#/ } split /\n/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/fuzz/seeds.tsv");
for my $target (sort keys %shapes) {
    for my $seed (grep { $_->[0] eq $target } @seeds) {
        my ($name, $input) = @$seed[1, 2];
        my ($begin, $last) = $input =~ /\A(.*?)([^\n]*\n?)\z/s;
        shape($target, "$name repeated", '', $input, '');
        shape($target, "$name and its last line repeated", $begin, $last, '');
    }
    my $folder = File::Temp->newdir;
    my @paths = map { sprintf '%s/%04d', $folder, $_ } 0 .. $#{$shapes{$target}};
    for my $i (0 .. $#paths) {
        open my $file, '>:raw', $paths[$i] or die "$paths[$i]: $!";
        print {$file} join "\x1f", @{$shapes{$target}[$i]}[1 .. 3];
        close $file or die "$paths[$i]: $!";
    }
    open my $measured, '-|', "$QSOsync::Front::BUILD/t/replay-$target", '--work', $SMALL_BYTES, growth() * $SMALL_BYTES,
        @paths or die "replay-$target: $!";
    my @work = map { /\A(\d+) (\d+)\n\z/ ? [$1, $2] : die "replay-$target said $_" } <$measured>;
    ok close $measured, "replay-$target reads every shape";
    is scalar @work, scalar @paths, "replay-$target measures every shape";
    work_is_linear(@{$work[$_]}, "$target, $shapes{$target}[$_][0]") for 0 .. $#work;
}

done_testing;
