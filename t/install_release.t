use QSOsync::Test fronts => 'none';
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use JSON::PP ();

# After make release has built the parts of a release, it writes the bill of materials, the checksums and the signature.
# Users can check a release with the manual's command. In this test, the parts are small files.
plan skip_all => 'needs signify-openbsd and dpkg-deb'
    if system('command -v signify-openbsd >/dev/null && command -v dpkg-deb >/dev/null') != 0;
my $source = $QSOsync::Front::SOURCE;
my $place = tempdir(CLEANUP => 1);
my $release = "$source/src/build/release";
sub run_line { return system('bash', '-c', "cd $place && { $_[0]\n} >$place/said 2>&1") == 0 }
sub said { return QSOsync::Front::read_file("$place/said") }
sub must { run_line($_[0]) or die "$_[0]: " . said() }
sub put { make_path($_[0] =~ s{/[^/]*\z}{}r); QSOsync::Front::write_file(@_) }
must('for key in project other; do signify-openbsd -G -n -p $key.pub -s $key.sec; done');

# make release refuses wrong settings before the build begins.
my ($address) = QSOsync::Front::read_file("$source/configure.ac") =~ /^AC_INIT\(.*\[([^\]]+\@[^\]]+)\]\)$/m;
for ('a@example.org', 'a@mail.example.com', 'a@club.example', 'a@localhost', $address =~ /example/ ? $address : ()) {
    ok !run_line("$release check $_ project.sec"), "make release rejects the address $_";
    like said(), qr/\Arelease: \S+ is not a real address: put the project's own into AC_INIT of configure\.ac; nothing/,
        'make release names the file that contains the address';
}
ok !run_line("$release check a\@radio-club.de none.sec"), 'make release refuses a missing key';
like said(), qr/the signing key is missing: make release KEY=/, 'make release reports that the key is missing';
must('cp project.sec single.sec');
ok !run_line("$release check a\@radio-club.de single.sec"), 'make release refuses a key without its public half';
ok !run_line("env -u MAKEFLAGS -u MAKELEVEL make -s -C $QSOsync::Front::BUILD release KEY="),
    'make release without a key fails';
like said(), qr/is not a real address|the signing key is missing/, 'make release without a key gives the reason';

# The parts are a package, an archive, an image and a tarball.
my $sum = '5' x 64;
put("$place/package/DEBIAN/control", <<'END');
Package: qsosync
Version: 1.2.3-1~deb12
Architecture: amd64
Maintainer: nobody <a@b.test>
Depends: libcurl4 | libcurl4t64, libjson-c5 (>= 0.15)
Description: a stand-in
END
put("$place/package/usr/share/qsosync/programs.sha256", "# QSOsync 1.2.3-1~deb12\n$sum  usr/bin/qsosync-admin\n");
put("$place/qsosync_1.2.3_linux-amd64/qsosync/programs.sha256", "# QSOsync 1.2.3\n$sum  public_html/api/v1\n");
put("$place/qsosync_1.2.3_linux-amd64/qsosync/LIBRARIES", "They hold\n\n== libc6-dev 2.36-9+deb12u10\n\ntext\n");
put("$place/layer/var/lib/dpkg/status", "Package: tini\nArchitecture: amd64\nVersion: 0.19.0-1\n\n"
    . "Package: dash\nArchitecture: amd64\nVersion: 0.5.12-2\n");
must(<<'END');
dpkg-deb --root-owner-group -Zgzip --build package qsosync_1.2.3-1~deb12_amd64.deb
tar cJf qsosync_1.2.3_linux-amd64.tar.xz qsosync_1.2.3_linux-amd64
tar czf qsosync_1.2.3_linux-amd64.tar.gz qsosync_1.2.3_linux-amd64
mkdir -p image/blobs/sha256 release
tar czf image/blobs/sha256/1a -C layer .
echo '{"layers":[{"digest":"sha256:1a"}]}' >image/blobs/sha256/2b
echo '{"manifests":[{"digest":"sha256:2b"}]}' >image/index.json
tar cf qsosync_1.2.3_amd64.tar -C image .
echo sources >qsosync-1.2.3.tar.xz
mv qsosync*.deb qsosync*.tar qsosync*.tar.?z release/
END

must("cd release && for name in bill again; do $source/src/build/bill-of-materials 1.2.3 1700000000 >../\$name; done");
my $bill = JSON::PP::decode_json(QSOsync::Front::read_file("$place/bill"));
must('cmp bill again');
is "@$bill{qw(spdxVersion dataLicense SPDXID)}", 'SPDX-2.3 CC0-1.0 SPDXRef-DOCUMENT',
    'the bill of materials has the format SPDX 2.3';
is $bill->{creationInfo}{created}, '2023-11-14T22:13:20Z',
    "the bill of materials has the version's date from the command line";
my %named = map { $_->{SPDXID} => $_ } @{$bill->{packages}};
is scalar(keys %named), scalar @{$bill->{packages}}, 'each identifier in the bill of materials is unique';
is join(' ', grep { !/\ASPDXRef-[A-Za-z0-9.-]+\z/ } keys %named), '',
    'every identifier has only characters that SPDX allows';
is join(' ', grep { !defined $_->{comment} && exists $_->{comment} } values %named), '',
    'no package in the bill of materials has a null as its comment';
is join(' ', grep { !$named{$_} } map { $_->{relatedSpdxElement} } @{$bill->{relationships}}), '',
    'every relationship refers to a package in the bill of materials';
my @said = sort map {
    my ($of, $to) = @named{@$_{qw(spdxElementId relatedSpdxElement)}};
    join ' ', ($of ? $of->{name} =~ s/\Aqsosync.1\.2\.3//r : 'document'), $_->{relationshipType}, $to->{name},
        $to->{versionInfo} // $to->{comment} // ();
} @{$bill->{relationships}};
is_deeply \@said, [
    '-1~deb12_amd64.deb CONTAINS usr/bin/qsosync-admin 1.2.3',
    '-1~deb12_amd64.deb DEPENDS_ON libcurl4', '-1~deb12_amd64.deb DEPENDS_ON libjson-c5 >= 0.15',
    '_amd64.tar CONTAINS dash 0.5.12-2', '_amd64.tar CONTAINS tini 0.19.0-1',
    map({ ("_linux-amd64.tar.$_ CONTAINS public_html/api/v1 1.2.3",
        "_linux-amd64.tar.$_ STATIC_LINK libc6-dev 2.36-9+deb12u10") } 'gz', 'xz'),
    map({ "document DESCRIBES qsosync$_ 1.2.3" } '-1.2.3.tar.xz', '_1.2.3-1~deb12_amd64.deb', '_1.2.3_amd64.tar',
        '_1.2.3_linux-amd64.tar.gz', '_1.2.3_linux-amd64.tar.xz'),
], 'the bill of materials lists the contents of each file' or diag join "\n", @said;
my %by_name = map { $_->{name} => $_ } @{$bill->{packages}};
is $by_name{'libc6-dev'}{externalRefs}[0]{referenceLocator},
    'pkg:deb/debian/libc6-dev@2.36-9%2Bdeb12u10?arch=amd64', 'a library has the package URL that scanners look for';
is $by_name{'usr/bin/qsosync-admin'}{checksums}[0]{checksumValue}, $sum,
    "the bill of materials has a program's checksum, which the doctor compares";

# Signing twice gives the same signature, and the manual's command detects changes to a signed release.
my $sign = "$release sign release project.sec";
must("cp bill release/qsosync_1.2.3.spdx.json && $sign && cp release/SHA256SUMS.sig first && $sign && "
    . 'cmp first release/SHA256SUMS.sig');
is join(' ', sort map { s{.*/}{}r } glob "$place/release/*"), join(' ', qw(SHA256SUMS SHA256SUMS.sig
    qsosync-1.2.3.tar.xz qsosync.pub qsosync_1.2.3-1~deb12_amd64.deb qsosync_1.2.3.spdx.json qsosync_1.2.3_amd64.tar
    qsosync_1.2.3_linux-amd64.tar.gz qsosync_1.2.3_linux-amd64.tar.xz)),
    'make release adds checksums, the signature and the public key';
my ($line) = QSOsync::Front::read_file("$source/src/manual/qsosync-security.7")
    =~ /^(signify\\-openbsd .*SHA256SUMS.*)$/m;
ok $line, 'the manual about security has a command that checks a release';
$line = ($line // 'false') =~ s/\\-/-/gr;
my ($installing) = QSOsync::Front::read_file("$source/src/manual/papers/install.txt") =~ /^    (signify-openbsd .*)$/m;
is $installing, $line, 'the installation guide has the same command';
sub is_good { run_line("cd release && $line") }
ok is_good(), "the manual's command accepts a signed release" or diag said();
must('cd release && sha256sum --check SHA256SUMS');
my ($package) = glob "$place/release/*.deb";
my $bytes = QSOsync::Front::read_file($package);
QSOsync::Front::write_file($package, $bytes ^ ("\0" x 100 . "\1"));
ok !is_good(), "the manual's command rejects a package with one changed bit";
QSOsync::Front::write_file($package, $bytes);
must('cp release/SHA256SUMS.sig kept && sed -i "s/ = ../ = 00/" release/SHA256SUMS.sig');
ok !is_good(), "the manual's command rejects a changed signature";
must('cp kept release/SHA256SUMS.sig && cp other.pub release/qsosync.pub');
ok !is_good(), "the manual's command rejects another public key";
must('cp project.pub release/qsosync.pub');
ok is_good(), "the manual's command accepts a release after its files are restored" or diag said();
must('cp other.pub single.pub');
ok !run_line("$release sign release single.sec"), 'make release refuses a key whose public half belongs to another key';

# Two scripts run programs built for another processor at the same time. The first script to finish must not remove the
# other script's emulation.
put("$place/use", "set -eu\n. $source/src/build/emulation\nemulation_formats=$place/formats\n");
put("$place/first", ". $place/use\nread -r emulation_registered emulation_mounted <begun\nemulation_end\n");
put("$place/both", <<"END");
. $place/use
bash -c '. $place/use && emulation_begin arm64 && echo "\$emulation_registered \$emulation_mounted" >begun'
emulation_begin arm64
bash first
grep -q '^enabled' formats/qsosync-*-aarch64
emulation_end
! compgen -G 'formats/qsosync-*'
END
must('mkdir formats');
SKIP: {
    skip 'needs qemu-user-static, another processor and a kernel that lets each user have emulations', 1
        if !-r '/usr/lib/binfmt.d/qemu-aarch64.conf' || `dpkg --print-architecture` eq "arm64\n"
        || !run_line('unshare --user --map-root-user --mount mount -t binfmt_misc none formats');
    ok run_line('unshare --user --map-root-user --mount bash both'), 'two scripts can emulate at the same time'
        or diag said();
}

done_testing;
