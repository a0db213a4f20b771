# Finds the words and constructions in a sentence that src/CONTRIBUTING rules out. (QSOsync::Sentences finds sentences.)
package QSOsync::English;
use strict;
use warnings;

my $WORDS_MAX = 25;

# Each pattern rules out one construction that was common in the sources. The text after the pattern is a better choice.
my @FAULTS = (
    [qr/(?<!\b[Tt]here )\b(?:is|are|was|were|be) no(?:ne)?\b(?! (?:longer|more|less|later|earlier|larger|better))/,
        'is not a'],
    [qr/\balso (?:if|when|where)\b/i, 'even if, including'],
    [qr/\bthe own\b/i, 'its own, their own'],
    [qr/\bany ?more\b/i, 'no longer'],
    [qr/\bwho(?:m)?ever\b/, 'anyone who'],
    [qr/\banew\b/i, 'again'],
    [qr/(?<![(-])\bformer(?:ly)?\b/i, 'previous, earlier, old'],
    [qr/\bso many\b/i, 'a number'],
    [qr/\bof (?:which|whom)\b/i, 'two sentences'],
    [qr/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
    [qr/\bnobody listens\b/i, 'nothing listens'],
    [qr/\b(?:stands?|stood)\b(?! for)/i, 'is, is written'],
    [qr/\b(?:lies|lay)\b/i, 'is'],
    [qr/\bbeside\b/i, 'next to, in addition to'],
    [qr/\b(?:is|are|was|were|has|have|had) to be\b/i, 'must be'],
    [qr/\b(?:is|are|was|were|be) told\b/i, 'a verb that says who reports it'],
    [qr/\bwhat (?:came|comes|became|becomes) of\b/i, 'the outcome'],
    [qr/\b(?:take|takes|took|taken|taking) back\b/i, 'undo'],
    [qr/\b(?:go|goes|going|went) on\b/i, 'continue'],
    [qr/\A(?:Of|By|Beside|What|Who|Whom|Whose)\b(?:.*[.:;]|(?:\S* ){5}.*[^?])\z/, 'a subject first'], # except titles
);

# These sentences are correct where they occur.
my @ALLOWED = (
    qr/\AWhat (?:you get|to add where)\b/, # headings of README and src/ADDING
);

# Returns the faults of a sentence, as texts.
sub faults_of {
    my ($sentence) = @_;
    return if grep { $sentence =~ $_ } @ALLOWED;
    my $own_words = $sentence =~ s/"[^"]{1,40}"/""/gr;
    my @faults = map { $own_words =~ $_->[0] ? "\"$&\" (better: $_->[1])" : () } @FAULTS;
    my $count = () = $sentence =~ /\S+/g;
    push @faults, "$count words" if $count > $WORDS_MAX;
    return @faults;
}

1;
