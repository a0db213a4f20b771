use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Browser;

# The site of "make docs" has the papers in their languages, new pictures from a browser, and no broken link.
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
my $folder = tempdir(CLEANUP => 1);
my @missing = QSOsync::Browser::is_missing();
SKIP: {
    skip "@missing", 2 if $missing[0];
    is system($^X, "$source/t/pictures", "$folder/pictures"), 0, 'a browser creates the pictures';
    my @wanted = map { QSOsync::Front::read_file($_) =~ /^picture: (\w+) \|/mg }
        glob "$source/src/manual/papers/*.txt";
    is join(' ', grep { !-s "$folder/pictures/$_.png" } 'front', @wanted), '', 'every picture in a paper exists';
}
QSOsync::Front::write_file("$folder/hours.log",
    "2026-05-17 fuzz:adif 3600 1000\n2026-05-18 fuzz:body 1800 17\n2026-05-18 simulation 7200 1440\n");
my @papers = qw(members operators programs install design cloudlog log11dx polo wsjtx);
is system($^X, "$source/src/build/docs-site", $folder, $source, $build, '1.2.3', @papers), 0, 'docs-site succeeds';
my %is_there = map { (substr($_, 1 + length $folder) => 1) } glob "$folder/* $folder/pictures/*";
my @codes = map { m{([^/]+)\.po\z} } glob "$source/src/languages/*.po";
my @pages = map { "$_.html" } 'index', 'api', @papers, map { "members.$_" } @codes;
is join(' ', grep { !$is_there{$_} } @pages), '',
    "the site has all papers, and the members' paper in every language";
for my $name (sort grep { /\.html\z/ } keys %is_there) {
    my $page = QSOsync::Front::read_file("$folder/$name");
    my %id = map { ($_ => 1) } $page =~ /\sid="([^"]+)"/g;
    is join(' ', grep { !/\A(?:https?|mailto):/ && !(/\A#(.+)/ ? $id{$1} : $is_there{s/#.*//r}) }
        map { s/&amp;/&/gr } $page =~ /\s(?:href|src)="([^"]+)"/g), '', "every link in $name has a target";
    unlike $page, qr/\{\{|<script/, "$name contains no script and no placeholder";
}
my $readme = QSOsync::Front::read_file("$folder/readme.html");
my @named = QSOsync::Front::read_file("$folder/index.html") =~ /readme\.html#([^"]+)/g;
is join(' ', grep { $readme !~ /<b id="$_">/ } @named),
    '', 'the first page links to existing sections of README';
my $first = QSOsync::Front::read_file("$folder/index.html");
is join('; ', $first =~ /<h2>(.*?)<\/h2>/g) =~ s/; Manual pages//r,
    'Install in three ways; For members; For operators; For authors of programs',
    'the first page has sections for the installation and for each kind of reader';
is join(' ', $first =~ /<img src="pictures\/(\w+)\.png"/g), $missing[0] ? '' : 'log app',
    'the first page has pictures of the log on a desktop and of the app on a phone';
like QSOsync::Front::read_file("$folder/index.html"),
    qr/: fuzz 1\.5 hours \(1017 inputs\), simulation 2\.0 hours \(1440 rounds\)\.</,
    'the site states how long programs have searched for faults';
like QSOsync::Front::read_file("$folder/members.pl.html"), qr/<html lang="pl">.*<h1>Dla cz\x{c5}\x{82}onk/s,
    'the Polish page for members has Polish texts';

done_testing;
