use QSOsync::Test fronts => 'all';

# Pages load their files from the release's folder, and browsers cache these files for a year. A page opened before an
# upgrade continues to work.
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_CLUB => 'Club 11' });
$service->expect_log(qr/No such file or directory|AH00128/);
sub page { return $service->request('GET', '', raw_path => $_[0]) }

my %files;
for my $path ('/', '/cluster/', '/cluster/list', '/operator/', '/docs/', '/sign-in', '/welcome/') {
    my $answer = page($path);
    is $answer->status, 200, "$path is served";
    my @named = $answer->body =~ /(?:href|src)="((?:\.\.?\/)+pages\/[^"]+)"/g;
    cmp_ok scalar @named, '>=', 3, "$path names at least three files";
    is_deeply [grep { !m{pages/files-[0-9a-f]{12}/pages/[^/]+\z} } @named], [],
        "$path loads its files from the release's folder";
    $files{s{\A[./]+}{/}r =~ s/#.*//r} = 1 for @named;
    like $answer->body, qr{<svg .*</svg><bdi>Club 11</bdi></a>}, "the head of $path names the club";
    like $answer->header('Cache-Control'), qr/\Ano-(?:cache|store)\z/, "browsers revalidate $path";
}
for my $path (sort keys %files) {
    my $answer = page($path);
    is $answer->status . ' ' . $answer->header('Cache-Control'), '200 public, max-age=31536000, immutable',
        "$path is cached for a year";
    my @imports = grep { !/answers\.js/ } $answer->body =~ /(?:\bfrom|\bimport\(?) ?"(\.\.?\/[^"]+\.js)"/g;
    for my $import (@imports) {
        my $at = $path =~ s{[^/]*\z}{}r . $import =~ s{\A\./}{}r;
        1 while $at =~ s{[^/.][^/]*/\.\./}{};
        $files{$at} //= page($at)->status;
        ok $files{$at} == 1 || $files{$at} == 200, "the file $import, which $path imports, is served";
    }
}
my ($style) = grep { /ui\.css/ } keys %files;
my $old = page($style =~ s/files-[0-9a-f]+/files-0123456789ab/r);
is $old->status . ' ' . $old->header('Cache-Control'), '200 no-cache',
    'a page from another release gets the current file, uncached';
is page('/pages/ui.css')->header('Cache-Control'), 'no-cache', 'browsers revalidate other files';
my $missing = page($style =~ s/ui\.css/nothing.css/r);
is $missing->status . ' ' . $missing->header('Cache-Control'), '404 no-store',
    'a missing file is not cached';

done_testing;
