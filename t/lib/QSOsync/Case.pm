# Creates QSOs and credentials for tests, and waits for effects of requests.
package QSOsync::Case;
use strict;
use warnings;
use parent 'Exporter';
use JSON::PP ();
use Test::More ();
use Time::HiRes ();

our @EXPORT = qw(credential fill_log uuid qso full_qso full_pmr_qso iso_time field_rows until_true drawn_seed growth
    work_is_linear);

# Returns a random UUID, version 4.
sub uuid {
    my @hex = map { sprintf '%04x', int rand 65536 } 1 .. 8;
    substr $hex[3], 0, 1, '4';
    substr $hex[4], 0, 1, 'a';
    return "$hex[0]$hex[1]-$hex[2]-$hex[3]-$hex[4]-$hex[5]$hex[6]$hex[7]";
}

# credential('qsosync_', 'A') returns a well-formed key or token: the prefix, the character 43 times, and the check
# digits. The credential belongs to nobody.
sub credential {
    my ($prefix, $character) = @_;
    my $credential = $prefix . $character x 43;
    my ($sum, $digits) = (0xFFFFFFFF, '');
    for my $byte (unpack 'C*', $credential) {
        $sum ^= $byte;
        $sum = $sum & 1 ? $sum >> 1 ^ 0xEDB88320 : $sum >> 1 for 1 .. 8;
    }
    $sum ^= 0xFFFFFFFF;
    for (1 .. 6) {
        $digits = ('0' .. '9', 'A' .. 'Z', 'a' .. 'z')[$sum % 62] . $digits;
        $sum = int $sum / 62;
    }
    return $credential . $digits;
}

# Returns the factor between the small and the large input. Sanitizers add their own costs, so the factor is smaller
# with a sanitizer.
sub growth { return QSOsync::Front::is_sanitized() ? 4 : 32 }

# Checks that 32 times the input takes at most 128 times the processor time. That is four times the time of linear work
# and an eighth of the time of quadratic work. A busy machine's caches therefore do not decide the result. With a
# sanitizer, no result is judged.
sub work_is_linear {
    my ($small, $large, $what) = @_;
    my $growth = growth();
    my $most = 4 * $growth;
    Test::More::cmp_ok($large, '<=', $most * $small,
        "$what: $growth times the input take at most $most times the work") if !QSOsync::Front::is_sanitized();
    Test::More::note(sprintf '%.1f times: %s', $large / $small, $what);
    return;
}

# Seeds the random numbers of a test that plays a different case each time. The seed is QSOSYNC_TEST_SEED or a new
# number, and is printed so that a failure can be repeated. t/check never repeats such a test.
sub drawn_seed {
    my $seed = $ENV{QSOSYNC_TEST_SEED} || 1 + int rand 1_000_000;
    Test::More::diag("QSOSYNC_TEST_SEED=$seed");
    srand $seed;
    return $seed;
}

# Formats seconds since 1970, with a fraction, as the API writes times.
sub iso_time {
    my ($seconds) = @_;
    my @time = gmtime int $seconds;
    return sprintf '%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', $time[5] + 1900, $time[4] + 1,
        @time[3, 2, 1, 0], int(($seconds - int $seconds) * 1000 + 0.5) % 1000;
}

# Checks the condition repeatedly until it is true, for one minute at most. Returns the last value of the condition. A
# worker records the use of keys, and refusals, only a moment after its answer.
sub until_true {
    my ($condition) = @_;
    my $end = Time::HiRes::time() + 60;
    my $value;
    Time::HiRes::sleep(0.02) until ($value = $condition->()) || Time::HiRes::time() > $end;
    return $value;
}

# Returns the smallest entry that is accepted. Fields given as undef are sent as null.
sub qso {
    my (%override) = @_;
    return { clientId => uuid(), band => 'ELEVEN_METERS', qsoAt => '2026-05-17T19:42:00.000Z',
        %override };
}

# Returns every field that a client can send and read back, with the value that the service returns.
sub full_qso {
    my (%override) = @_;
    return qso(
        frequencyMhz => '27.555', mode => 'USB', callsignWorked => '26AT101',
        operatorCallsign => '21SD333/P', dxLocator => 'IO91wm', dxLat => 51.507351,
        dxLng => -0.127758, txPowerW => 12, myLocator => 'JO59jw', splitKhz => -5, path => 'SP',
        qsoStatus => 'WKD', rstSent => '59', rstReceived => '57', qslSent => JSON::PP::true(),
        qslReceived => JSON::PP::false(), qslVia => 'EQSL', notes => "Sporadic E, \x{e5}\x{20ac}",
        radio => 'President Lincoln II', antenna => '5/8 ground plane', further_fields('E'), %override);
}

# Writes a log of this many QSOs over years directly into the database: 20 QSOs on PMR446, and the other QSOs on 11 m
# with 330 divisions. A tenth of the QSOs are confirmed by another member, who used callsigns that belong to no member.
sub fill_log {
    my ($service, $count) = @_;
    $service->add_member('1AT1');
    my $columns = 'member_id, client_id, synced_at, created_at, qso_at, operator_callsign, my_locator, dx_locator,
        rst_sent, rst_received, tx_power, callsign_worked, mode, band, frequency, channel';
    $service->sqlite("INSERT INTO qsos ($columns)
        SELECT 1, randomblob(16), value, 0, 1300000000000 + value * 4000000, '21SD333', 'JO59jw',
            'JN' || (10 + value % 80) || 'ab', '59', '57', 12, (1 + value % 330) || 'AT' || (100 + value / 7 % 900),
            CASE WHEN pmr THEN 0 ELSE 3 END, pmr,
            CASE WHEN NOT pmr THEN 26965 + value % 400 END, CASE WHEN pmr THEN 8 END
        FROM (SELECT value, value % ($count / 20) = 0 AS pmr FROM generate_series(1, $count));
        INSERT INTO qsos ($columns, confirmed_by, paired_at)
        SELECT members.id, randomblob(16), synced_at, 0, qso_at, callsign_worked, dx_locator, my_locator,
            rst_received, rst_sent, tx_power, operator_callsign, mode, band, frequency, channel, qsos.id, synced_at
        FROM qsos JOIN members ON callsign = '1AT1' WHERE member_id = 1 AND synced_at % 10 = 5;
        UPDATE qsos SET confirmed_by = other.id, paired_at = other.paired_at
        FROM qsos AS other WHERE other.confirmed_by = qsos.id");
    $service->sqlite("UPDATE logbook SET last_stamp = max(last_stamp, $count)");
    return $service->sqlite('UPDATE members SET log_revision = (SELECT last_stamp FROM logbook)');
}

# Returns the rows of data/fields.tsv: [band, field, JSON value ("-": omitted), expectation], with "x*N" written out.
sub field_rows {
    my $expand = sub { $_[0] =~ s/\A(=?)"(.)\*(\d+)"\z/$1 . '"' . $2 x $3 . '"'/re };
    open my $file, '<:encoding(UTF-8)', "$QSOsync::Front::SOURCE/t/data/fields.tsv" or die "fields.tsv: $!";
    return map { chomp; [map { $expand->($_) } split /\t/] } grep { !/\A#/ } <$file>;
}

# Returns the fields of a band that full_qso and full_pmr_qso do not name, each with the first value that is returned
# unchanged.
my %further;
my %is_named = map { $_ => 1 } qw(clientId band qsoAt frequencyMhz channel ctcssTone dcsCode mode callsignWorked
    operatorCallsign dxLocator dxLat dxLng txPowerW myLocator splitKhz path qsoStatus rstSent rstReceived qslSent
    qslReceived qslVia notes radio antenna sendSpot);

sub further_fields {
    my ($wanted_band) = @_;
    for ($further{$wanted_band} ? () : field_rows()) {
        my ($band, $field, $value, $expected) = @$_;
        next if $is_named{$field} || $band ne $wanted_band || $value eq 'null' || $expected ne "=$value";
        $further{$band}{$field} //= JSON::PP->new->allow_nonref->decode($value);
    }
    return %{$further{$wanted_band} //= {}};
}

sub full_pmr_qso {
    my (%override) = @_;
    my $qso = full_qso(band => 'PMR446', channel => 8, ctcssTone => '88.5', dcsCode => 'D023N',
        mode => 'FM', further_fields('P'), %override);
    delete $qso->{frequencyMhz};
    return $qso;
}

1;
