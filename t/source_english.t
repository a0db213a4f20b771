use QSOsync::Test fronts => 'none';
use File::Find ();
use QSOsync::English;
use QSOsync::Sentences;

# Everything that a person reads in the sources is in the English that src/CONTRIBUTING requires: comments, messages,
# test descriptions, manuals and papers. pages_texts.t checks the texts of pages.
my $source = $QSOsync::Front::SOURCE;
binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);

# Released migrations never change. Test data and the map's licence are texts of other authors. This file contains the
# faults.
my $not_ours = qr{\A(?:schema/(?:migrations/|embedded\.)|src/(?:languages/|web/shared/map/land\.js)
    |t/(?:source_english\.t|(?:\w+/)?(?:data|seeds|foreign)/))}x;
my (@files, %is_file);
File::Find::find({ no_chdir => 1, wanted => sub {
    $File::Find::prune = 1 if m{/node_modules\z};
    return if !-f || !m{\A\Q$source\E/(.*)\z}s;
    my $name = $1;
    $is_file{$name} = 1;
    $is_file{$name} = 1 while $name =~ s{\A[^/]+/}{};
    push @files, substr $_, 1 + length $source;
} }, map { "$source/$_" } qw(.ci Makefile.am README apache bootstrap configure.ac nginx schema src t));
my %sentences = map { ($_ => [QSOsync::Sentences::sentences_of_file("$source/$_")]) } grep { !/$not_ours/ } @files;

for my $file (sort keys %sentences) {
    my @wrong;
    for (@{$sentences{$file}}) {
        my ($line, $sentence) = @$_;
        push @wrong, map { "line $line: $_: $sentence" } QSOsync::English::faults_of($sentence);
    }
    is join("\n", @wrong), '', "$file is plain English" if @{$sentences{$file}};
}
cmp_ok scalar(grep { @{$sentences{$_}} } keys %sentences), '>', 700, 'sentences are found in more than 700 files';
cmp_ok scalar(map { @$_ } values %sentences), '>', 15_000, 'more than 15,000 sentences are found';

# A comment or a manual names existing files. A name in capitals is a placeholder.
my %is_elsewhere = map { ($_ => 1) } qw(ctype.h fastcgi.h landlock.h linux/magic.h obstack.h openssl/x509_vfy.h
    sysexits.h unistd.h),
    'dxcluster/index.js',   # of DXClusterAPI
    'log.py', 'log.mjs';    # created by the reader of a paper
my $makefile = QSOsync::Front::read_file("$source/Makefile.am");
my $name = qr{(?<![\w/.*<\$%-])((?:[\w-]+/)*[\w-]+\.(?:c|h|t|js|mjs|sql|tsv|py|pm|html|css|inc|po))\b(?!\.\w)};
for my $file (sort keys %sentences) {
    my @missing = grep {
        !/[A-Z]{4}|\bsubject[_.]/ && !$is_file{$_} && !$is_elsewhere{$_} && $makefile !~ m{[/\s]\Q$_\E\s}
    } map { $_->[1] =~ /$name/g } @{$sentences{$file}};
    is "@missing", '', "$file names existing files" if grep { $_->[1] =~ $name } @{$sentences{$file}};
}

# Each pattern matches the construction for which it is meant, and nothing else.
my %faults = ('Of two members, the last one counts.' => 1, 'The key is no longer valid.' => 0, 'This is no key.' => 1,
    'There is no key.' => 0, 'It stands for a space.' => 0, 'It stands in a file.' => 1, 'What happens then?' => 0,
    'What happened is kept.' => 1, join(' ', ('word') x 26) => 1, join(' ', ('word') x 25) => 0);
is scalar(() = QSOsync::English::faults_of($_)), $faults{$_}, "\"$_\" has " . ($faults{$_} ? 'a fault' : 'no fault')
    for sort keys %faults;

done_testing;
