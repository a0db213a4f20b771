use QSOsync::Test fronts => 'nginx', slow => 17;
use QSOsync::Profile;
use Unicode::Normalize qw(NFC NFD);
use Encode ();
use Time::Piece ();

use utf8;
use feature 'fc';

# Every filter and sort order of the section Logbook is compared with a model, over a log of 1,300 QSOs.
drawn_seed();
sub any { return $_[rand @_] }

my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $member_locator = 'JO59jw';

my @texts = ('100 % signal', 'under_score', "Robert'); DROP TABLE qsos;--", 'back\\slash "quoted"',
    'Straße in Zürich',
    NFD("\x{c5}ngstr\x{f6}m"), "\x{212b}NGSTR\x{d6}M", 'Σίσυφος', 'ПРИВЕТ из Москвы',
    "\x{202e}gnorw", '<b>bold</b>',
    "smile \x{1f600}", "line\nbreak", "\x{130}stanbul", "x\x{2003}y", 'q' x 1_990 . 'TheEnd', "\x{feff}|\x{ad}|");
my @calls = map { ("26AT$_", "26-at-$_", "13 AT $_", "1AT$_", "329SD$_", "999XX$_", "AT$_", "300RC$_/P") } 10 .. 29;
sub random_qso {
    my $pmr = rand() < 0.3;
    my $place = int rand 4;
    return qso(qsoAt => iso_time(1_500_000_000 + int(rand 3e8)), band => $pmr ? 'PMR446' : 'ELEVEN_METERS',
        $pmr ? (channel => 1 + int rand 16) : (frequencyMhz => rand() < 0.1 ? undef : sprintf '27.%03d', rand 1000),
        mode => any(undef, qw(FM AM SSB USB LSB CW DIGITAL)), callsignWorked => rand() < 0.05 ? undef : any(@calls),
        dxLocator => $place & 1 ? any('JO59', 'JO59jw', 'jn58td', 'IO91wm', 'RR99xx', 'AA00aa') : undef,
        $place & 2 ? (dxLat => any(0, 90, -90, 59.94, int(rand 180) - 90 + 0.25), dxLng => any(0, 180, -180, 10.79))
            : (),
        myLocator => rand() < 0.3 ? 'QF56od' : undef, qslSent => any(JSON::PP::true(), JSON::PP::false()),
        qslReceived => any(JSON::PP::true(), JSON::PP::false()), notes => rand() < 0.3 ? any(@texts) : undef,
        radio => rand() < 0.1 ? 'Président Lincoln' : undef, rstSent => any('59', '5/9 +10', undef));
}
my @posted = map { random_qso() } 1 .. 1_200;
my @confirmed = map { my $at = iso_time(1_400_000_000 + 86_400 * $_);
    qso(qsoAt => $at, callsignWorked => '26AT101', mode => 'USB') } 1 .. 100;
push @posted, @confirmed;
for (my $from = 0; $from < @posted; $from += 200) {
    my $end = $from + 199 < @posted ? $from + 199 : $#posted;
    $service->post_batch([@posted[$from .. $end]]);
}
$service->post_batch([map { { %$_, clientId => uuid(), callsignWorked => '21SD333' } } @confirmed],
    key => $them->{write_key});

sub query { my %wish = @_; return join '&', map { "$_=" . QSOsync::Profile::escape($wish{$_}) } sort keys %wish }
# Returns the bodies of all pages. The callers search the bodies for ids, which is faster than parsing JSON.
sub pages {
    my ($query, $limit) = @_;
    my (@bodies, $after);
    do {
        my $next = defined $after ? '&after=' . QSOsync::Profile::escape($after) : '';
        push @bodies, $me->get("qsos?limit=$limit&$query$next")->body;
        ($after) = $bodies[-1] =~ /"nextCursor":"([^"]*)"/;
    } while (defined $after && @bodies < 2_000);
    return @bodies;
}
my @log = map { @{JSON::PP::decode_json($_)->{items}} } pages('', 200);
is scalar @log, 1_300, 'the pages contain the whole log';
my %by_client = map { $_->{clientId} => $_ } @log;

# The model filters and sorts the log.
sub fold { return NFD(fc NFD($_[0])) =~ s/\p{M}//gr }
sub key_of { return uc($_[0] // '') =~ s/[ .-]//gr }
sub division { return ($_[0]{callsignWorked} // '') =~ /\A(\d{1,4})(?!\z)/ && $1 <= 352 ? $1 + 0 : undef }
sub coordinates {
    my ($qso) = @_;
    return defined $qso->{dxLat} && defined $qso->{dxLng} && ($qso->{dxLat} != 0 || $qso->{dxLng} != 0)
        ? ($qso->{dxLat}, $qso->{dxLng}) : ();
}
sub locator {
    my ($qso) = @_;
    return uc $qso->{dxLocator} if defined $qso->{dxLocator};
    my ($lat, $lng) = coordinates($qso) or return '';
    my ($x, $y) = map { $_ > 4_319 ? 4_319 : $_ } int(($lng + 180) / 360 * 4_320), int(($lat + 90) / 180 * 4_320);
    return join '', map({ chr 65 + int $_ / 240 } $x, $y), map({ int($_ / 24) % 10 } $x, $y),
        map { chr 65 + $_ % 24 } $x, $y;
}
sub middle {
    my @place = map { ord } split //, uc $_[0];
    my ($lng, $lat) = (($place[0] - 65) * 20 + ($place[2] - 48) * 2, ($place[1] - 65) * 10 + $place[3] - 48);
    return @place > 4 ? ($lat - 90 + ($place[5] - 64.5) / 24, $lng - 180 + ($place[4] - 64.5) / 12) : ($lat - 89.5,
        $lng - 179);
}
sub distance {
    my ($qso) = @_;
    my @to = coordinates($qso);
    @to = middle($qso->{dxLocator}) if !@to && defined $qso->{dxLocator};
    return undef if !@to;
    my $turn = 4 * atan2(1, 1) / 180;
    my ($lat, $lng, $lat2, $lng2) = map { $_ * $turn } middle($qso->{myLocator} // $member_locator), @to;
    my $a = sin(($lat2 - $lat) / 2)**2 + cos($lat) * cos($lat2) * sin(($lng2 - $lng) / 2)**2;
    return sprintf '%.0f', 2 * 6_371_000 * atan2(sqrt $a, sqrt(1 - ($a > 1 ? 1 : $a)));
}
sub period { my ($text) = @_; return map { $text . substr $_, length $text } '0000-01-01T00', '9999-12-31T99' }
# Several values are separated by commas.
sub any_of { my ($value, $wanted) = @_; return scalar grep { $_ eq $value } split /,/, $wanted }
my %fits = (
    band => sub { any_of($_[0]{band}, $_[1]) }, mode => sub { any_of($_[0]{mode} // 'none', $_[1]) },
    year => sub { any_of(substr($_[0]{qsoAt}, 0, 4), $_[1]) }, from => sub { $_[0]{qsoAt} ge (period($_[1]))[0] },
    to => sub { $_[0]{qsoAt} le (period($_[1]))[1] },
    confirmed => sub { defined $_[0]{crossConfirmedAt} eq ($_[1] eq 'yes') },
    qslSent => sub { !!$_[0]{qslSent} eq ($_[1] eq 'yes') },
        qslReceived => sub { !!$_[0]{qslReceived} eq ($_[1] eq 'yes') },
    division => sub { any_of(division($_[0]) // -1, $_[1]) }, square => sub { index(locator($_[0]), uc $_[1]) == 0 },
    callsign => sub { index(key_of($_[0]{callsignWorked}), key_of($_[1])) == 0 },
    text => sub {
        my ($qso, $words) = @_;
        my @texts = grep { defined } @{$qso}{qw(callsignWorked operatorCallsign dxLocator myLocator ctcssTone dcsCode
            frequencyMhz rstSent rstReceived notes radio antenna)};
        for my $part (grep { length } split /[ \t\r\n\f\x0b]+/, $words) {
            my $key = key_of($part);
            next if length $key && index(key_of($qso->{callsignWorked}), $key) >= 0;
            return 0 if !grep { index(fold($_), fold($part)) >= 0 } @texts;
        }
        return 1;
    },
);
my @modes = qw(FM AM SSB USB LSB CW DIGITAL);
my %number_of_mode = map { $modes[$_] => $_ } 0 .. $#modes;
my %key = (
    time => sub { $_[0]{qsoAt} }, callsign => sub { length key_of($_[0]{callsignWorked})
        ? key_of($_[0]{callsignWorked}) : undef },
    band => sub { defined $_[0]{channel} ? 1e6 + $_[0]{channel} : $_[0]{frequencyMhz} ? 1000 * $_[0]{frequencyMhz}
        : undef },
    mode => sub { defined $_[0]{mode} ? $number_of_mode{$_[0]{mode}} : undef }, division => \&division,
    square => sub { length locator($_[0]) ? locator($_[0]) : undef }, distance => \&distance,
);
sub in_order {
    my ($sort, @qsos) = @_;
    my ($down, $name) = $sort =~ /\A(-?)(\w+)\z/;
    my $is_text = $name =~ /\A(?:time|callsign|square)\z/;
    my %value = map { $_->{id} => $key{$name}->($_) } @qsos;
    my $newest = $down || $name ne 'time' ? -1 : 1;
    return sort {
        my ($x, $y) = @value{$a->{id}, $b->{id}};
        my $difference = !defined $x || !defined $y ? 0 : $is_text ? $x cmp $y : $x <=> $y;
        defined $y <=> defined $x || ($down ? -$difference : $difference)
            || $newest * ($a->{qsoAt} cmp $b->{qsoAt}) || $newest * ($a->{id} <=> $b->{id})
    } @qsos;
}

# The service returns the same QSOs as the model.
my %wishes = (
    band => ['ELEVEN_METERS', 'PMR446', 'PMR446,ELEVEN_METERS'], mode => ['none', @modes, 'USB,none', 'FM,CW,FM'],
        year => [2017 .. 2027, '2024,2019', '2018,2020,1999'],
        from => [qw(2018 2019-06 2020-02-29)],
    to => [qw(2021 2022-12 2019-06-30)], confirmed => [qw(yes no)], qslSent => [qw(yes no)],
        qslReceived => [qw(yes no)],
    division => [1, 13, 26, 300, 329, '26,1', '13,300,329'], square => [qw(JO jo59 JO59JW RR99 jn AA00aa OJ)],
        callsign => ['26AT1', '13-at', 'x', '-'],
    text => ['%', '_', "'); drop", '\\', 'STRASSE', 'straße', 'zurich', 'angström', 'ΣΊΣΥΦΟΣ',
        'привет', 'wrong',
        'gnorw',
        "\x{1f600}", '<B>', 'istanbul', 'theend', '27.5', 'at10', 'AT-1', 'jo59', 'président', '5/9', "\x{202e}",
            'nothing at all',
        'ß', "line\nbreak", '.', ' '],
);
# Returns the numbers of the last twelve months, and the days with QSOs, for comparison with the model.
sub recent {
    my ($months, $days) = @_;
    my $from = Time::Piece->strptime($days->{from}, '%Y-%m-%d');
    return [[map { [@$_{qw(month stations divisions squares km)}] } @$months],
        { map { $days->{qsos}[$_] ? (($from + 86_400 * $_)->ymd => $days->{qsos}[$_]) : () } 0 .. $#{$days->{qsos}} }];
}
sub model_of_year {
    my ($numbers, @fit) = @_;
    my ($from, @months) = ($numbers->{recentDays}{from}, map { $_->{month} } @{$numbers->{recentMonths}});
    my %day;
    $day{$_}++ for grep { $_ ge $from } map { substr $_->{qsoAt}, 0, 10 } @fit;
    return [[map { my $month = $_;
        my @until = grep { substr($_->{qsoAt}, 0, 7) le $month } @fit;
        my %station = map { $_ => 1 } grep { length } map { key_of($_->{callsignWorked}) }
            grep { substr($_->{qsoAt}, 0, 7) eq $month } @until;
        my %division = map { $_ => 1 } grep { defined } map { division($_) } @until;
        my %square = map { length locator($_) ? (substr(locator($_), 0, 4) => 1) : () } @until;
        my ($km) = sort { $b <=> $a } 0, grep { defined } map { distance($_) } @until;
        [$month, scalar keys %station, scalar keys %division, scalar keys %square, sprintf('%.0f', $km / 1000)]
    } @months], \%day];
}
sub compare {
    my ($sort, $limit, %wish) = @_;
    my @fit = grep { my $qso = $_; !grep { !$fits{$_}->($qso, $wish{$_}) } grep { $wish{$_} =~ /\S/ } keys %wish } @log;
    my $query = query(%wish);
    my $told = Encode::encode('UTF-8', join ' ', map { "$_=$wish{$_}" } sort keys %wish);
    my @got = map { /"id":"(\d+)"/g } pages("sort=$sort&$query", $limit);
    my @expected = map { $_->{id} } in_order($sort, @fit);
    my ($differs) = grep { ($got[$_] // '') ne ($expected[$_] // '') } 0 .. ($#got > $#expected ? $#got : $#expected);
    is defined $differs ? "place $differs: @{[$got[$differs] // 'none']}, not @{[$expected[$differs] // 'none']}" : '',
        '', "the list by $sort equals the model: $told";
    my $numbers = $me->get("statistics?$query")->json;
    my %sum = (qsos => scalar @fit, confirmed => scalar(grep { defined $_->{crossConfirmedAt} } @fit),
        stations => scalar keys %{{ map { length key_of($_->{callsignWorked}) ? (key_of($_->{callsignWorked}) => 1)
            : () } @fit }},
        squareCount => scalar keys %{{ map { length locator($_) ? (substr(locator($_), 0, 4) => 1) : () } @fit }});
    is_deeply { map { $_ => $numbers->{$_} } keys %sum }, \%sum, "the statistics equal the model: $told";
    my (%month, @hours, @confirmed_hours, %division, %band, %mode);
    $month{substr $_->{qsoAt}, 0, 7}++, $hours[substr $_->{qsoAt}, 11, 2]++ for @fit;
    $_->{crossConfirmedAt} and $confirmed_hours[substr $_->{qsoAt}, 11, 2]++ for @fit;
    $band{$_->{band}}++, defined $_->{mode} && $mode{$_->{mode}}++ for @fit;
    $division{$_}++ for grep { defined } map { division($_) } @fit;
    my ($farthest) = sort { $b <=> $a } grep { defined } map { distance($_) } @fit;
    is_deeply [{ map { $_->{month} => $_->{qsos} } @{$numbers->{months}} }, $numbers->{hours},
        $numbers->{confirmedHours}, (map { +{ map { $_->{name} => $_->{qsos} } @$_ } } @$numbers{qw(bands modes)}),
        { map { $_->{number} => $_->{qsos} } @{$numbers->{divisions}} }, $numbers->{farthest}
            && $numbers->{farthest}{km}],
        [\%month, [map { $hours[$_] // 0 } 0 .. 23], [map { $confirmed_hours[$_] // 0 } 0 .. 23], \%band, \%mode,
            \%division, defined $farthest ? sprintf('%.0f',
            $farthest / 1000) : undef],
        "the months, hours, divisions and farthest station equal the model: $told";
    is_deeply recent(@$numbers{qw(recentMonths recentDays)}), model_of_year($numbers, @fit),
        "the last year equals the model: $told";
    my $known = 0;
    $known += $_->{qsos} for @{$numbers->{distances}};
    is $known, scalar(grep { defined distance($_) } @fit), "the statistics count every distance once: $told";
    return \@fit;
}
compare($_, 200) for map { ($_, "-$_") } sort keys %key;
for my $name (sort keys %wishes) {
    compare(any(map { ($_, "-$_") } sort keys %key), 200, $name => $_) for @{$wishes{$name}};
}
for (1 .. 30) {
    my %wish = map { $_ => any(@{$wishes{$_}}) } map { any(sort keys %wishes) } 1 .. 1 + rand 4;
    my $fit = compare(any('time', '-time', 'callsign', '-distance', 'square'), 1 + int(rand 200), %wish);
    next if @$fit > 200;
    my $query = query(%wish);
    my $adif = $me->get("export.adi?$query")->body;
    is join(' ', sort map { lc } $adif =~ /<APP_QSOSYNC_CLIENT_ID:36>(\S{36})/gi), join(' ',
        sort map { $_->{clientId} } @$fit),
        'the ADIF file contains the QSOs in the list';
    my $table = Encode::decode('UTF-8', $me->get("export.csv?$query")->body);
    is join(' ', sort $table =~ /^([0-9a-f-]{36}),/mg), join(' ', sort map { $_->{clientId} } @$fit),
        'the table contains the QSOs in the list';
}

# Invalid filters are refused.
my %words = (band => 'PMR446,2m', mode => 'usb2', year => '2026,', from => '2026-13', to => '2026-02-30',
    confirmed => 'maybe', qslSent => '1', qslReceived => 'true', division => '1,353', square => 'ZZ',
    callsign => 'x' x 21, text => 'x' x 501, sort => 'size');
for my $name (sort keys %words) {
    for my $path (qw(qsos statistics export.adi export.csv)) {
        next if $name eq 'sort' && $path ne 'qsos';
        my $answer = $me->get("$path?" . query($name => $words{$name}));
        is $answer->status . ' ' . ($answer->json->{error}{details}[0]{field} // ''), "400 $name",
            "an invalid $name in a request for $path is refused";
    }
}
is $me->get("qsos?text=$_")->status, 400, "text=$_ is refused" for '%ff', '%CC%81', 'a&text=b';
my $cursor = QSOsync::Profile::escape($me->get('qsos?limit=1')->json->{nextCursor});
is $me->get("qsos?sort=callsign&after=$cursor")->status, 200,
    'a cursor from a list with another sort order is accepted';
my $file = $me->get('export.csv');
is $file->header('Content-Disposition'), 'attachment; filename="qsosync.csv"', 'a browser saves the table';
like $file->header('Content-Type'), qr{\Atext/csv\b}, 'the type of the table is text/csv';

my $revision = $me->get('revision')->json->{revision};
is $me->get('revision')->json->{revision}, $revision, 'the revision stays the same without a write';
$service->delete_qso($posted[0]{clientId});
isnt $me->get('revision')->json->{revision}, $revision, 'a write changes the revision';
$service->stop;

done_testing;
