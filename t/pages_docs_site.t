use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Browser;

# The site of "make docs": the papers in their languages, with pictures that a browser has just made, and no link that
# leads nowhere.
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
my $folder = tempdir(CLEANUP => 1);
my @missing = QSOsync::Browser::is_missing();
SKIP: {
    skip "@missing", 2 if $missing[0];
    is system($^X, "$source/t/pictures", "$folder/pictures"), 0, 'a browser makes the pictures';
    my @wanted = map { QSOsync::Front::read_file($_) =~ /^picture: (\w+) \|/mg } glob "$source/src/manual/papers/*.txt";
    is join(' ', grep { !-s "$folder/pictures/$_.png" } 'front', @wanted), '', 'every picture of a paper is there';
}
my @papers = qw(members operators programs install design);
is system($^X, "$source/src/build/docs-site", $folder, $source, $build, '1.2.3', @papers), 0, 'the site is made';
my %is_there = map { (substr($_, 1 + length $folder) => 1) } glob "$folder/* $folder/pictures/*";
my @codes = map { m{([^/]+)\.po\z} } glob "$source/src/languages/*.po";
my @pages = map { "$_.html" } 'index', 'api', @papers, map { "members.$_" } @codes;
is join(' ', grep { !$is_there{$_} } @pages), '', 'the papers are there, the one for members in every language';
for my $name (sort grep { /\.html\z/ } keys %is_there) {
    my $page = QSOsync::Front::read_file("$folder/$name");
    my %id = map { ($_ => 1) } $page =~ /\sid="([^"]+)"/g;
    is join(' ', grep { !/\A(?:https?|mailto):/ && !(/\A#(.+)/ ? $id{$1} : $is_there{s/#.*//r}) }
        map { s/&amp;/&/gr } $page =~ /\s(?:href|src)="([^"]+)"/g), '', "every link of $name leads somewhere";
    unlike $page, qr/\{\{|<script/, "$name is a plain page";
}
like QSOsync::Front::read_file("$folder/members.pl.html"), qr/<html lang="pl">.*<h1>Dla cz\x{c5}\x{82}onk/s,
    'a language has its page, in its words';

done_testing;
