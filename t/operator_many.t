use QSOsync::Test fronts => 'nginx', suite => 'all';
use JSON::PP ();
use QSOsync::Profile;

# Clubs and logs can be large. With 5,000 members, a page of the list costs less than four times as much as with 100
# members. Renaming or deleting a member with a large log stays within a request's limit of CPU time.
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_REQUEST_CPU_MS => 300 });
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my $mine = $service->add_member('26AT101');

# Returns the CPU time that the site's worker needs for a hundred calls to the function, in seconds.
sub cost {
    my ($function) = @_;
    my $before = $service->cpu_seconds($service->site_pids);
    $function->() for 1 .. 100;
    return $service->cpu_seconds($service->site_pids) - $before;
}

sub add_members {
    my ($first, $count) = @_;
    my $list = join "\n", map { sprintf '13TH%05d, JO59', $first + $_ } 1 .. $count;
    is $operator->post('members', { list => $list })->json->{added}, $count, "$count members can be added at once";
}
add_members(0, 100);
my $few = cost(sub { $operator->get('members?limit=50') });
my $few_later = cost(sub { $operator->get('members?limit=50&after=13TH00040') });
add_members($_ * 1000, 1000) for 1 .. 5;
my $many = cost(sub { $operator->get('members?limit=50') });
my $many_later = cost(sub { $operator->get('members?limit=50&after=13TH04000') });
cmp_ok $many / $few, '<', 4,
    "with 5,000 members, the first page costs less than four times as much as with 100 ($few and $many s)";
cmp_ok $many_later / $few_later, '<', 4,
    "with 5,000 members, a later page costs less than four times as much as with 100 ($few_later and $many_later s)";
is scalar(split /\r\n/, $operator->get('members.csv')->body), 5103, 'the table contains all members';

# 20,000 QSOs are several times the number for which the limit of CPU time is designed.
my $adif = $service->directory . '/large.adi';
QSOsync::Front::write_file($adif, "x<EOH>\n" . join '', map {
    sprintf "<CALL:7>13TH%03d<QSO_DATE:8>2025%02d%02d<TIME_ON:6>%02d%02d%02d<FREQ:6>27.555<MODE:3>SSB<EOR>\n",
        $_ % 1000, 1 + $_ % 12, 1 + $_ % 28, $_ % 24, int($_ / 24) % 60, int($_ / 1440) % 60
} 1 .. 20000);
$service->admin('import', '26AT101', $adif);
is $service->sqlite('SELECT count(*) FROM qsos'), 20000, 'the log has 20,000 QSOs';
is $operator->post("members/$_->[0]/rename", { callsign => $_->[1] })->status, 204,
    'a member with a large log can be renamed'
    for map { [$service->sqlite("SELECT id FROM members WHERE callsign = '26AT101'"), $_] } '26AT102';
my $number = $service->sqlite("SELECT id FROM members WHERE callsign = '26AT102'");
is $operator->post("members/$number/disable")->status, 204, 'a member with a large log can be disabled';
my $file = $operator->post("members/$number/export");
my $export = $service->directory . '/export.json';
QSOsync::Front::write_file($export, $file->body);
is $service->sqlite("SELECT text ->> 'qsoCount', json_array_length(text, '\$.qsos') FROM
    (SELECT CAST(readfile('$export') AS TEXT) AS text)"), '20000|20000', 'a large log can be exported';
is $operator->post("members/$number/delete", { callsign => '26AT102' })->status, 204,
    'a member with a large log can be deleted';
is $service->sqlite('SELECT count(*) FROM qsos'), 0, 'deleting a member deletes all their QSOs';

done_testing;
