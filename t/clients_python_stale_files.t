use QSOsync::Test fronts => 'nginx', slow => 11, suite => 'all';
use QSOsync::Adif;
use QSOsync::Kit;

# A program and a phone share one log. The program occasionally reads qsosync.adi, copies, renames or sorts files,
# writes old states again, and omits fields. qsosync.py sync sends only the user's changes. QSOSYNC_TEST_SEED selects
# other steps, and QSOSYNC_TEST_ROUNDS sets the number of rounds.
srand($ENV{QSOSYNC_TEST_SEED} || 1);
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/log';
my $stash = $service->directory . '/stash.adi';
mkdir $folder;
sub one_of { return $_[rand @_] }
sub chance { return rand() < $_[0] }

# For each callsign, the expected log has all fields of the QSO, the notes as "name" and "text", and whether the QSO is
# deleted.
my (%expected, %at_last, $serial); # at_last: the QSO's last synchronised state, to which a deleted QSO returns

# The program has records by callsign, a file, and fields that the program omits. The test records the user's changes
# since the file was last written, and since the file was last sent.
my (%records, %written, %changed, %changed_in_file, %is_seen, %copies);
my ($file, @drops) = 'log.adi';
my %user_field = (RST_SENT => 'rstSent', MY_RIG => 'radio', TX_PWR => 'txPowerW', NAME => 'name', NOTES => 'text');
my %fresh = (RST_SENT => sub {
    "R$_[0]";
}, MY_RIG => sub { "Rig $_[0]" }, TX_PWR => sub { $_[0] }, NAME => sub { "Bob $_[0]" }, NOTES => sub { "told $_[0]" });
sub is_dropped { my ($name) = @_; return grep { $name =~ /\A$_\z/ } @drops }
sub write_file {
    my @calls = sort keys %records;
    @calls = sort { rand() <=> 0.5 } @calls if chance(0.5);
    my $minutes = chance(0.1);
    my $text = "A program\n<EOH>\n";
    for my $call (@calls) {
        my %fields = %{$records{$call}};
        $fields{TIME_ON} = substr $fields{TIME_ON}, 0, 4 if $minutes && $expected{$call};
        $text .= adif_record(map { $_ => $fields{$_} } sort { rand() <=> 0.5 } grep { !is_dropped($_) } keys %fields);
    }
    QSOsync::Front::write_file("$folder/$file", $text);
    $written{$_} = 1 for keys %records;
    for my $call (keys %changed_in_file) {
        $changed{$call}{$_} //= delete $changed_in_file{$call}{$_} for grep { is_dropped($_) }
            keys %{$changed_in_file{$call}};
    }
    for my $call (keys %changed) {
        $changed_in_file{$call}{$_} = delete $changed{$call}{$_} for grep { !is_dropped($_) } keys %{$changed{$call}};
    }
}
sub read_log {
    -e "$folder/qsosync.adi" or return;
    for my $record (split /<EOR>\n/, QSOsync::Front::read_file("$folder/qsosync.adi") =~ s/\A.*?<EOH>\n//sr) {
        my %fields;
        while ($record =~ /<(\w+):(\d+)>/g) {
            $fields{$1} = substr $record, pos $record, $2;
        }
        my $unsent = { %{$changed_in_file{$fields{CALL}} || {}}, %{$changed{$fields{CALL}} || {}} };
        $records{$fields{CALL}} = { %fields, %$unsent };
    }
}
sub change_record {
    my $call = one_of(sort keys %records) // return;
    my $name = one_of(grep { !is_dropped($_) } sort keys %fresh) // return;
    $changed{$call}{$name} = $records{$call}{$name} = $fresh{$name}->(++$serial);
}
sub log_new {
    my $call = '26AT' . ++$serial;
    $records{$call} = { CALL => $call, QSO_DATE => '20260517', TIME_ON => '194211', BAND => '11m', FREQ => '27.555',
        MODE => 'SSB',
        RST_SENT => '59', STATION_CALLSIGN => '21SD333' };
    $changed{$call}{RST_SENT} = '59';
}

# The phone edits the same log.
my %phone_field = (rstSent => 'R', radio => 'Rig ', name => 'Bob ', text => 'told ', txPowerW => '',
    antenna => 'Antenna ', frequencyMhz => '27.', dxLat => '');
sub whole {
    my (%qso) = @_;
    my ($name, $text) = delete @qso{qw(name text deleted)};
    return { %qso, notes => join("\n", (defined $name ? "Name: $name" : ()), defined $text ? $text : ()) || undef };
}
sub phone_new {
    my $call = '161SD' . ++$serial;
    my $qso = full_qso(callsignWorked => $call, notes => undef);
    $service->post_batch([$qso]);
}
sub phone_change {
    my $call = one_of(grep { !$expected{$_}{deleted} } sort keys %expected) // return;
    my $field = one_of(sort keys %phone_field);
    my $value = $phone_field{$field} . ++$serial;
    $value = sprintf '27.%03d', $serial % 1000 if $field eq 'frequencyMhz';
    $value = 0 + $value if $field eq 'txPowerW';
    $value = ($serial % 8000) / 100 + 0.12345 if $field eq 'dxLat';
    $expected{$call}{$field} = $value;
    $expected{$call}{dxLng} //= 10 if $field eq 'dxLat';
    $service->post_batch([whole(%{$expected{$call}})])->json->{results}[0]{id} // die "not saved: $call $field $value";
}
sub phone_delete {
    my $call = one_of(grep { !$expected{$_}{deleted} } sort keys %expected) // return;
    $expected{$call}{deleted} = 1;
    $service->delete_qso($expected{$call}{clientId});
}

# The folder and the service synchronise.
sub content {
    my ($qso) = @_;
    my %qso = %$qso;
    delete @qso{qw(id createdAt syncedAt crossConfirmedAt spottedAt sendSpot)};
    $qso{notes} = undef if !length($qso{notes} // '');
    return \%qso;
}
sub learn_new {
    for my $qso ($service->download) {
        my $call = $qso->{callsignWorked};
        next if $expected{$call};
        my %qso = %{content($qso)};
        my $notes = delete $qso{notes} // '';
        $qso{name} = $1 if $notes =~ s/\AName: (.*)\n?//;
        $qso{text} = $notes if length $notes;
        $expected{$call} = \%qso;
    }
}
sub expect_changes {
    for my $call (grep { %{$changed_in_file{$_}} } keys %changed_in_file) {
        my $qso = $expected{$call} or next;
        next if $qso->{deleted} && !$is_seen{$call} && !delete $qso->{is_live_here};
        %$qso = %{$at_last{$call}} if $qso->{deleted};
        $qso->{$user_field{$_}} = $changed_in_file{$call}{$_} for keys %{$changed_in_file{$call}};
        $qso->{txPowerW} += 0 if defined $qso->{txPowerW};
    }
    %changed_in_file = ();
    %is_seen = (%is_seen, map { $_ => 1 } keys %written);
}
my @history;
my $state = "$folder/qsosync.json";
sub synchronise {
    # If the copy still has a QSO that was deleted on the phone, an edit in the file restores the QSO.
    my $items = -e $state ? JSON::PP->new->utf8->decode(QSOsync::Front::read_file($state))->{items} : {};
    for my $qso (values %$items) {
        my $call = $qso->{callsignWorked};
        $expected{$call}{is_live_here} = 1 if $expected{$call}{deleted} && $changed_in_file{$call};
    }
    my ($status, $output) = QSOsync::Kit::run($service->directory . '/client.log', QSOsync::Kit::environment($service),
        'python3',
        QSOsync::Kit::client('qsosync.py'), 'sync', $folder);
    expect_changes();
    delete $_->{is_live_here} for values %expected;
    my %stored = map { $_->{callsignWorked} => $_ } my @log = $service->download;
    my @wrong = $status == 0 ? () : $output;
    my %times;
    push @wrong, map { "$_ occurs twice" } grep { ++$times{$_} == 2 } map { $_->{callsignWorked} } @log;
    for my $call (sort keys %expected) {
        my $is_there = exists $stored{$call};
        push @wrong, "$call " . ($is_there ? 'came back' : 'is gone') if $is_there != !$expected{$call}{deleted};
        next if !$is_there || $expected{$call}{deleted};
        my ($have, $want) = (content($stored{$call}), content(whole(%{$expected{$call}})));
        push @wrong, map { "$call $_: " . ($have->{$_} // 'nothing') . ' and not ' . ($want->{$_} // 'nothing') }
            grep { ($have->{$_} // '') ne ($want->{$_} // '') } sort keys %{{%$have, %$want}};
    }
    learn_new();
    $expected{$_}{deleted} or $at_last{$_} = { %{$expected{$_}} } for keys %expected;
    return @wrong;
}

my %steps = (
    'write' => \&write_file,
    'read' => \&read_log,
    'change' => sub { change_record(); write_file() if chance(0.7) },
    'new' => sub { log_new(); write_file() if chance(0.5) },
    'copy' => sub {
        QSOsync::Front::write_file("$folder/copy" . int(rand 3) . '.adi', QSOsync::Front::read_file("$folder/$file"))
            if -e "$folder/$file";
    },
    'remove' => sub { unlink "$folder/copy" . int(rand 3) . '.adi' },
    'rename' => sub {
        my $name = one_of('log.adi', 'renamed.ADI', 'zz.adif');
        rename "$folder/$file", "$folder/$name";
        $file = $name;
    },
    'stash' => sub {
        QSOsync::Front::write_file($stash, QSOsync::Front::read_file("$folder/$file")) if -e "$folder/$file";
    },
    'unstash' => sub { QSOsync::Front::write_file("$folder/old.adi", QSOsync::Front::read_file($stash)) if -e $stash },
    'drop' => sub {
        @drops = grep { chance(0.3) } 'APP_\w+',
            qw(NAME NOTES MY_RIG TX_PWR SUBMODE STATION_CALLSIGN LAT LON QSL_SENT BAND MY_GRIDSQUARE RST_RCVD);
    },
    'phone new' => sub {
        phone_new();
    }, 'phone change' => \&phone_change, 'phone change again' => \&phone_change, 'phone delete' => \&phone_delete,
);
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 40;
my $count = 0;
my @wrong;
for my $round (1 .. $rounds) {
    for (1 .. 1 + rand 12) {
        my $step = one_of(sort keys %steps);
        push @history, $step;
        $steps{$step}->();
        learn_new() if $step eq 'phone new';
        $count++;
    }
    push @history, 'sync';
    @wrong = synchronise() and last;
}
is_deeply \@wrong, [],
    'only changes by the user are sent, not old, copied, renamed, sorted or incomplete files'
    or diag join ', ', @history[-40 .. -1];
note "$count steps";

done_testing;
