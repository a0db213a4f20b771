use QSOsync::Test fronts => 'none', suite => 'all', slow => 30;
use QSOsync::Polo;
use QSOsync::Profile;
use Time::Local ();

# On random evenings, two phones with PoLo, other programs and an operator work on one log. Requests, answers or both
# are lost, arrive twice or arrive late. Once everything has settled, the phones and the log have the same QSOs, except
# for those that the profile lists as rejected. QSOSYNC_TEST_EVENINGS and QSOSYNC_TEST_SEED set the number of evenings
# and the seed. With a Git repository of PoLo (github.com/ham2k/app-polo) in QSOSYNC_TEST_POLO, the phones run PoLo's
# own sync source.
my $evenings = $ENV{QSOSYNC_TEST_EVENINGS} || 50;
my $seed = $ENV{QSOSYNC_TEST_SEED} || time;
diag "QSOSYNC_TEST_SEED=$seed";
srand $seed;

my $service = QSOsync::Service->start(site => 1, front => 'nginx');
$service->admin('uploads', 'on');
my $number = 0;

sub begin_log {
    my $callsign = sprintf '21SD%03d', 400 + ++$number;
    my $member = $service->add_member($callsign);
    my $browser = QSOsync::Profile->log_in($service, $callsign);
    my $made = $browser->post('tokens', { name => 'PoLo', isPolo => JSON::PP::true() })->json;
    my $class = QSOsync::PoloSource::folder() ? 'QSOsync::PoloSource' : 'QSOsync::Polo';
    my @phones = map { $class->new($service, $made->{address}, name => "phone $_",
        ahead => $_ ? int(rand 7200000) - 3600000 : 0) } 0, 1;
    $_->{wants} = 4 + int rand 8 for grep { !$_->{pid} } @phones;
    return { member => $member, browser => $browser, phones => \@phones, callsign => $callsign };
}

sub any { return $_[rand @_] }
sub ms_of { my ($time) = @_;
    my ($y, $m, $d, $h, $i, $s, $ms) = $time =~ /\A(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d+)Z\z/;
    return Time::Local::timegm($s, $i, $h, $d, $m - 1, $y) * 1000 + $ms;
}

# Returns the log in the format of QSOsync::Polo::shown.
sub log_of {
    my ($evening) = @_;
    my %log;
    for my $qso ($service->download(key => $evening->{member}{read_key})) {
        my $frequency = $qso->{band} eq 'PMR446' ? 446006.25 + 12.5 * ($qso->{channel} - 1)
            : defined $qso->{frequencyMhz} ? $qso->{frequencyMhz} * 1000 : '';
        $log{$qso->{clientId}} = join '|', map { $_ // '' } ms_of($qso->{qsoAt}), $frequency, $qso->{mode},
            $qso->{operatorCallsign} || $evening->{callsign},
            @{$qso}{qw(callsignWorked rstReceived dxLocator rstSent notes)};
    }
    return \%log;
}

my %bands = (
    11 => [freq => 27555, band => '11m', mode => 'USB'],
    pmr => [freq => 446018.75, band => '70cm', mode => 'FM'],
    other => [freq => 7150, band => '40m', mode => 'LSB'],
    wrong => [freq => undef, band => 'nowhere', mode => 'FM']);
sub change {
    return any([@{$bands{any(11, 'pmr', 'other', 'wrong')}}], [notes => 'n' . int rand 1000],
        [their => { call => '13AT' . (100 + int rand 900), sent => '55' }],
        [@{$bands{any(11, 11, 11, 'pmr', 'other', 'wrong')}}], [startAtMillis => 1779046920000 + int rand 1e9]);
}

sub act_on_phone {
    my ($evening) = @_;
    my $phone = any(@{$evening->{phones}});
    my @qsos = grep { !$phone->record(qsos => $_)->{deleted} } sort keys %{$phone->{qsos}};
    my @operations = grep { !$phone->record(operations => $_)->{deleted} } sort keys %{$phone->{operations}};
    my $act = int rand 12;
    return $phone->add_operation if $act == 0 || !@operations;
    return $phone->edit(operations => any(@operations), title => 't' . int rand 1000) if $act == 1;
    return $phone->remove(qsos => any(@qsos)) if $act == 2 && @qsos;
    return $phone->edit(qsos => any(@qsos), @{change()}) if $act < 6 && @qsos;
    return $phone->reset_sync if $act == 6 && rand() < 0.2;
    return $phone->add_qso(operation => any(@operations), our => { call => $evening->{callsign}, sent => '59' },
        @{change()}, extra => { any => 'thing' });
}

sub act_elsewhere {
    my ($evening) = @_;
    my $key = $evening->{member}{write_key};
    my @there = map { $_->{clientId} } $service->download(key => $key);
    my $act = int rand 6;
    return $service->delete_qso(any(@there), key => $key) if $act == 0 && @there;
    return $service->admin('undo', $evening->{callsign}, '--by', 'PoLo', '--since',
        POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', gmtime(time - 1))) if $act == 1 && rand() < 0.3;
    return $service->post_batch([map { qso(clientId => $act < 4 && @there ? any(@there) : QSOsync::Case::uuid(),
        callsignWorked => '1AT' . int rand 1000, frequencyMhz => '27.285', mode => 'FM', notes => 'e' . int rand 1000,
        radio => 'Lincoln') } 1 .. 1 + int rand 15], key => $key);
}

sub rounds {
    my ($evening) = @_;
    my $phone = any(@{$evening->{phones}});
    $phone->arrive_late if rand() < 0.1;
    $phone->round(rand() < 0.4 ? any({ lose => 'request' }, { lose => 'answer' }, { twice => 1 }) ->%* : ());
}

# Returns the differences between the phones and the log at rest, as lines.
sub differences {
    my ($evening) = @_;
    my $log = log_of($evening);
    my $listed = 0;
    $listed += $_->{count} for @{$evening->{browser}->get('tokens')->json->{poloRejections}};
    my @wrong;
    for my $phone (@{$evening->{phones}}) {
        my $shown = $phone->shown; # the log cannot store QSOs on 40 m or on an unknown band
        my %is_ours = map { $_ => $phone->record(qsos => $_)->{band} !~ /\A(?:40m|nowhere)\z/ } keys %$shown;
        my @differ = grep { ($shown->{$_} // '') ne ($log->{$_} // '') } sort keys %{{ %$log, %$shown }};
        push @wrong, map { "$phone->{name} $_: " . ($shown->{$_} // 'none') . ' but ' . ($log->{$_} // 'none') }
            grep { $is_ours{$_} // 1 } @differ;
        push @wrong, "$phone->{name}: the profile lists $listed QSOs, not " . grep { !$is_ours{$_} } keys %$shown
            if $listed != grep { !$is_ours{$_} } keys %$shown;
    }
    my ($one, $two) = map { my $phone = $_; join "\n", map { my $record = $phone->record(qsos => $_);
        delete @{$record}{grep { /\A(?:created|updated|synced|key\z)/ } keys %$record};
        $record->{deleted} ? () : JSON::PP->new->canonical->encode($record) }
        sort keys %{$phone->{qsos}} } @{$evening->{phones}};
    push @wrong, "the phones differ:\n$one\n\n$two" if $one ne $two;
    return @wrong;
}

my ($evening, @wrong);
for my $count (1 .. $evenings) {
    $evening = begin_log() if $count % 10 == 1;
    for (1 .. 4 + int rand 10) {
        any(\&act_on_phone, \&act_on_phone, \&act_elsewhere, \&rounds, \&rounds)->($evening);
    }
    my $rests = 1;
    for (1 .. 2) { $rests &&= $_->rest for @{$evening->{phones}} } # each phone receives the last changes of the other
    @wrong = $rests ? differences($evening) : ('the phones do not finish their sync');
    if (@wrong) {
        diag "evening $count:\n" . join "\n", @wrong;
        last;
    }
}
is scalar(@wrong), 0,
    "after each of $evenings evenings, the phones and the log have the same QSOs, except for rejected QSOs";

done_testing;
