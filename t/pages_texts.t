use QSOsync::Test fronts => 'none';
use Encode ();
use QSOsync::Browser;
use QSOsync::English;
use QSOsync::Sentences;

# Each of the pages' texts is used on a page, and has all plural forms of its language. Missing translations are shown
# in English, and reported by this test.
my $source = $QSOsync::Front::SOURCE;
my @papers = glob "$source/src/manual/papers/*.txt";
binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);
my %text_of = map { m{(?:src/web|schema)/(.+)\z} => Encode::decode('UTF-8', QSOsync::Front::read_file($_)) }
    "$source/schema/fields.json",
    map { glob "$source/src/web/$_" } qw(*/*.js */*/*.js */*.html */*/*.html);
my (%rows, %in_language, %of_papers);
sub lacks { my ($place, @texts) = @_; diag map { "not translated yet in $place: $_\n" } @texts if @texts }
for my $path (glob "$source/src/languages/*.po") {
    my ($code) = $path =~ m{([^/]+)\.po\z};
    my ($head, @all) = split /\n\n(?=(?:#.*\n)*msg(?:id|ctxt) )/,
        Encode::decode('UTF-8', QSOsync::Front::read_file($path));
    my $complaints = qx(msgfmt --check-format --check-domain --check-header --output-file=/dev/null '$path' 2>&1);
    is $? >> 8, 0, "gettext's tools accept $code.po" or diag $complaints;
    my @entries = grep { !/^msgctxt "paper"/m } @all;
    for my $entry (@all) {
        my ($english) = $entry =~ /^msgctxt "paper"\nmsgid "((?:[^"\\]|\\.)+)"\nmsgstr "(?:[^"\\]|\\.)+"\s*\z/m
            or next;
        ok !$of_papers{$code}{$english}++, "\"$english\" occurs once in $code.po as a text of a paper";
    }
    my ($form_count) = $head =~ /nplurals=(\d)/;
    like $head, qr/^"Language: $code\\n"$/m, "$code.po names its language $code";
    my $script = join '', map { QSOsync::Front::read_file("$QSOsync::Front::BUILD/pages/$_-$code.js") }
        qw(texts cards alerts);
    is scalar(() = $script =~ /^  "/mg), scalar @entries, "the pages' texts contain all entries of $code.po";
    for my $entry (@entries) {
        my ($one, $more) = map { $entry =~ /^$_ "((?:[^"\\]|\\.)*)"$/m ? $1 : undef } 'msgid', 'msgid_plural';
        my @forms = $entry =~ /^msgstr(?:\[\d\])? "((?:[^"\\]|\\.)+)"$/mg;
        my $english = defined $more ? "$one|$more" : $one;
        ok !$in_language{$code}{$english}++, "\"$english\" occurs once in $code.po";
        is scalar @forms, defined $more ? $form_count : 1, "\"$english\" has all its plural forms in $code.po";
        for my $form (@forms) {
            is_deeply [sort $form =~ /\{\w+\}/g], [sort +($more // $one) =~ /\{\w+\}/g],
                "\"$form\" has the placeholders of \"$english\"";
        }
        $rows{$english} = 1;
    }
}
for my $code (sort keys %in_language) {
    lacks("$code.po", grep { !$in_language{$code}{$_} } sort keys %rows);
}

my %said;
for my $name (sort keys %text_of) {
    my $text = $text_of{$name};
    $said{$_} = 1 for $text =~ /\bsay\(\s*"((?:[^"\\]|\\.)*)"/g;
    $said{$_} = 1 for map { s/\s+/ /gr =~ s/\A | \z//gr } $text =~ /\sdata-say(?:\shidden)?>((?!\{\{)[^<]*)</g;
    $said{$_} = 1 for $text =~ /<title data-title="((?!\{\{)[^"]*)"/g;
    like $text, qr/<title(?: data-title="([^"]+)">\1 - |>\{\{club\}\})/,
        "the title of $name is translated" if $text =~ /<title/;
    $said{$_} = 1 for $text =~ /aria-label="([^"]*)" data-say-label/g;
    $said{$_} = 1 for $text =~ /\balt="([^"]*)" data-say-alt/g;
    # A string in a table is also a text of the page if the string has a translation.
    for my $string ($text =~ /"((?:[^"\\]|\\.)*)"/g) { $said{$string} = 1 if $rows{$string} }
    unlike $text, qr/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|setAttribute\("style|new Function/,
        "$name creates no markup from texts";
    unlike $text, qr/<script(?![^>]*\ssrc=)|\sstyle=|<style|\son[a-z]+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/,
        "$name complies with the policy and loads nothing from other sites";
}
# The pages' program writes further texts into pages.
my $written = join '', map { QSOsync::Front::read_file($_) } glob "$source/src/site/{*,*/*}.c";
$written =~ s/(?<!\\)"\s*"//g;
$written =~ s/\\"/"/g;
$said{$_} = 1 for $written =~ /\sdata-say>([^<]*)</g, grep { !/%s/ } $written =~ /\sdata-say="([^"]*)"/g;
$said{$_} = 1 for QSOsync::Front::read_file("$source/schema/error_pages.tsv") =~ /^\d+\t[a-z-]+\t([^\t]+)\t(.+)$/mg;
$said{$_} = 1 for grep { $rows{$_} } QSOsync::Front::read_file("$source/schema/calling.tsv")
    =~ /^\S+\t[\d.]+\t\w+\t(\w+)/mg;
$said{$_} = 1 for QSOsync::Front::read_file("$source/schema/channels.tsv") =~ /^plan\t\w+\t([^\t]+)/mg;
$said{$_} = 1 for $written =~ /\{&(?:site_)?error_\w+,\s*"([^"]+)"\}/g;
$said{$_} = 1 for map { QSOsync::Front::read_file($_) =~ /^(?:title|about): (.+)$/mg } @papers;
lacks('any language', grep { !$rows{$_} } sort keys %said);
is join("\n", grep { !$said{$_} } sort keys %rows), '', 'every text is used on a page';

# Every language has an entry for each block of the translated papers below /docs/, and no other entry for a paper.
my $paper_tool = "'$^X' '$source/src/build/paper' --filled";
my $marked = join "\n", map { Encode::decode('UTF-8', $_) } map { qx($paper_tool '$_') } @papers;
my %in_papers = map { ($_ => 1) } map { s/&quot;/\\"/gr =~ s/&amp;/&/gr } $marked =~ /\sdata-paper>([^<]+)</g,
    map { Encode::decode('UTF-8', QSOsync::Front::read_file($_)) =~ /^(?:## [^|\n]+|picture: \w+) \| (.+)$/mg }
    grep { QSOsync::Front::read_file($_) =~ /^translated: yes$/m } @papers;
cmp_ok scalar keys %in_papers, '>', 30, 'the papers have more than 30 texts';
for my $code (sort keys %in_language) {
    my %has = %{$of_papers{$code}};
    lacks("$code.po, as a text of a paper", grep { !$has{$_} } sort keys %in_papers);
    is join("\n", grep { !$in_papers{$_} } sort keys %has), '',
        "a paper uses every text in $code.po that is marked as a paper's text";
}

# The English follows the rules in src/CONTRIBUTING, without words that members would not use. The members' paper is
# easy to read.
my @english = map { QSOsync::Sentences::sentences($_) } map { split /\|/ } sort keys %rows,
    map { s/\\"/"/gr } sort keys %in_papers;
my @too_technical = ('in step', 'taking back', 'brought back', 'without a network', 'no network', 'outing',
    'of its own', 'of their own', 'as it was', 'takes the place', 'begins with', 'in the place of', 'at once again',
    'log of acts', 'commonest');
for my $word (@too_technical) {
    is join("\n", grep { /\b\Q$word\E/i } @english), '', "no English text contains \"$word\"";
}
is join("\n", map { my $text = $_; map { "$_: $text" } QSOsync::English::faults_of($text) } @english), '',
    'the pages and the paper are in plain English';
# Computes the Flesch-Kincaid grade, which long sentences and long words raise. A group of vowels counts as a syllable.
my @sentences = map { QSOsync::Sentences::sentences(s/\\"/"/gr) } sort keys %in_papers;
my @words = map { /[A-Za-z']+/g } @sentences;
my $syllables = 0;
for my $word (map { lc =~ s/(?<=[^aeiouyl])e\z//r } @words) {
    my $vowels = () = $word =~ /[aeiouy]+/g;
    $syllables += $vowels || 1;
}
my $grade = 0.39 * @words / @sentences + 11.8 * $syllables / @words - 15.59;
cmp_ok $grade, '<=', 8, "the members' paper can be read after eight years of school";
note sprintf 'grade %.1f', $grade;

# Each code of a rejected QSO is explained.
my @codes = QSOsync::Front::read_file("$source/schema/rejections.tsv") =~ /^\w+\t([^\t]+)\t(?:true|false)(?:\t\w+)?$/mg;
cmp_ok scalar @codes, '>', 5, 'there are more than five codes for rejected QSOs';
like $text_of{'shared/words/rejections.js'}, qr/^  "?\Q$_\E"?: \[/m, "the profile explains $_" for @codes;

# A page translates a message only if the service sends exactly these words.
sub words_of { return $_[0] =~ s/" #count "/{n}/gr =~ s{//}{}gr =~ s/\d+(?= characters long)/{n}/gr }
my $sent = words_of(join '', map { QSOsync::Front::read_file($_) } glob "$source/src/{base,qso,site,store}/{*,*/*}.c");
my ($messages) = $text_of{'shared/service.js'} =~ /^const MESSAGES = \[\n(.*?)^\];/ms;
my ($reasons) = $text_of{'pages/site/password.js'} =~ /^const REASONS = \{\n(.*?)^\};/ms;
for my $message (map { words_of($_) } $messages =~ /"([^"]+)",$/mg, $reasons =~ /^  "([^"]+)":/mg) {
    like $sent, qr/"\Q$message\E"/, "the service sends the message \"$message\", which a page translates";
}

done_testing;
