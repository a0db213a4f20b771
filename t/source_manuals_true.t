use QSOsync::Test fronts => 'none';
use QSOsync::Sentences;

# The manual pages match the programs: every setting with its range and default, every command with its options, and
# every line of a worker's log.
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);

# Returns a text without the commands of roff, on one line.
sub plain {
    my ($text) = @_;
    return QSOsync::Sentences::without_fonts($text) =~ s/^\.[A-Z]+\b *//gmr =~ s/\s+/ /gr;
}
# Returns the labelled paragraphs of a manual page as [label, text, section], without roff.
sub paragraphs {
    my ($page) = @_;
    my ($section, @found);
    for my $part (split /^\.(?=TP|SH|SS|PP)/m, QSOsync::Front::read_file("$source/src/manual/$page")) {
        my ($label, $text) = $part =~ /\ATP\n([^\n]*)\n(.*)/s;
        $section = $1 if $part =~ /\ASH ([^\n]*)/;
        if (defined $label) { push @found, [plain($label), plain($text), $section] }
        elsif (@found && $part =~ /\APP\n(.*)/s) { $found[-1][1] .= plain(" $1") }
    }
    return @found;
}
my %pages = map { ($_ => [paragraphs("$_.8")]) }
    qw(qsosync.fcgi qsosync-site.fcgi qsosync-cluster qsosync-admin);

# The table of settings is the output of --help.
my $help = `'$build/qsosync.fcgi' --help`;
my @settings = $help =~ /^  (QSOSYNC_\w+)[^\n]*\n +default ([^\n]*)/gm;
cmp_ok @settings / 2, '>', 5, 'the help lists more than five settings';
while (my ($name, $bounds) = splice @settings, 0, 2) {
    my ($default, $least, $most) = $bounds =~ /\A([^,]*)(?:, (\d+) to (\d+))?\z/;
    my ($paragraph) = grep { $_->[0] eq $name && /\S/ && $_->[1] !~ /\AAs in / } map { @$_ }
        @pages{'qsosync.fcgi', 'qsosync-site.fcgi', 'qsosync-cluster'};
    ok $paragraph, "a manual page explains $name" or next;
    next if $name eq 'QSOSYNC_DB'; # the build chooses its default
    like $paragraph->[1], $most == 1 ? qr/\b0\b.*\b1\b|\b1\b.*\b0\b/ : qr/\b$least to $most\b/,
        "the manual gives the range of $name" if defined $most;
    like $paragraph->[1], qr/\b\Q$default\E\b/, "the manual gives the default of $name" if length $default;
}

# The manual has every command, and exactly the options of each command, with their values.
my $option = qr/--[a-z-]+(?: (?:[A-Z][A-Z|]*|11m\|pmr446|adif\|csv|on\|off)(?![\w]))?/;
my %options_of;
my $commands = `'$build/qsosync-admin' --help` =~ s/\n\n  --db.*//sr;
for my $line (grep { /\A  [a-z]/ } split /\n/, $commands) {
    my ($words, $rest) = $line =~ /\A  ([a-z-]+(?: [a-z][a-z-]*\b)?)(?=  | [A-Z\[]| --|\z)(.*?)(?:   .*)?\z/ or next;
    $options_of{$words}{$_} = 1 for $rest =~ /$option/g;
    $options_of{$words} //= {};
}
cmp_ok keys %options_of, '>', 20, 'the help lists more than 20 commands';
for my $words (sort keys %options_of) {
    my @labels = grep { /(?:\A|\| ?)\Q$words\E(?: |\z|\[|\|)/ } map { $_->[0] } @{$pages{'qsosync-admin'}};
    ok @labels, "the manual has a paragraph for $words";
    my %written = map { ($_ => 1) } map { /$option/g } @labels;
    is join(' ', sort keys %written), join(' ', sort keys %{$options_of{$words}}),
        "the manual names exactly the options of $words";
}

# The manual explains the lines of the log. Messages that only commands of qsosync-admin print go to the person who runs
# the command.
my %only_commands = map { ("store/$_.c" => 1) } qw(backup backup_note candidate check restore restore_member);
my @headings = map { $_->[0] } grep { $_->[2] eq 'DIAGNOSTICS' } @{$pages{'qsosync.fcgi'}};
for my $path (map { glob "$source/src/$_/*.c" } qw(base http store worker api site feed)) {
    my ($name) = $path =~ m{src/(.*)};
    next if $only_commands{$name} || $name eq 'base/log.c';
    my $code = QSOsync::Front::read_file($path);
    my %macros = $code =~ /^#define (\w+) ("[^"\n]*")/gm;
    # A reason, "why", becomes part of a line before the line is logged.
    for my $format ($code =~ /\b(?:log_line\(|buffer_print\(why,)\s*((?:"(?:\\.|[^"\\])*"|[A-Z_]+|\s+)+)/g) {
        my $line = join '', map { s{^"|"$}{}gr } map { $macros{$_} // $_ } $format =~ /"(?:\\.|[^"\\])*"|[A-Z_]+/g;
        next if $line =~ /cannot copy it, to bring/; # a mode for a file that is only read
        next if $line eq '%.*s';                    # a reason
        $line =~ s/%(?:\.\*s|s)/GENERIC.INTERNAL_ERROR/g;
        $line =~ s/%(?:ll|z)?[du]/7/g;
        my @explained =
            grep { my $pattern = quotemeta($_) =~ s/\b(?:FILE|ACTION|REASON|NUMBER|NAME|FIELD|N|M|A|B)\b/.+/gr;
            $pattern =~ s/\\\.\\\.\\\./.*/; $line =~ /\A$pattern\z/ } @headings;
        ok @explained, "qsosync.fcgi(8) explains the line \"$line\" of $name";
    }
}

done_testing;
