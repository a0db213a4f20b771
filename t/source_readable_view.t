use QSOsync::Test fronts => 'none';
use Encode ();

# The database shows its QSOs in words to a person with the sqlite3 shell: every field of the API, and every choice.
plan skip_all => 'the sqlite3 shell is not there' if system('sqlite3 --version >/dev/null 2>&1') != 0;
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
# What the API says, as SQLite's shell prints it: times to the second, truth as a number.
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
is word($full, 'member'), '21SD333', 'it shows whose log it is';
is word($full, 'station_callsign'), '21SD333/P', "it shows the station's callsign";
is word($pmr, 'station_callsign'), '21SD333', "it is the member's where the QSO names none";
for my $field (grep { $_ ne 'band' } sort keys %choices) {
    my @qsos = splice @chosen, 0, scalar @{$choices{$field}};
    is join(' ', map { word($_, snake($field)) } @qsos), join(' ', @{$choices{$field}}),
        "it has a word for every choice of $field";
}

done_testing;
