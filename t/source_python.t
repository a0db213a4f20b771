use QSOsync::Test fronts => 'none', slow => 14, suite => 'all';

# mypy checks the types of the client kit's Python for the oldest Python that qsosync-clients(7) names. Lines have at
# most 100 columns. The types in JSON from an answer or a file are unknown until the JSON is read, so functions may
# return such JSON unchecked.
my $source = $QSOsync::Front::SOURCE;
my ($oldest) = QSOsync::Front::read_file("$source/src/manual/qsosync-clients.7")
    =~ /for Python (3\.[0-9]+) and later/;
ok $oldest, 'the manual page names the oldest Python';
my @files = glob "$source/src/clients/*.py";
cmp_ok scalar @files, '>=', 12, 'the client kit has at least twelve files';
for my $path (@files) {
    open my $file, '<:encoding(UTF-8)', $path or die "$path: $!";
    my @long = grep { length > 101 } <$file>;
    is join('', @long), '', 'no line has more than 100 columns in ' . $path =~ s{.*/}{}r;
}
SKIP: {
    skip 'mypy is installed by ./bootstrap --browser', 1 if system('mypy --version >/dev/null 2>&1') != 0;
    my @arguments = ('--strict', '--no-warn-return-any', '--python-version', $oldest, '--cache-dir', '/dev/null');
    local $ENV{MYPYPATH} = "$source/src/clients";
    my $said = qx(mypy @arguments @files 2>&1);
    is $?, 0, 'every function of the client kit has correct types' or diag $said;
}

done_testing;
