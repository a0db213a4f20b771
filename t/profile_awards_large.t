use QSOsync::Test fronts => 'nginx', slow => 13, suite => 'all';
use QSOsync::Profile;

# The awards of a log of 100,000 QSOs are compared with counts by the database. The comparison is repeated after older
# QSOs, confirmations, changes, deletions and an undo.
my $count = $ENV{QSOSYNC_TEST_QSOS} || 100_000;
my $service = QSOsync::Service->start(site => 1);
my $partner = $service->add_member('26AT101', locator => 'IO91wm');
fill_log($service, $count);
my $me = QSOsync::Profile->log_in($service, '21SD333');

# Each callsign of this log begins with a division's number or with 999.
my $DIVISION = 'nullif(CAST(callsign_worked AS INTEGER), 999)';
my $SQUARE = 'substr(dx_locator, 1, 4)';

sub rows { return [sort split /\n/, $service->sqlite($_[0])] }

# Returns "name|qsos|confirmed|first" for each item of an award.
sub counted {
    my ($name) = @_;
    return rows("SELECT name, count(*), count(cross_confirmed_at), first FROM (
            SELECT $name AS name, cross_confirmed_at, first_value(id) OVER (
                PARTITION BY $name ORDER BY qso_at, id) AS first FROM qsos WHERE member_id = 1)
        WHERE name NOT NULL GROUP BY name");
}
# Returns "group|worked|confirmed" for each group with worked divisions.
sub grouped {
    my ($group) = @_;
    return rows("SELECT $group, count(DISTINCT $DIVISION) AS worked,
            count(DISTINCT CASE WHEN cross_confirmed_at NOT NULL THEN $DIVISION END)
        FROM qsos WHERE member_id = 1 GROUP BY 1 HAVING worked > 0");
}
sub compare {
    my ($when) = @_;
    my $answer = $me->get('awards')->json;
    my $said = sub { [sort map { "$_->{name}|$_->{qsos}|$_->{confirmed}|$_->{first}{id}" } @{$answer->{$_[0]}}] };
    my $groups = sub {
        my ($groups, $field) = @_;
        return [sort map { join '|', $_->{$field} // '', @{$_->{divisions}}{qw(worked confirmed)} }
            grep { $_->{divisions}{worked} } @{$answer->{$groups}}];
    };
    is_deeply $said->('divisions'), counted($DIVISION), "$when: the divisions match the database";
    is_deeply $said->('squares'), counted($SQUARE), "$when: the squares match the database";
    is_deeply $groups->('years', 'year'), grouped("strftime('%Y', qso_at / 1000, 'unixepoch')"),
        "$when: the years match the database";
    is_deeply $groups->('bands', 'band'), grouped("CASE band WHEN 0 THEN 'ELEVEN_METERS' ELSE 'PMR446' END"),
        "$when: the bands match the database";
    is $answer->{qsos}, $service->sqlite('SELECT count(*) FROM qsos WHERE member_id = 1'),
        "$when: the number of QSOs matches the database";
    return $answer;
}
# Sends the QSOs, and checks that the service saves all of them.
sub post {
    my ($qsos, %option) = @_;
    is_deeply [grep { $_->{error} } @{$service->post_batch($qsos, %option)->json->{results}}], [], 'all QSOs are saved';
}
# Returns the clientIds of a number of QSOs, beginning after a part (0 to 1) of the log.
sub some_ids {
    my ($number, $part) = @_;
    my $from = int($count * $part);
    return map { lc s/\A(.{8})(.{4})(.{4})(.{4})/$1-$2-$3-$4-/r } split /\n/,
        $service->sqlite("SELECT hex(client_id) FROM qsos WHERE member_id = 1 AND id > $from
            ORDER BY id LIMIT $number");
}

compare('a long log');
post([(map { full_qso(callsignWorked => "35AT$_", dxLocator => 'AA00', qsoAt => '2001-01-01T00:00:00.000Z') } 1 .. 20),
    full_qso(callsignWorked => '999AT1', dxLocator => undef, dxLat => undef, dxLng => undef)]);
compare('with older QSOs');

my %contact = (operatorCallsign => undef, dxLocator => 'IO91', mode => 'USB');
my @confirmable = map { qso(%contact, callsignWorked => '26AT101', qsoAt => sprintf('2001-02-%02dT10:00:00Z', $_)) }
    1 .. 20;
post(\@confirmable);
post([map { { %$_, clientId => uuid(), callsignWorked => '21SD333', dxLocator => 'JO59' } } @confirmable],
    key => $partner->{write_key});
my $before = compare('confirmed by other members');
my ($england) = grep { $_->{name} eq '26' } @{$before->{divisions}};
cmp_ok $england->{confirmed}, '>=', @confirmable, 'the QSOs of both members are confirmed';

my $key = $service->admin('key', 'add', '21SD333', '--name', 'tablet', '--scope', 'WRITE');
post([(map { full_qso(clientId => $_, callsignWorked => '46AT1', dxLocator => 'JN58') } some_ids(100, 0.2)),
    { %{$confirmable[0]}, callsignWorked => '26AT102' }], key => $key);
my $changed = compare('changed');
cmp_ok scalar(grep { $_->{name} eq '46' && $_->{qsos} >= 100 } @{$changed->{divisions}}), '==', 1,
    'the changed QSOs count for another division';
is $service->delete_qso($_, key => $key)->status, 204, 'a QSO can be deleted' for some_ids(25, 0.5),
    $confirmable[1]{clientId};
is compare('deleted')->{qsos}, $before->{qsos} - 26, 'deleted QSOs do not count';
$service->admin('undo', '21SD333', '--by', 'tablet', '--since', '2020-01-01T00:00:00Z');
my $after = compare('undone');
is_deeply [@{$after}{qw(qsos confirmed)}], [@{$before}{qw(qsos confirmed)}], 'an undo restores the counts';
is $service->admin('check'), '', 'the generated log passes the check';

done_testing;
