use QSOsync::Test fronts => 'nginx';

# A clientId is a UUID, and belongs to one member.
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
    is $result->{error}, 'CLIENT_ID_INVALID', 'this text is rejected as a clientId: ' . ($text =~ s/[^ -~]/?/gr);
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

done_testing;
