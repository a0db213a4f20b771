use QSOsync::Test fronts => 'none';

# The bounds of a QSO's fields stand in the field table and nowhere else.
my $source = $QSOsync::Front::SOURCE;
for my $bound (2000, 99999, 100000) {
    my @lines = grep { /\b$bound\b/ } map { open my $file, '<', $_ or die $!; <$file> } glob "$source/src/*/*.[ch]";
    is scalar(@lines), 1, "the bound $bound stands on one line of src/" or diag @lines;
}

done_testing;
