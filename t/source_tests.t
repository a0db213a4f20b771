use QSOsync::Test fronts => 'none';

# Each test is named after its subject, and states what it needs in its first line. Descriptions are whole rules,
# because a failure report shows only the description. Lines have at most 120 columns, and files have no headings.
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
    like $readme, qr/^    (?:\w+, )*$helper\b/m, "t/README explains $helper";
}
for my $path (sort glob "$source/t/*.t $source/t/lib/QSOsync/*.pm $source/t/lib/QSOsync/*/*.pm") {
    my @long = grep { length > 120 } split /\n/, QSOsync::Front::read_file($path);
    is scalar @long, 0, substr($path, length "$source/") . ' has no line of more than 120 columns'
        or diag join "\n", @long;
    unlike QSOsync::Front::read_file($path), qr/^# --+ /m, substr($path, length "$source/") . ' has no heading';
}

# A heading inside a file would begin a second subject, which needs its own file.
for my $path (grep { -f && -T } glob "$source/t/{*,{bench,browser,fuzz,install,javascript,model,polo,powercut}/*}") {
    my @headings = grep { m{\A\s*(?:/\*|//|#) --+ } } split /\n/, QSOsync::Front::read_file($path);
    is join("\n", @headings), '', substr($path, length "$source/") . ' has no heading';
}

# A mutant that no longer fits its file would count as a fault that the tests find.
for my $list (glob "$source/t/*/mutants.tsv") {
    for my $row (grep { !/\A(?:#|\z)/ } split /\n/, QSOsync::Front::read_file($list)) {
        my ($name, $path, $change) = split /\t/, $row;
        my $text = QSOsync::Front::read_file("$source/$path");
        for my $step (split /; (?=s\W)/, $change) {
            my $before = $text;
            eval "for (\$text) { $step }; 1" or diag $@;
            isnt $text, $before, "each step of the mutant $name changes $path";
        }
    }
}

done_testing;
