use QSOsync::Test fronts => 'none';

# The tests themselves: each has a number of its own in its family, and says what it needs in its first line.
my %files_of;
for my $path (sort glob "$QSOsync::Front::SOURCE/t/*.t") {
    my ($name) = $path =~ m{([^/]+)\z};
    like $name, qr/\A\d{3}-[a-z0-9-]+\.t\z/, "$name is named t/NNN-subject-behaviour.t";
    like QSOsync::Front::read_file($path), qr/\Ause QSOsync::Test\b[^\n]*;\n/, "$name begins with use QSOsync::Test";
    push @{$files_of{substr $name, 0, 3}}, $name;
}
is "@{$files_of{$_}}", $files_of{$_}[0], "number $_ belongs to one test" for sort keys %files_of;

done_testing;
