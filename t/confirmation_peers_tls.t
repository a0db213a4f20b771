use QSOsync::Test fronts => 'none', suite => 'all';
use File::Temp ();
use JSON::PP ();

# Two clubs whose services speak TLS with certificates of an authority of their own, one behind nginx, the other one
# behind Apache: they are paired, and confirm each other's QSOs within one visit. A certificate of another authority, or
# of another name, is refused in a clear line.
plan skip_all => 'needs nginx, Apache with mod_ssl and openssl'
    if !QSOsync::Front::has_apache() || !-x $QSOsync::Front::NGINX || !-e '/usr/lib/apache2/modules/mod_ssl.so'
    || system('openssl version >/dev/null 2>&1') != 0;
my $place = File::Temp->newdir;
chmod 0755, $place;
sub openssl {
    system("cd '$place' && openssl @_ >openssl.log 2>&1") == 0 or die QSOsync::Front::read_file("$place/openssl.log");
}
for my $authority ('clubs', 'others') {
    openssl("req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Authority of $authority' -keyout $authority.key "
        . "-out $authority.pem");
}
for my $site (['here', 'clubs', 'IP:127.0.0.1'], ['there', 'clubs', 'IP:127.0.0.1'],
    ['other', 'others', 'IP:127.0.0.1'], ['elsewhere', 'clubs', 'DNS:log.example.org']) {
    my ($name, $authority, $for) = @$site;
    QSOsync::Front::write_file("$place/$name.ext", "subjectAltName=$for\n");
    openssl("req -newkey rsa:2048 -nodes -subj /CN=$name -keyout $name.key -out $name.csr");
    openssl("x509 -req -in $name.csr -CA $authority.pem -CAkey $authority.key -CAcreateserial -days 30 "
        . "-extfile $name.ext -out $name.pem");
}

QSOsync::Front::end_leak_detector(); # the operator's command becomes the user of Apache
# What the unit of systemd sets for such a club.
$ENV{CURL_CA_BUNDLE} = "$place/clubs.pem";
my ($here, $there) = map { club(@$_) } ['nginx', 'here'], ['fcgid', 'there'];
my ($mine, $theirs) = ($here->add_member('14AT1'), $there->add_member('26AT777'));
sub club {
    my ($front, $certificate) = @_;
    my $club = QSOsync::Service->start(front => $front, site => 1, tls => "$place/$certificate");
    $club->admin('club', 'set', '--name', "Club \u$certificate", '--address', $club->tls_url);
    return $club;
}
sub confirmed_at {
    my ($club, $member) = @_;
    my ($found) = $club->download(key => $member->{read_key});
    return $found->{crossConfirmedAt};
}

my $code = $here->admin('peer', 'add', $there->tls_url);
like $code, qr{\A\Q@{[$here->tls_url]}\E#}, 'a code holds the address with TLS';
$there->admin('peer', 'enter', $code);
my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');
$here->post_batch([qso(%contact, callsignWorked => '26AT777')], key => $mine->{write_key});
$there->post_batch([qso(%contact, callsignWorked => '14AT1')], key => $theirs->{write_key});
$here->admin('peer', 'pull');
ok confirmed_at($here, $mine), 'the club behind nginx confirms by one visit to the one behind Apache';
$there->admin('peer', 'pull');
ok confirmed_at($there, $theirs), 'the club behind Apache confirms by one visit to the one behind nginx';

# -- Certificates that are not trusted --------------------------------------------------------------

sub refusal {
    my ($club) = @_;
    my ($status, undef, $said) = $club->admin_try('peer', 'pull');
    is $status, 1, 'a club that is not trusted is not asked';
    like $said, qr/\A.*127\.0\.0\.1:\d+ cannot be asked: [^\n]+\n\z/, 'that is one line';
    my ($row) = @{JSON::PP::decode_json($club->admin('peer', 'list', '--json'))};
    like $said, qr/\Q$row->{failure}\E/, 'the list keeps it';
    return $said;
}
sub serve_with {
    my ($certificate) = @_;
    my $address = $here->sqlite('SELECT address FROM peers');
    my $other = club('nginx', $certificate);
    $here->sqlite("UPDATE peers SET address = '" . $other->tls_url . "'");
    my $said = refusal($here);
    is QSOsync::Front::read_file($other->directory . '/access.log'), '', 'nothing was sent there, and no key';
    $other->stop;
    $here->sqlite("UPDATE peers SET address = '$address'");
    return $said;
}
like serve_with('other'), qr/certificate/i, 'a certificate of another authority is refused';
like serve_with('elsewhere'), qr/certificate.*(?:name|127\.0\.0\.1)/i, 'a certificate for another name is refused';
{
    local $ENV{CURL_CA_BUNDLE} = "$place/others.pem";
    like refusal($here), qr/certificate/i, 'a club that names another authority trusts none of these certificates';
}
$here->admin('peer', 'pull');
is JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0]{failure}, undef,
    'the next visit to a trusted certificate ends the failure';
ok confirmed_at($here, $mine), 'nothing was lost meanwhile';

$_->stop for $here, $there;

done_testing;
