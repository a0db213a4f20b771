use QSOsync::Test fronts => 'none';

# The database shows its QSOs in words to a person with the sqlite3 shell.
plan skip_all => 'the sqlite3 shell is not there' if system('sqlite3 --version >/dev/null 2>&1') != 0;
my $service = QSOsync::Service->start;
my ($full, $pmr) = (full_qso(), full_pmr_qso(operatorCallsign => undef, dxLat => undef));
$service->post_batch([$full, $pmr]);

sub word { $service->sqlite("SELECT coalesce($_[1], 'null') FROM readable_qsos WHERE client_id = '$_[0]{clientId}'") }
is word($full, $_->[0]), $_->[1], "readable_qsos shows $_->[0] in words" for [member => '21SD333'], [band => 'ELEVEN_METERS'],
    [qso_at => '2026-05-17T19:42:00Z'], [frequency_mhz => '27.555'], [channel => 'null'], [mode => 'USB'],
    [station_callsign => '21SD333/P'], [callsign_worked => '26AT101'], [path => 'SP'], [qso_status => 'WKD'],
    [qsl_via => 'EQSL'], [tx_power_w => 12], [split_khz => -5];
like word($full, $_), qr/\A20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\z/, "readable_qsos shows $_ as a date and time" for qw(created_at synced_at);
is word($pmr, $_->[0]), $_->[1], "readable_qsos shows $_->[0] of a PMR446 QSO in words" for [band => 'PMR446'], [channel => 8],
    [frequency_mhz => 'null'], [station_callsign => '21SD333'];

done_testing;
