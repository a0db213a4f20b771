use QSOsync::Test fronts => 'none';
use Encode ();

# In the sqlite3 shell, the database shows QSOs in words, with every field of the API and every choice.
my $service = QSOsync::Service->start;
my $schemas = $service->get('/openapi.json')->json->{components}{schemas};
my $properties = $schemas->{Qso}{properties};
my %choices = map { $_ => [grep { defined } @{$properties->{$_}{enum}}] } grep { $properties->{$_}{enum} }
    keys %$properties;
my @chosen = map { my $field = $_;
map { full_qso($field => $_) } @{$choices{$field}} } grep { $_ ne 'band' } sort keys %choices;
my ($full, $pmr) = (full_qso(), full_pmr_qso(operatorCallsign => undef, dxLat => undef));
$service->post_batch([$full, $pmr, @chosen]);

sub snake { $_[0] =~ s/([A-Z])/_\l$1/gr }
sub word {
    Encode::decode('UTF-8',
        $service->sqlite("SELECT ifnull($_[1], 'null') FROM readable_qsos WHERE client_id = '$_[0]{clientId}'"));
}
# Returns a value of the API as SQLite's shell prints it: times in seconds, booleans as numbers.
sub plain {
    my ($value) = @_;
    return 'null' if !defined $value;
    return $value ? 1 : 0 if JSON::PP::is_bool($value);
    return $value =~ s/\A(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z\z/$1Z/r;
}
my %saved = map { $_->{clientId} => $_ } @{$service->get('/logs?limit=500')->json->{items}};
for my $sent ($full, $pmr) {
    my $qso = $saved{$sent->{clientId}};
    is word($sent, snake($_)), plain($qso->{$_}), "readable_qsos shows $_ of a QSO on $qso->{band} as the API does"
        for sort keys %$qso;
}
is word($full, 'member'), '21SD333', 'readable_qsos shows the member of a log';
is word($full, 'station_callsign'), '21SD333/P', "readable_qsos shows the station's callsign";
is word($pmr, 'station_callsign'), '21SD333', "readable_qsos shows the member's callsign if the QSO has no other";
for my $field (grep { $_ ne 'band' } sort keys %choices) {
    my @qsos = splice @chosen, 0, scalar @{$choices{$field}};
    is join(' ', map { word($_, snake($field)) } @qsos), join(' ', @{$choices{$field}}),
        "readable_qsos has a word for every choice of $field";
}
$service->stop;

done_testing;
