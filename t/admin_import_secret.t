use QSOsync::Test fronts => 'none';
use QSOsync::Adif;
use QSOsync::Kit;
use Digest::SHA qw(sha1);

# The clientIds that an import gives cannot be calculated by other members: asking for one tells nothing, and taking
# one keeps nobody from importing. What releases up to 1.0 named without a secret is met again.
my $service = QSOsync::Service->start;
my $spy = $service->add_member('26AT101');
my @contact = (QSO_DATE => '20260517', TIME_ON => '194233', BAND => '11m', FREQ => '27.555', MODE => 'SSB');
sub counts {
    my ($callsign, @records) = @_;
    return import_adif($service, $callsign, adif_file($service, map { adif_record(@contact, @$_) } @records))->{counts}
}
sub only {
    my (%counts) = @_;
    return { imported => 0, updated => 0, unchanged => 0, refused => 0, 'other bands' => 0, %counts }
}
sub ids { return map { $_->{callsignWorked} => $_->{clientId} } $service->download }

# As releases up to 1.0 made it, and everybody can.
sub public_id {
    my ($name) = @_;
    my $bytes = substr sha1(pack('H*', 'f365284605af5c50864e864764fc5a9a') . $name), 0, 16;
    substr($bytes, 6, 1) = chr(ord(substr $bytes, 6, 1) & 0x0f | 0x50);
    substr($bytes, 8, 1) = chr(ord(substr $bytes, 8, 1) & 0x3f | 0x80);
    return join '-', unpack 'H8 H4 H4 H4 H12', $bytes;
}
sub public_ids {
    my ($worked, $ordinal) = @_;
    my $name = "21SD333|$worked|ELEVEN_METERS|2026-05-17T19:42|" . ($ordinal || 1);
    return map { public_id($_) } $name, "$name|21SD333";
}
is public_id('21SD333|26AT101|ELEVEN_METERS|2026-05-17T19:42|1'), '83fdf0e2-5a5f-554d-b0b7-f914dee37d83',
    'a public name is made here as it was';

is_deeply counts('21SD333', [CALL => 'ASKED']), only(imported => 1), 'a file is imported';
my $answer = $service->post_batch([map { qso(clientId => $_, callsignWorked => 'SPY') } public_ids('ASKED'),
    public_ids('TAKEN')], key => $spy->{write_key});
is_deeply [map { $_->{error} } @{$answer->json->{results}}], [(undef) x 4],
    'asking for calculable clientIds tells nothing of what another member has worked';
is_deeply counts('21SD333', [CALL => 'TAKEN']), only(imported => 1),
    'taking the calculable clientIds keeps nobody from importing';
is_deeply counts('21SD333', [CALL => 'TAKEN'], [CALL => 'ASKED']), only(unchanged => 2),
    'the same records once more change nothing';
my %ids = ids();
like $ids{$_}, qr/\A[0-9a-f]{8}-[0-9a-f]{4}-8/, "the clientId of $_ says that its name is nobody else's"
    for qw(ASKED TAKEN);

# A clientId that became known, by an exported file, and is another member's now.
$service->delete_qso($ids{ASKED});
$service->post_batch([qso(clientId => $ids{ASKED})], key => $spy->{write_key});
is_deeply counts('21SD333', [CALL => 'ASKED']), only(imported => 1),
    'a record whose clientId is taken gets another one';
is_deeply counts('21SD333', [CALL => 'ASKED']), only(unchanged => 1),
    'a record that has got another clientId is met under it';
$service->delete_qso($ids{ASKED}, key => $spy->{write_key});
is_deeply counts('21SD333', [CALL => 'ASKED']), only(unchanged => 1),
    'a record that has got another clientId is met under it when the first one is free again';

# A log of an older release, with two QSOs of one contact and minute, one of them edited since.
my @old = (qso(clientId => (public_ids('OLD', 1))[0], callsignWorked => 'OLD', rstSent => '57'),
    qso(clientId => (public_ids('OLD', 2))[1], callsignWorked => 'OLD', rstSent => '55'));
$_->{qsoAt} = '2026-05-17T19:42:33Z', $_->{frequencyMhz} = '27.555', $_->{mode} = 'SSB' for @old;
$service->post_batch(\@old);
my @records = map { [CALL => 'OLD', RST_SENT => $_] } 57, 55;
is_deeply counts('21SD333', @records), only(unchanged => 2),
    'QSOs that were named without a secret are met, and not made twice';
$service->delete_qso($old[0]{clientId});
is_deeply counts('21SD333', @records), only(imported => 1, unchanged => 1),
    'where one of them was deleted, the other is not taken for it';
is_deeply counts('21SD333', @records), only(unchanged => 2), 'records of which one was imported again are all met';
$service->post_batch([{ %{$old[1]}, callsignWorked => 'OLD/P' }]);
is counts('21SD333', @records)->{imported}, 0, 'one whose callsign was corrected is met by its name';

# What the client kit has named with its own secret.
my $file = adif_file($service, map { adif_record(@contact, CALL => $_) } 'KIT', 'KIT', 'KIT2');
my $log = $service->directory . '/client.log';
sub push_it {
    return (QSOsync::Kit::run($log, QSOsync::Kit::environment($service), 'python3', QSOsync::Kit::client('qsosync.py'),
        'push', $file))[1];
}
like push_it(), qr/^imported 3$/m, 'the kit sends a file';
%ids = ids();
is scalar(grep { $_ eq $ids{KIT2} } public_ids('KIT2')), 0, 'its clientIds are not calculable either';
is_deeply import_adif($service, '21SD333', $file)->{counts}, only(unchanged => 3),
    'an import finds what the kit has named';
unlink glob $service->directory . '/state/qsosync/secret';
like push_it(), qr/^unchanged 3$/m, 'the kit finds what was named by another secret';

# The secret stays, through changes and restores.
sub secret { $service->sqlite("SELECT hex(client_id_secret) FROM members WHERE callsign = '21SD333'") }
my ($secret, $dry) = (secret(), adif_file($service, adif_record(@contact, CALL => 'DRY')));
like $secret, qr/\A[0-9A-F]{32}\z/, 'a member has a secret';
is $service->sqlite("SELECT count(*) FROM members WHERE client_id_secret IS NOT NULL"), 1,
    'a member who never needed a secret has none';
$service->admin('import', '26AT101', $dry, '--dry-run');
is $service->sqlite("SELECT count(*) FROM members WHERE client_id_secret IS NOT NULL"), 1, 'a dry run makes none';
my $before = $service->directory . '/before.db';
$service->admin('backup', $before);
is_deeply import_adif($service, '26AT101', $dry)->{counts}, only(imported => 1),
    'an import makes one where it is needed';
my $later = $service->sqlite("SELECT hex(client_id_secret) FROM members WHERE callsign = '26AT101'");
isnt $later, $secret, 'it is another one';
$service->admin('restore', $before);
is secret(), $secret, 'a backup brings the secret back';
is $service->sqlite("SELECT hex(client_id_secret) FROM members WHERE callsign = '26AT101'"), $later,
    'one that was made since the backup stays';
is $service->admin('check'), '', 'the logbook is in order afterwards';

done_testing;
