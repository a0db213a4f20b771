use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";

# The bounds of a QSO's fields stand in the field table and nowhere else.
my $source = $ENV{QSOSYNC_SRCDIR} || "$FindBin::Bin/..";
for my $bound (2000, 99999, 100000) {
    my @lines = grep { /$bound/ } map { open my $file, '<', $_ or die $!; <$file> } glob "$source/src/*/*.[ch]";
    is scalar(@lines), 1, "$bound stands once" or diag @lines;
}

done_testing;
