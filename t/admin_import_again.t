use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# Importing a file again, or the same contacts from another program, adds no QSO and removes no value.
my $service = QSOsync::Service->start;
my @first = (QSO_DATE => '20260517', TIME_ON => '194233', CALL => '26AT101', BAND => '11m', FREQ => '27.555',
    MODE => 'SSB', SUBMODE => 'USB',
    GRIDSQUARE => 'IO91wm', NAME => 'Bob', NOTES => 'Sporadic E', TX_PWR => 12);
my $file = adif_file($service, adif_record(@first), adif_record(@first, FREQ => '27.6'),
    map { adif_record(QSO_DATE => '20260518', TIME_ON => sprintf('%02d%02d', $_ / 60, $_ % 60), CALL => "26AT$_",
    BAND => '11m') } 1 .. 600);
sub word { my ($report, $word) = @_; return $report->{counts}{$word} }
sub updated_since {
    my ($since) = @_;
    return map { $_->{callsignWorked} } @{$service->get("/logs?limit=500&updatedSince=$since")->json->{items}}
}

is word(import_adif($service, '21SD333', $file), 'imported'), 602,
    'a file larger than one transaction is imported';
my %before = map { $_->{clientId} => $_ } $service->download;
is scalar(keys %before), 602, 'two contacts on different frequencies in one minute are two QSOs';
my $since = $service->get('/logs?limit=1')->json->{serverTime};
my $report = import_adif($service, '21SD333', $file);
is_deeply [$report->{status}, word($report, 'unchanged')], [0, 602], 'importing the same file again changes no QSO';
is_deeply { map { $_->{clientId} => $_ } $service->download }, \%before,
    'importing the same file again changes no value, including syncedAt';
is_deeply [updated_since($since)], [], 'an import without changes gives clients nothing to download';

# Another program writes less about a contact: no seconds, no sideband, a shorter locator, no notes.
my ($id) = grep { $before{$_}{callsignWorked} eq '26AT101'
    && ($before{$_}{frequencyMhz} // '') eq '27.555' } keys %before;
sub qso_now { my ($qso) = grep { $_->{clientId} eq $id } $service->download; return $qso }
sub import_one { return import_adif($service, '21SD333', adif_file($service, adif_record(@_))) }
is word(import_one(QSO_DATE => '20260517', TIME_ON => $_, CALL => '26-at-101', BAND => '11m', MODE => 'SSB',
    GRIDSQUARE => 'IO91'), 'unchanged'), 1,
    "a record with less detail changes no QSO (TIME_ON $_)" for '1942', '194200';
is_deeply qso_now(), $before{$id}, 'a record with less detail removes no value';
is word(import_one(QSO_DATE => '20260517', TIME_ON => '1942', CALL => '26AT101', BAND => '11m', QTH => 'Paris',
    RST_SENT => 59), 'updated'), 1,
    'a record with further values updates its QSO';
is_deeply qso_now(), { %{$before{$id}}, rstSent => '59', notes => "Name: Bob\nQTH: Paris\nSporadic E",
    syncedAt => qso_now()->{syncedAt} },
    'an update keeps values that its record lacks';
is_deeply [updated_since($since)], ['26AT101'], 'clients download only the updated QSO again';

$service->post_batch([{ %{qso_now()}, radio => 'Lincoln' }]);
is word(import_adif($service, '21SD333', $file), 'unchanged'), 602,
    'a QSO edited through the API still matches its record';
is qso_now()->{radio}, 'Lincoln', 'a value added through the API survives an import';

is word(import_one(APP_QSOSYNC_CLIENT_ID => uc $id, QSO_DATE => '20260517', TIME_ON => '194233', BAND => '11m'),
    'updated'), 1,
    'a record with a clientId updates that QSO';
is_deeply [@{qso_now()}{qw(clientId callsignWorked frequencyMhz mode notes radio txPowerW)}], [$id, (undef) x 6],
    'a record with a clientId replaces the whole QSO';

# A clientId that is not a UUID, or that a QSO of another member has, is ignored.
$service->admin('member', 'add', '26AT101', '--locator', 'JO59');
my $read_key = $service->admin('key', 'add', '26AT101', '--name', 'x', '--scope', 'READ');
my $foreign = adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '1942',
    STATION_CALLSIGN => '21SD333',
    CALL => 'X', BAND => '11m',
    APP_QSOSYNC_CLIENT_ID => $id), adif_record(QSO_DATE => '20260517', TIME_ON => '1942', CALL => 'Y',
        BAND => '11m',
    APP_QSOSYNC_CLIENT_ID => 'no UUID'));
$report = import_adif($service, '26AT101', $foreign);
is_deeply [$report->{status}, word($report, 'imported'), $report->{details}], [0, 2, ['new ids 2']],
    'records with unusable ids get new ids and are counted';
is word(import_adif($service, '26AT101', $foreign), 'unchanged'), 2,
    'importing the records again matches the QSOs with new ids';
is word(import_adif($service, '21SD333', $foreign), 'imported'), 1,
    "a record without a usable id is imported into each member's log";
is word(import_adif($service, '21SD333', $foreign), 'unchanged'), 2,
    "importing both records into a log again changes no QSO";
is scalar(grep { $_->{callsignWorked} eq 'X' } $service->download(key => $read_key)), 1,
    'two imports of a record with an unusable id create one QSO';

import_adif($service, '26AT101',
    adif_file($service, adif_record(QSO_DATE => '20260518', TIME_ON => '0001', CALL => '21SD333', BAND => '11m',
    STATION_CALLSIGN => '26AT1')));
my ($confirmed) = grep { $_->{callsignWorked} eq '26AT1' } $service->download;
like $confirmed->{crossConfirmedAt}, qr/\A\d{4}-/, "an imported QSO confirms another member's QSO";
is $service->admin('check'), '', 'the logbook passes the check after these imports';

done_testing;
