use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Profile;

# Remembered records are part of backups, exports and histories. They are deleted with their member, or with the history
# of their deleted QSO.
my $service = QSOsync::Service->start(site => 1);
my $folder = $service->directory;
$service->add_member('26AT1');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my @file = (adif_qso(APP_N1MM_ID => 'f' x 32), map { adif_qso(CALL => "14FR$_", TIME_ON => "20${_}00") } 10 .. 12);
sub imported {
    my (@records) = @_;
    my $counts = import_adif($service, '21SD333', adif_file($service, @records))->{counts};
    return join ', ', map { "$counts->{$_} $_" } grep { $counts->{$_} } sort keys %$counts;
}
sub log_now { return sort { $a->{id} <=> $b->{id} } $service->download }
sub count_now { my @log = log_now(); return scalar @log }
sub rows { return $service->sqlite("SELECT count(*) FROM $_[0] WHERE member_id = 1") }
# Corrects every QSO so that no QSO resembles its record.
sub correct { $service->post_batch([map { +{ %$_, callsignWorked => "161SD$_->{id}" } } log_now()]); return }

imported(@file);
correct();
is imported(@file), '4 unchanged', 'records are remembered, whatever was corrected';
is $service->admin('import', '26AT1', adif_file($service, @file)) =~ /^imported 4$/m ? 1 : 0, 1,
    'a file that is remembered in one log can be imported into another log';

# A backup of the whole logbook keeps remembered records.
$service->admin('backup', "$folder/whole.db");
$service->admin('member', 'rename', '21SD333', '21SD334');
$service->restart_workers(sub { $service->admin('restore', "$folder/whole.db") });
is imported(@file), '4 unchanged', 'a backup contains the remembered records';
is $service->sqlite('SELECT callsign FROM former_callsigns WHERE member_id = 1'), '21SD334',
    'a restore remembers the callsign that the member has had since the backup';
is imported(adif_qso(APP_N1MM_ID => 'f' x 32, STATION_CALLSIGN => '21SD334', RST_SENT => '57')), '1 updated',
    'a record under the remembered callsign updates its QSO';

# A restore of one log also restores its remembered records.
$service->delete_qso($_->{clientId}) for log_now();
$service->admin('restore', "$folder/whole.db", '--member', '21SD333');
is imported(@file), '4 unchanged', 'restoring one log restores its remembered records';
is count_now(), 4, 'each QSO in a restored log exists once';

# The file of a member's own data contains remembered records.
my $everything = $me->get('everything.json')->json;
is_deeply [map { scalar @{$everything->{$_}} } qw(formerCallsigns programIds knownRecords)], [1, 1, 4],
    "everything.json contains earlier callsigns, programs' ids and remembered records";
is_deeply [map { @$_{qw(program id)} } @{$everything->{programIds}}], ['N1MM', 'f' x 32],
    'an id is listed with its program';
is_deeply [sort keys %{$everything->{knownRecords}[0]}], [qw(at hash qso source until values)],
    'a remembered record is listed with its times, hashes, source and QSO';

# Undoing a deletion restores remembered records.
my ($qso) = log_now();
$service->delete_qso($qso->{clientId});
my ($act) = @{$me->get('history')->json->{items}};
is $me->post('undo', { act => $act->{number} })->json->{restored}, 1, 'a deletion can be undone';
is imported(@file), '4 unchanged', 'a restored QSO has its remembered records again';

# The remembered records of a deleted QSO are kept until the deletion is too old for an undo.
$service->delete_qso($qso->{clientId});
is imported($file[0]), '1 imported', 'a record of a deleted QSO creates a new QSO';
is imported($file[0]), '1 unchanged', 'the record of the new QSO is remembered';
my @told = map { ["log<PROGRAMID:3>$_<EOH>", adif_qso(CALL => '14FR20', $_ eq 'ONE' ? (NAME => 'Bob') : ())] }
    'ONE', 'TWO', 'SIX';
imported(@{$told[0]});
$service->delete_qso((log_now())[-1]{clientId});
is imported(@{$told[1]}), '1 imported', 'another program can import a deleted QSO again';
is imported(@{$told[2]}), '1 unchanged', "a third program's equal record changes nothing";
is imported(@{$told[0]}), '1 updated', "the first program's values for the deleted QSO update the new QSO";
is +(log_now())[-1]{notes}, 'Name: Bob', "the new QSO has the first program's values";
$service->delete_qso((log_now())[-1]{clientId});
$me->post('delete-log', { callsign => '21SD333' });
is imported(@file), '4 imported', 'records from a deleted log are imported again';
$service->sqlite('UPDATE acts SET began_at = began_at - 181 * 86400000');
$service->post_batch([qso()]);
is rows('known_records') . ' ' . rows('program_ids'), '4 1',
    'remembered records of deleted QSOs are removed with the history';
is $service->admin('check'), '', 'the logbook passes the check';

# The check finds a remembered record that was assigned to another member's QSO.
$service->sqlite('UPDATE known_records SET qso_id = (SELECT max(id) FROM qsos WHERE member_id = 2)
    WHERE member_id = 1');
my ($status, $said) = $service->admin_try('check');
is $status, 1, "a record stored for another member's QSO fails the check";
like $said, qr/^.*a record of member 1 is stored as QSO \d+, which belongs to another member$/m,
    "the check names the record's member and the QSO";
$service->sqlite('DELETE FROM known_records WHERE member_id = 1');

# Deleting the member deletes remembered records.
$service->admin('member', 'delete', '21SD333', '--yes');
is join(' ', map { rows($_) } qw(known_records program_ids former_callsigns)), '0 0 0',
    'deleting a member deletes their remembered records, ids and callsigns';
is $service->admin('check'), '', 'the logbook passes the check after the deletion';
done_testing;
