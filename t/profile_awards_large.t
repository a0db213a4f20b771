use QSOsync::Test fronts => 'main', slow => 1;
use QSOsync::Profile;

# What a log of 100,000 QSOs is worth, against a count by the database, also after changes.
my $count = $ENV{QSOSYNC_TEST_QSOS} || 100_000;
my $service = QSOsync::Service->start(site => 1);
fill_log($service, $count);
my $me = QSOsync::Profile->log_in($service, '21SD333');

# "name qsos confirmed first" of each item; the callsigns of fill_log begin with the number of a division.
sub counted {
    my ($name) = @_;
    return [sort map { "$_->[0] $_->[1] $_->[2] $_->[3]" } map { [split /\|/] } split /\n/, $service->sqlite("
        SELECT name, count(*), count(cross_confirmed_at), first FROM (
            SELECT $name AS name, cross_confirmed_at, first_value(id) OVER (
                PARTITION BY $name ORDER BY qso_at, id) AS first FROM qsos WHERE member_id = 1)
        WHERE name NOT NULL GROUP BY name")];
}
sub compare {
    my ($when) = @_;
    my $answer = $me->get('awards')->json;
    my $said = sub { [sort map { "$_->{name} $_->{qsos} $_->{confirmed} $_->{first}{id}" } @{$answer->{$_[0]}}] };
    is_deeply $said->('divisions'), counted("nullif(CAST(callsign_worked AS INTEGER), 999)"), "$when: the divisions";
    is_deeply $said->('squares'), counted('substr(dx_locator, 1, 4)'), "$when: the squares";
    is $answer->{qsos}, $service->sqlite('SELECT count(*) FROM qsos WHERE member_id = 1'), "$when: the QSOs";
}
compare('a long log');
$service->post_batch([map { full_qso(callsignWorked => "35$_", dxLocator => 'AA00',
    qsoAt => '2001-01-01T00:00:00.000Z') } map { "AT$_" } 1 .. 20]);
$service->post_batch([full_qso(callsignWorked => '999AT1', dxLocator => undef, dxLat => undef, dxLng => undef)]);
compare('with older QSOs');

done_testing;
