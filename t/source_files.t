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

# The tests themselves: each is named after its subject, says what it needs in its first line, and describes whole
# rules: a failure report is read alone, and "and the rest, too" says nothing there. Lines have at most 120 columns.
{
    my $source = $QSOsync::Front::SOURCE;
    my ($list) = QSOsync::Front::read_file("$source/t/README") =~ /^Subjects\n-+\n(.*?)\n\n\n/ms;
    my %is_subject = map { $_ => 1 } $list =~ /^    (\w+) /mg;
    my %is_used;
    for my $path (sort glob "$source/t/*.t") {
        my ($name) = $path =~ m{([^/]+)\z};
        my ($subject) = $name =~ /\A([a-z]+)(?:_[a-z0-9]+)+\.t\z/;
        ok $subject && $is_subject{$subject}, "$name begins with a subject that t/README lists";
        $is_used{$subject // ''} = 1;
        my $text = QSOsync::Front::read_file($path);
        like $text, qr/\Ause QSOsync::Test\b[^\n]*;\n/, "$name begins with use QSOsync::Test";
        my @fragments = grep { /\A(?:and|but|nor|or|also|which|who|whose|too)\b|, too\z/ }
            $text =~ /,\s*(?|'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/g;
        is join('; ', @fragments), '', "no description in $name is a fragment";
    }
    ok $is_used{$_}, "there are tests of $_, which t/README lists" for sort keys %is_subject;

    my $readme = QSOsync::Front::read_file("$source/t/README");
    for my $path (sort glob "$source/t/lib/QSOsync/*.pm") {
        my ($helper) = $path =~ m{([^/]+)\.pm\z};
        like $readme, qr/^    (?:\w+, )*$helper\b/m, "t/README says what $helper is for";
    }
    for my $path (sort glob "$source/t/*.t $source/t/lib/QSOsync/*.pm $source/t/lib/QSOsync/*/*.pm") {
        my @long = grep { length > 120 } split /\n/, QSOsync::Front::read_file($path);
        is scalar @long, 0, substr($path, length "$source/") . ' has no line of more than 120 columns'
            or diag join "\n", @long;
    }
}

done_testing;
