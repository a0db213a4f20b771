use QSOsync::Test fronts => 'none';

# The pages' texts: each is there in every language, and each row of the table is said somewhere.
use Encode ();
my $folder = "$QSOsync::Front::SOURCE/src/pages";
my %text_of = map { m{([^/]+)\z} => Encode::decode('UTF-8', QSOsync::Front::read_file($_)) } glob "$folder/*.js $folder/*.html";
my $table = delete $text_of{'texts.js'};
my %rows;
while ($table =~ /^  "((?:[^"\\]|\\.)*)": \[\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\],$/mg) {
    my ($english, @others) = ($1, $2, $3);
    ok !$rows{$english}, "\"$english\" has one row";
    $rows{$english} = 1;
    my @values = sort $english =~ /(?|\A([^|]*)\|.*|(.*))/ ? $1 =~ /\{\w+\}/g : ();
    for my $text (@others) {
        is scalar(() = $text =~ /\|/g), scalar(() = $english =~ /\|/g), "\"$text\" has as many forms as \"$english\"";
        is_deeply [sort +(split /\|/, $text)[0] =~ /\{\w+\}/g], \@values, "\"$text\" holds the values of \"$english\"";
    }
}
my $lines = () = $table =~ /^  "/mg;
is scalar(keys %rows), $lines, 'every row of the table is one of texts';

my %said;
for my $name (sort keys %text_of) {
    my $text = $text_of{$name};
    $said{$_} = 1 for $text =~ /\bsay\(\s*"((?:[^"\\]|\\.)*)"/g;
    $said{$_} = 1 for map { s/\s+/ /gr =~ s/\A | \z//gr } $text =~ /\sdata-say(?:\shidden)?>([^<]*)</g;
    $said{$_} = 1 for $text =~ /aria-label="([^"]*)" data-say-label/g;
    # Texts that a table of names or reasons holds.
    for my $string ($text =~ /"((?:[^"\\]|\\.)*)"/g) { $said{$string} = 1 if $rows{$string} }
    unlike $text, qr/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|setAttribute\("style|new Function/, "$name makes no markup of texts";
    unlike $text, qr/<script(?![^>]*\ssrc=)|\sstyle=|<style|\son[a-z]+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/, "$name has nothing that the policy refuses, and loads nothing from elsewhere";
}
is join("\n", grep { !$rows{$_} } sort keys %said), '', 'every text of the pages has its row';
is join("\n", grep { !$said{$_} } sort keys %rows), '', 'every row is said by a page';

# What may be refused to a program is told in words.
my @codes = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/qso/rejection.c") =~ /= \{"([^"]+)", (?:true|false)\}/g;
cmp_ok scalar @codes, '>', 5, 'there are codes of refused QSOs';
like $text_of{'access.js'}, qr/^  "?\Q$_\E"?: \[/m, "the profile tells what $_ means" for @codes;

done_testing;
