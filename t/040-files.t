use QSOsync::Test fronts => 'none';

# Every file is listed in Makefile.am.
my $source = $QSOsync::Front::SOURCE;
open my $file, '<', "$source/Makefile.am" or die $!;
my $makefile = do { local $/; <$file> };
for my $path (glob("$source/src/*/*.[ch]"),
    glob("$source/t/unit-*.c"), glob("$source/src/manual/*"), glob("$source/src/pages/*"),
    glob("$source/src/clients/*.*")) {
    my $name = substr $path, length("$source/");
    like $makefile, qr/\s\Q$name\E(?:\s|\z)/, "Makefile.am lists $name";
}
# Every setting is explained in the manual.
open my $settings, '<', "$source/src/worker/settings.c" or die $!;
my $text = join '', map { QSOsync::Front::read_file("$source/src/manual/$_.8") } qw(qsosync.fcgi qsosync-site.fcgi qsosync-cluster);
while (<$settings>) {
    like $text, qr/QSOSYNC_$1\b/, "the manual of one of the programs explains QSOSYNC_$1" if /\{PREFIX "(\w+)"/;
}

done_testing;
