use QSOsync::Test fronts => 'none';

# Every file is listed in Makefile.am, and says first what it is for and what it leaves to others.
my $source = $QSOsync::Front::SOURCE;
open my $file, '<', "$source/Makefile.am" or die $!;
my $makefile = do { local $/; <$file> };
for my $path (glob("$source/src/*/*.[ch]"),
    glob("$source/t/unit-*.c"), (grep { -f } glob("$source/src/manual/*")), glob("$source/src/pages/*"),
    glob("$source/src/service/*"), glob("$source/src/clients/*.*")) {
    my $name = substr $path, length("$source/");
    like $makefile, qr/\s\Q$name\E(?:\s|\z)/, "Makefile.am lists $name";
}

for my $path (glob "$source/src/*/*.c") {
    my ($opening) = QSOsync::Front::read_file($path) =~ m{\A(/\*.*?\*/\n)}s;
    my $name = substr $path, length("$source/");
    my $lines = () = ($opening // '') =~ /\n/g;
    cmp_ok $lines, '>=', 3, "$name opens with three lines at least";
    unlike $opening // '', qr{\A/\* (?:What|Where|The same of)\b}, "$name opens with a sentence";
}

done_testing;
