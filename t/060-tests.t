use QSOsync::Test fronts => 'none';

# The tests themselves: each has a number of its own in its family, says what it needs in its first line, and describes
# whole rules: a failure report is read alone, and "and the rest, too" says nothing there.
my %files_of;
for my $path (sort glob "$QSOsync::Front::SOURCE/t/*.t") {
    my ($name) = $path =~ m{([^/]+)\z};
    like $name, qr/\A\d{3}-[a-z0-9-]+\.t\z/, "$name is named t/NNN-subject-behaviour.t";
    my $text = QSOsync::Front::read_file($path);
    like $text, qr/\Ause QSOsync::Test\b[^\n]*;\n/, "$name begins with use QSOsync::Test";
    my @fragments = grep { /\A(?:and|but|nor|or|also|which|who|whose|too)\b|, too\z/ } $text =~ /,\s*(?|'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/g;
    is join('; ', @fragments), '', "no description in $name is a fragment";
    push @{$files_of{substr $name, 0, 3}}, $name;
}
is "@{$files_of{$_}}", $files_of{$_}[0], "number $_ belongs to one test" for sort keys %files_of;

done_testing;
