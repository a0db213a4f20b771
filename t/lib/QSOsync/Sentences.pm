# Finds the sentences in the sources that people read: comments, messages, test descriptions, manuals and papers.
#
#   for (QSOsync::Sentences::sentences_of_file("$source/src/base/clock.c")) {
#       my ($line, $sentence) = @$_;
#       print "$line: $_\n" for QSOsync::English::faults_of($sentence);
#   }
package QSOsync::Sentences;
use strict;
use warnings;
use Encode ();
use QSOsync::Front ();

# Returns the text of a comment without its marks. Lists and examples keep their lines.
sub unmarked {
    my ($comment) = @_;
    return join "\n", map { s{^\s*(?:/\*\*?|\*(?!/)|//+|--|#+)?}{}r =~ s{\s*\*/\s*\z}{}r } split /\n/, $comment;
}

# Returns the sentences of a text in lines. A blank line, the end of a list's item and an indented line also end a
# sentence.
sub sentences {
    my ($text) = @_;
    my (@found, $block, $is_row);
    for my $line (split /\n/, $text) {
        my $is_new = $is_row || $line =~ /\A\s*\z|\A {3,}|\A\s*(?:[-*] |\@\w|\d+\. |--)|\S {3,}\S/;
        $is_row = $line =~ /\S {3,}\S/;
        $line =~ s/\A\s*\@\w+\s+\{[^}]*\}\s+\S+//; # any word can name a parameter
        push @found, $block if $is_new && defined $block;
        $block = $is_new ? $line : defined $block ? "$block $line" : $line;
        ($block) = $block =~ /\A\s*(?:[-*] |\d+\. )?(.*)\z/s;
    }
    push @found, $block if defined $block;
    return grep { /\w \w/ } map { split /(?<=[.!?:;])\s+/ } map { s/\s+/ /gr =~ s/\A | \z//gr } @found;
}

my $C_TOKEN = qr{"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|//[^\n]*}s;

sub sentences_of_c {
    my ($text) = @_;
    my @found;
    while ($text =~ m{($C_TOKEN(?:\s*"(?:\\.|[^"\\\n])*")*)}g) {
        my ($token, $line) = ($1, line_of($text, $-[1]));
        push @found, map { [$line, $_] } $token =~ m{\A/} ? sentences(unmarked($token)) : messages(joined($token));
    }
    return @found;
}

# Joins the pieces of a string literal.
sub joined { return $_[0] =~ s/"\s*"//gr =~ s/\A"|"\z//gr =~ s/\\n/\n/gr =~ s/\\(.)/$1/gr }

# Omits names, paths and formats, which are not sentences.
sub messages { return grep { /[a-z]{2,} [a-z]+ [a-z]/ } sentences($_[0]) }

# Regular expressions contain quotes and slashes, so only a mark at a usual place starts a comment.
sub sentences_of_scripts {
    my ($text, $mark) = @_;
    my @found;
    my @patterns = (qr~(?:^[ \t]*$mark(?![!:])[^\n]*(?:\n|\z))+~m, qr~(?<=[;{},)] )$mark [^\n]*~);
    push @patterns, qr{^[ \t]*/\*.*?\*/}sm if $mark eq '//';
    push @patterns, qr{"""[^"].*?"""}s if $mark eq '#';
    for my $pattern (@patterns) {
        while ($text =~ /($pattern)/g) {
            my ($comment, $line) = ($1, line_of($text, $-[1]));
            push @found, map { [$line, $_] } sentences(unmarked($comment =~ s/"""//gr));
        }
    }
    while ($text =~ m~('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")(?=\s*(?:[,;:)\]}]|=>|$))~gm) {
        my ($string, $line) = (substr($1, 1, -1), line_of($text, $-[1]));
        push @found, map { [$line, $_] } messages($string);
    }
    return @found;
}

sub sentences_of_sql {
    my ($text) = @_;
    my @found;
    while ($text =~ m{((?:^[ \t]*-- (?!name:|part:)[^\n]*\n)+)}gm) {
        push @found, map { [line_of($text, $-[1]), $_] } sentences(unmarked($1));
    }
    return @found;
}

sub sentences_of_manual {
    my ($text) = @_;
    $text =~ s/^\.\\".*//gm;
    $text =~ s/^\.(?:nf|EX)\n.*?^\.(?:fi|EE)$/ /gsm;
    $text =~ s/^\.(?:SH|SS) .*//gm;
    $text =~ s/^\.TP.*\n.*//gm;
    return map { [0, $_] } sentences(without_fonts($text) =~ s/^\.[A-Za-z]+\b.*//gmr);
}

# Returns the text of a manual page without fonts. Other macros remain.
sub without_fonts {
    my ($text) = @_;
    $text =~ s/^\.(?:BR|BI|RB|IR|RI|IB) +(.*)/join '', map { s{^"|"$}{}gr } $1 =~ m{"[^"]*"|(?:\\.|[^\s\\])+}g/gem;
    $text =~ s/^\.[BI] +//gm;
    $text =~ s/\\f[BIRP]//g;
    return $text =~ s/\\([-. ])/$1/gr;
}

sub sentences_of_json {
    my ($text) = @_;
    return map { [0, $_] } map { sentences(s/\\(.)/$1/gr) } $text =~ /"(?:description|summary)": "((?:[^"\\]|\\.)*)"/g;
}

sub line_of { return 1 + (substr($_[0], 0, $_[1]) =~ tr/\n//) }

my %READERS = (
    (map { ($_ => \&sentences_of_c) } qw(c h css)),
    (map { my $ending = $_; ($ending => sub { sentences_of_scripts($_[0], '//') }) } qw(js mjs ts)),
    (map { my $ending = $_; ($ending => sub { sentences_of_scripts($_[0], '#') }) }
        qw(t pm py pl sh tsv conf service socket timer am ac yaml), ''),
    sql => \&sentences_of_sql,
    (map { ($_ => \&sentences_of_manual) } 7, 8),
    json => \&sentences_of_json,
    txt => sub { map { [0, $_] } sentences($_[0]) },
);

my %PAPERS = map { ($_ => 1) } qw(README CONTRIBUTING ADDING NEWS GLOSSARY);

# Returns the sentences of a file as [line, sentence]. The line is 0 where it is unknown.
sub sentences_of_file {
    my ($path) = @_;
    my ($name) = $path =~ m{([^/]+)\z};
    my ($ending) = $name =~ /\.(\w+)\z/;
    my $reader = $PAPERS{$name} ? $READERS{txt} : $READERS{$ending // ''} or return;
    my $text = eval { Encode::decode('UTF-8', QSOsync::Front::read_file($path), Encode::FB_CROAK) } // return;
    return $reader->($text);
}

1;
