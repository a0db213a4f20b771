use QSOsync::Test fronts => 'none';

# Every file is listed in Makefile.am.
my $source = $QSOsync::Front::SOURCE;
open my $file, '<', "$source/Makefile.am" or die $!;
my $makefile = do { local $/; <$file> };
for my $path (glob("$source/src/*/*.[ch]"),
    glob("$source/t/unit-*.c"), glob("$source/src/manual/*"), glob("$source/src/pages/*"), glob("$source/src/service/*"),
    glob("$source/src/clients/*.*")) {
    my $name = substr $path, length("$source/");
    like $makefile, qr/\s\Q$name\E(?:\s|\z)/, "Makefile.am lists $name";
}

done_testing;
