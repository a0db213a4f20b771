use QSOsync::Test fronts => 'nginx';

# A write with a known clientId replaces the QSO.
my $service = QSOsync::Service->start;
my $full = full_qso();

sub stored {
    my ($entry) = @_;
    my $result = $service->post_batch([$entry])->json->{results}[0];
    ok $result->{id}, 'the entry is accepted' or diag explain $result;
    return (grep { $_->{clientId} eq $entry->{clientId} } $service->download)[0];
}

my $before = stored($full);
my $after = stored(qso(clientId => $full->{clientId}));
is $after->{$_}, undef, "an update without $_ clears it"
    for qw(frequencyMhz mode callsignWorked dxLocator myLocator splitKhz path qsoStatus rstSent rstReceived qslVia
    notes);
is $after->{$_}, $full->{$_}, "an update without $_ keeps its value"
    for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);
ok !$after->{qslSent} && defined $after->{qslSent}, 'an update without qslSent sets it to false';
is $after->{$_}, $before->{$_}, "an update keeps $_" for qw(id createdAt);
cmp_ok $after->{syncedAt}, 'gt', $before->{syncedAt}, 'an update raises syncedAt';

$after = stored(qso(clientId => $full->{clientId},
    map { $_ => undef } qw(operatorCallsign dxLat dxLng txPowerW radio antenna)));
is $after->{$_}, undef, "an update with null clears $_" for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);

$after = stored(qso(clientId => $full->{clientId}, band => 'PMR446', channel => 16));
is $after->{band}, 'PMR446', 'an update may change the band';
$after = stored(qso(id => '999', createdAt => '2001-01-01T00:00:00Z', syncedAt => 'x', spottedAt => 5,
    crossConfirmedAt => {}, unknown => [1], sendSpot => undef));
isnt $after->{id}, '999', 'a write ignores a read-only field';
is $after->{spottedAt}, undef, 'a write ignores a read-only field with any value';
ok !exists $after->{sendSpot}, 'sendSpot is never returned';
is stored(qso(notes => "  a\x{a0}b \x{feff}\n"))->{notes}, "a\x{a0}b",
    'a text is trimmed and keeps its inner white space';
is stored(qso(notes => " \x{2003} "))->{notes}, undef, 'a text of only white space is stored as null';

# A change of the band clears fields that the new band does not have.
my $pmr = full_pmr_qso();
stored($pmr);
$after = stored(qso(clientId => $pmr->{clientId}, frequencyMhz => '27.555'));
is $after->{$_}, undef, "an update to 11 m clears $_" for qw(channel ctcssTone dcsCode);
is $after->{frequencyMhz}, '27.555', 'an update to 11 m stores the frequency';
is $after->{$_}, $pmr->{$_}, "an update of the band keeps $_"
    for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);
$after = stored(qso(clientId => $pmr->{clientId}, band => 'PMR446', channel => 1));
is $after->{frequencyMhz}, undef, 'an update to PMR446 clears the frequency';
$after = stored(qso(clientId => $pmr->{clientId}, operatorCallsign => ' ', radio => '', antenna => 'new'));
is $after->{$_}, undef, "an update with an empty text clears $_" for qw(operatorCallsign radio);
is $after->{antenna}, 'new', 'an update with antenna changes it';
is $after->{txPowerW}, $pmr->{txPowerW}, 'an update of other fields keeps txPowerW';

# Valid clientIds and their owners.
{
    my $service = QSOsync::Service->start;
    my $other = $service->add_member('26AT101');
    sub result_of { $service->post_batch([$_[0]])->json->{results}[0] }

    my %valid = (
        'the nil UUID' => '00000000-0000-0000-0000-000000000000',
        'the greatest UUID' => 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        'a UUID of version 1' => 'c232ab00-9414-11ec-b3c8-9f6bdeced846',
        'a UUID of version 3' => '5df41881-3aed-3515-88a7-2f4a814cf09e',
        'a UUID of version 5' => '2ed6657d-e927-568b-95e1-2665a8aea6a2',
        'a UUID of version 7' => '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
        'a UUID of version 0' => '12345678-9abc-0def-0123-456789abcdef',
        'a UUID of version 15' => '12345678-9abc-fdef-f123-456789abcdef',
        'a UUID in upper case' => '6F1C9A4E-6A57-4D57-9F0E-0D5C3F6A1B2A',
        'a UUID in mixed case' => '7f1C9a4E-6A57-4d57-9F0e-0d5C3f6A1b2A',
    );
    for my $name (sort keys %valid) {
        my $result = result_of(qso(clientId => $valid{$name}));
        ok $result->{id}, "$name is accepted as a clientId";
        is $result->{clientId}, $valid{$name}, "the result repeats $name as sent";
        my ($item) = reverse $service->download;
        is $item->{clientId}, lc $valid{$name}, "the log returns $name in lower case";
        my %listed = map { $_->{clientId} => $_->{id} } @{$service->get('/logs/ids')->json->{items}};
        is $listed{lc $valid{$name}}, $result->{id}, "the list of ids returns $name in lower case";
    }
    my $count = $service->download;
    for my $name ('a UUID in upper case', 'a UUID in mixed case') {
        for my $spelling (lc $valid{$name}, uc $valid{$name}) {
            my $first = result_of(qso(clientId => $valid{$name}))->{id};
            is result_of(qso(clientId => $spelling))->{id}, $first, "$spelling identifies the same QSO";
        }
    }
    is scalar($service->download), $count, 'no spelling of a UUID creates a second QSO';
    is $service->delete_qso(uc $valid{'a UUID of version 7'})->status, 204,
        'a deletion with another spelling deletes the QSO';

    my @invalid = ('6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2', '6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2aa',
        '6f1c9a4e6a574d579f0e0d5c3f6a1b2a',
        '6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2g', '6f1c9a4e_6a57_4d57_9f0e_0d5c3f6a1b2a',
        '6f1c9a4-e6a57-4d57-9f0e-0d5c3f6a1b2a', 'urn:uuid:6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2a',
        ' 6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2a', "6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2a\n",
        "6f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2a\0", "\x{ff16}f1c9a4e-6a57-4d57-9f0e-0d5c3f6a1b2a",
        '-6f1c9a4e6a57-4d57-9f0e-0d5c3f6a1b2a', '-' x 36);
    for my $text (@invalid) {
        my $result = result_of(qso(clientId => $text));
        is $result->{error}, 'CLIENT_ID_INVALID', 'this is refused as a clientId: ' . ($text =~ s/[^ -~]/?/gr);
        is $result->{clientId}, $text, 'the result repeats a rejected clientId as sent';
    }

    # A clientId belongs to the first member who uses it, as long as the QSO exists.
    my $mine = qso(notes => 'mine');
    result_of($mine);
    my $theirs = $service->post_batch([{ %$mine, notes => 'theirs' }, qso(), { %$mine,
        clientId => uc $mine->{clientId} }],
        key => $other->{write_key})->json->{results};
    is_deeply [map { $_->{error} } @$theirs], ['CLIENT_ID_CONFLICT', undef, 'CLIENT_ID_CONFLICT'],
        "another member's clientId is a conflict in any spelling";
    ok $theirs->[0]{permanent}, "another member's clientId is rejected permanently";
    is $theirs->[0]{id}, undef, "the result for another member's clientId has no id";
    is((grep { $_->{clientId} eq $mine->{clientId} } $service->download)[0]{notes}, 'mine',
        "a batch with another member's clientId keeps that QSO unchanged");
    is scalar(grep { $_->{clientId} eq $mine->{clientId} }
        @{$service->get('/logs/ids', key => $other->{read_key})->json->{items}}), 0,
        "a rejected clientId of another member is not in the sender's log";
    is $service->delete_qso($mine->{clientId}, key => $other->{write_key})->status, 404,
        "deleting another member's QSO gives 404";
    is $service->delete_qso($mine->{clientId})->status, 204,
        "the owner can delete a QSO after another member's attempt";
    is $service->post_batch([$mine], key => $other->{write_key})->json->{results}[0]{error}, undef,
        'another member can use the clientId of a deleted QSO';
}

# An entry may name the state of the QSO that it changes; a newer state is not replaced.
{
    my $service = QSOsync::Service->start;
    my $other = $service->add_member('26AT101');
    my $first = qso(notes => 'first');
    $service->post_batch([$first]);
    my $stored = sub { (grep { $_->{clientId} eq $first->{clientId} } $service->download)[0] };
    my $send = sub {
        my ($qso, %option) = @_;
        return $service->post_batch([$qso], %option)->json->{results}[0];
    };
    my $base = $stored->()->{syncedAt};
    is $send->({ %$first, notes => 'second', baseSyncedAt => $base })->{error}, undef,
        'a write based on the stored state is accepted';
    my $second = $stored->();
    is $second->{notes}, 'second', 'a write based on the stored state is stored';
    ok !exists $second->{baseSyncedAt}, 'a QSO does not contain baseSyncedAt';
    is_deeply $send->({ %$first, notes => 'third', baseSyncedAt => $base }), { clientId => $first->{clientId},
        id => undef, error => 'CONFLICT', permanent => JSON::PP::false, syncedAt => $second->{syncedAt} },
        'a newer stored state is a temporary conflict with its stamp';
    is_deeply $stored->(), $second, 'a conflict writes nothing';
    is $send->({ %$first, notes => 'third', baseSyncedAt => $_ })->{error}, undef, 'an entry without a base is accepted'
        for $stored->()->{syncedAt}, undef, '2099-01-01T00:00:00Z';
    for my $wrong ('yesterday', 5, JSON::PP::true, {}) {
        is_deeply $send->({ %$first, baseSyncedAt => $wrong }), { clientId => $first->{clientId}, id => undef,
            error => 'baseSyncedAt must be the syncedAt of the QSO that was changed', permanent => JSON::PP::true },
            'an invalid base is rejected permanently';
    }
    my $new = qso(baseSyncedAt => $base);
    is $send->($new)->{error}, undef, 'an entry with a base creates a missing QSO';
    is $send->({ %$new, baseSyncedAt => $base }, key => $other->{write_key})->{error}, 'CLIENT_ID_CONFLICT',
        "a base does not change the conflict of another member's clientId";
    my $twice = $stored->();
    my @two = map { { %$first, notes => $_, baseSyncedAt => $twice->{syncedAt} } } qw(one two);
    my @results = @{$service->post_batch(\@two)->json->{results}};
    is_deeply [map { $_->{error} } @results], [undef, 'CONFLICT'],
        'of two entries with one base in a batch, the first is accepted';
    my $described = JSON::PP::decode_json($service->get('/openapi.json')->body);
    ok $described->{components}{schemas}{Batch}{properties}{entries}{items}{properties}{baseSyncedAt},
        'the API description has baseSyncedAt';
    my $codes = $described->{components}{schemas}{BatchResult}{properties}{error}{'x-codes'};
    is_deeply [grep { $_ eq 'CONFLICT' } @$codes], ['CONFLICT'], 'the API description has the code CONFLICT';
}
$service->stop;

# A batch is one transaction in which single entries can fail.
{
    my $service = QSOsync::Service->start;
    $service->expect_log(qr/the database refused|refuses this/);
    my $other = $service->add_member('26AT101');

    # The database rejects one entry by a rule that the program does not have.
    $service->sqlite(q{CREATE TRIGGER refuse_insert AFTER INSERT ON qsos WHEN NEW.notes LIKE 'refused%'
        BEGIN SELECT RAISE(ABORT, 'refuses this'); END});
    $service->sqlite(q{CREATE TRIGGER refuse_update AFTER UPDATE OF notes ON qsos WHEN NEW.notes LIKE 'refused%'
        BEGIN SELECT RAISE(ABORT, 'refuses this'); END});
    my $theirs = qso(callsignWorked => '21SD333');
    $service->post_batch([$theirs], key => $other->{write_key});

    my @sent = (qso(notes => 'first'),
        qso(notes => 'refused', sendSpot => JSON::PP::true(), frequencyMhz => '27.555', callsignWorked => '26AT101'),
        qso(notes => 'last'));
    my $response = $service->post_batch(\@sent);
    is $response->status, 200, 'one failing entry does not fail the batch';
    my $results = $response->json->{results};
    is_deeply $results->[1], { clientId => $sent[1]{clientId}, id => undef, error => 'GENERIC.INTERNAL_ERROR' },
        'the result of a failing entry is not permanent';
    ok $results->[0]{id} && $results->[2]{id}, 'entries before and after a failing one are saved';
    is join(' ', sort map { $_->{notes} } $service->download), 'first last',
        'a failing entry writes nothing to the log';
    is $service->sqlite('SELECT count(*) FROM spots'), 0, 'a failing entry publishes no spot';
    my ($partner) = $service->download(key => $other->{read_key});
    is $partner->{crossConfirmedAt}, undef, 'a failing entry confirms no QSO';

    my $update = { %{$sent[0]}, notes => 'refused too' };
    my ($before) = grep { $_->{notes} eq 'first' } $service->download;
    $results = $service->post_batch([$update])->json->{results};
    is $results->[0]{error}, 'GENERIC.INTERNAL_ERROR', 'a failing update does not fail the batch';
    my ($after) = grep { $_->{clientId} eq $update->{clientId} } $service->download;
    is_deeply $after, $before, 'a failing update keeps the QSO';
    $results = $service->post_batch([qso(notes => 'refused'), { %{$sent[0]}, notes => 'refused' }])->json->{results};
    is scalar(grep { $_->{error} eq 'GENERIC.INTERNAL_ERROR' } @$results), 2,
        'all entries of a batch can fail individually';

    $service->sqlite('DROP TRIGGER refuse_insert; DROP TRIGGER refuse_update');
    is_deeply [map { $_->{error} } @{$service->post_batch([$sent[1]])->json->{results}}], [undef],
        'a failed entry is accepted when its cause is gone';
    ($partner) = $service->download(key => $other->{read_key});
    ok $partner->{crossConfirmedAt}, 'a failed entry confirms its partner when it is accepted later';

    # The entry's row is written before its spot fails.
    $service->sqlite(q{CREATE TRIGGER refuse_spot BEFORE INSERT ON spots BEGIN SELECT RAISE(ABORT,
        'refuses this'); END});
    my $unspotted = qso(notes => 'unspotted', sendSpot => JSON::PP::true());
    $results = $service->post_batch([$unspotted, qso(notes => 'after')])->json->{results};
    is $results->[0]{error}, 'GENERIC.INTERNAL_ERROR', 'an entry whose spot fails is rejected as a whole';
    is scalar(grep { $_->{notes} eq 'unspotted' } $service->download), 0,
        'an entry whose spot fails is not in the log';
    is scalar(grep { $_->{notes} eq 'after' } $service->download), 1,
        'the entry after one whose spot fails is saved';
    is $service->admin('check'), '', 'the logbook passes the check after failing entries';

    # A list of ids that cannot be read completely breaks off. A client that took a partial list as complete would
    # delete the rest of its log.
    {
        my $count = 10_000;
        my $service = QSOsync::Service->start;
        my $db = $service->db;
        $service->expect_log(
            qr/malformed|answered with GENERIC|could not be finished|prematurely closed|AH\d+|mod_fcgid/);
        $service->sqlite("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at)
            SELECT 1, randomblob(16), value, 0, 0, value FROM generate_series(1, $count)");
        my ($page_bytes, @leaves) = split /\n/, $service->sqlite(q{PRAGMA page_size;
            SELECT pageno FROM dbstat WHERE name = 'qsos_by_change' AND pagetype = 'leaf' ORDER BY path});
        my $whole = QSOsync::Front::read_file($db);

        for my $leaf (0, int(@leaves / 2), $#leaves) {
            QSOsync::Front::overwrite($db, "\xff" x $page_bytes, ($leaves[$leaf] - 1) * $page_bytes);
            my $response = $service->get('/logs/ids');
            ok !($response && $response->complete && ($response->json || {})->{items}),
                "with page $leaf of $#leaves damaged no list of ids looks complete";
            ok !$response || $response->status != 200 || !$response->complete,
                "with page $leaf of $#leaves damaged the answer is an error or breaks off"
                if $service->has_socket;
            is $response->code, 'GENERIC.INTERNAL_ERROR',
                "a list of ids that fails early gets the API's error" if $leaf == 0;
            QSOsync::Front::overwrite($db, $whole, 0);
            $response = $service->get('/logs/ids');
            is $response && $response->complete && @{($response->json || {})->{items} || []}, $count,
                "a list of ids is complete when page $leaf is repaired";
        }
    }
    $service->stop;
}

done_testing;
