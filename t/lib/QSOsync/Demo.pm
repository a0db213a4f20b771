# Invents a club for make demo: members, the stations that they work, and two years of QSOs. The tables in t/demo
# contain the rules. A seed and a day always give the same club. Demo::Club enters the club into a service.
#
#   my $demo = QSOsync::Demo->new($seed, time);
#   my @qsos = $demo->log_of('13HN207');     # in the order of their times
package QSOsync::Demo;
use strict;
use warnings;
use JSON::PP ();
use List::Util qw(sum0);
use QSOsync::Case qw(iso_time uuid);
use QSOsync::Chance qw(pick chance);
use QSOsync::Demo::Places qw(table distance locator near);
use QSOsync::Front;

use constant { DAYS => 730, DAY => 86400 };
my @PMR_TONES = qw(67.0 71.9 77.0 88.5 88.5 100.0 118.8);
my @QSL_WAYS = qw(DIRECT BUREAU BUREAU EQSL EQSL ECARD);

sub new {
    my ($class, $seed, $now) = @_;
    srand $seed;
    $now = int $now;
    my $self = bless { today => $now - $now % DAY, log => {}, met => {} }, $class;
    $self->{members} = [map { member(@$_) } table('members')];
    $self->{station} = pop @{$self->{members}};
    $self->{station}{is_station} = 1;
    $self->{continent} = { map { $_->[0] => $_->[4] } QSOsync::Demo::Places::rows('schema/divisions.tsv') };
    $self->{paths} = [map { path(@$_) } table('paths')];
    push @{$self->{tunings}{$_->[3]}}, ({ value => $_->[0], mode => $_->[1] }) x $_->[2] for table('tunings');
    $self->{others} = [invented_stations(), map { locals($_) } @{$self->{members}}];
    $self->{hills} = [map { { callsign => $_->[0], lat => $_->[1], lng => $_->[2], note => $_->[3], weight => 1 } }
        table('hills')];
    $self->add_day($_) for -DAYS() .. 0;
    $_ = [sort { $a->{at} <=> $b->{at} } grep { $_->{at} < $now - 900 } @$_] for values %{$self->{log}};
    return $self;
}

sub member {
    my ($callsign, $place, $rate, $pmr, $power, $radio, $antenna, @card) = @_;
    my ($lat, $lng) = split ' ', $place;
    return { callsign => $callsign, lat => $lat, lng => $lng, rate => $rate, pmr => $pmr, power => $power,
        radio => $radio, antenna => $antenna, card => \@card, is_member => 1 };
}

sub path {
    my ($name, $continents, $from, $to, $members, $months, $hours, $chance, $reports, $notes) = @_;
    return { name => $name, continents => $continents, from => $from, to => $to, members => $members,
        months => [split //, $months], hours => [split //, $hours], chance => $chance / 100,
        reports => [split ' ', $reports], notes => [split /;/, $notes] };
}

# Returns stations all over the world. Some are on the air often, and most are on the air rarely.
sub invented_stations {
    my (@stations, %is_used);
    for (table('places')) {
        my ($division, $groups, $number, $names, $towns) = @$_;
        for (1 .. 1 + 4 * $number) {
            my ($town, $lat, $lng) = pick(split /; /, $towns) =~ /\A(.+) (\S+) (\S+)\z/;
            my $callsign = $division . pick(split ' ', $groups) . sprintf '%03d', 1 + rand(chance(0.6) ? 400 : 998);
            push @stations, { callsign => $callsign, near($lat, $lng, 20), weight => 0.4 + 1.6 * rand() ** 2,
                name => pick(split ' ', $names), town => $town } unless $is_used{$callsign}++;
        }
    }
    push @stations, { callsign => $_->[0], lat => $_->[1], lng => $_->[2], weight => 0.7 } for table('special');
    return @stations;
}

# Returns stations near a member. Their callsigns consist of the member's division, one of its groups, and a number.
sub locals {
    my ($member) = @_;
    my ($division) = $member->{callsign} =~ /\A(\d+)/;
    my ($place) = grep { $_->[0] == $division } table('places');
    return map { { callsign => $division . pick(split ' ', $place->[1]) . sprintf('%03d', 1 + rand 998),
        near($member->{lat}, $member->{lng}, 40), weight => 0.3 + 2 * rand() ** 2,
        name => pick(split ' ', $place->[3]) } } 1 .. 12;
}

# Returns the stations that a member can reach on a path (undef: PMR446), each repeated in proportion to its weight. On
# PMR446, the distance reduces the weight.
sub reached {
    my ($self, $member, $path) = @_;
    return $self->{reached}{$member->{callsign}}{$path ? $path->{name} : 'PMR446'} ||= [map {
        my $km = distance($member, $_);
        my $is_in_reach = $path ? $km >= $path->{from} && $km <= $path->{to} && $self->is_on($path, $_)
            : $km > 1 && $km < 170;
        my $weight = $_->{weight} // ($path ? $path->{members} : 9);
        $is_in_reach ? ($_) x (10 * $weight / ($path ? 1 : 1 + $km / 25)) : ();
    } grep { $_->{callsign} ne $member->{callsign} } @{$self->{members}}, $self->{station},
        @{$self->{$path ? 'others' : 'hills'}}];
}

sub is_on {
    my ($self, $path, $station) = @_;
    my ($division) = $station->{callsign} =~ /\A(\d+)/;
    return $path->{continents} eq '-' || $path->{continents} =~ /\b$self->{continent}{$division}\b/;
}

# The club's station is on the air on the first weekend of most months.
sub station_is_on {
    my ($self, $day) = @_;
    my (undef, undef, undef, $in_month, $month, undef, $weekday) = gmtime($self->{today} + DAY * $day);
    return $in_month <= 7 && $weekday % 6 == 0 && $month != 1 && $month != 11;
}

sub add_day {
    my ($self, $day) = @_;
    my (undef, undef, undef, undef, $month, undef, $weekday) = gmtime($self->{today} + DAY * $day);
    my $is_free = $weekday % 6 == 0;
    my @open = map { { path => $_, strength => chance($_->{chance}) ? $_->{months}[$month] * (0.4 + rand) : 0 } }
        @{$self->{paths}};
    my $conditions = sum0(map { $_->{strength} } @open) / 10;
    for my $member (@{$self->{members}}) {
        next unless chance($is_free ? 0.75 : 0.42);
        my $usual = $member->{rate} / 365 * ($is_free ? 2.6 : $weekday == 5 ? 2.2 : 1.2);
        my $number = int($usual * (0.3 + $conditions) * (0.3 + rand 1.4) + rand);
        $self->add_session($member, $day, \@open, $number, $is_free);
    }
    if ($self->station_is_on($day)) {
        my @operators = $self->operators;
        local $self->{station}{operator} = $operators[($day + DAYS) % @operators];
        $self->add_session($self->{station}, $day, \@open, 12 + rand 14, 1);
    }
    $self->add_club_night($day, $month) if $weekday == 5;
    return;
}

# Adds the QSOs of a member's day in runs: several QSOs in a row on one path.
sub add_session {
    my ($self, $member, $day, $open, $number, $is_free) = @_;
    my @times;
    for my $case (grep { $_->{strength} > 0 } @$open) {
        push @times, map { [$case->{path}, $_] } grep { rand(12) < $case->{strength} * 0.5 }
            map { ($_) x ($case->{path}{hours}[$_] * ($is_free || $_ >= 16 ? 10 : 2)) } 5 .. 22;
    }
    return unless @times;
    while ($number > 0) {
        my ($path, $hour) = @{pick(@times)};
        ($path, $hour) = (undef, $is_free ? 8 + rand 12 : 16 + rand 5) if rand(100) < $member->{pmr};
        my $at = 3600 * int($hour) + rand 3600;
        for (1 .. 1 + rand($path ? 6 : 3)) {
            $self->add_qso($member, $day, $at += 100 + rand 500, $path);
            last unless --$number > 0;
        }
    }
    return;
}

# Adds the QSOs of a club night: on Fridays at eight in the evening, members who live near the club's station meet on
# channel 19.
sub add_club_night {
    my ($self, $day, $month) = @_;
    my ($path) = @{$self->{paths}};
    my %tuning = (value => '27.185', mode => 'FM');
    my @present = grep { distance($_, $self->{station}) < 110 && chance(0.7) } @{$self->{members}};
    my $at = 3600 * ($month >= 3 && $month <= 9 ? 18 : 19) + rand 300;
    while (my $member = shift @present) {
        $self->log_both($member, $_, $day, $at += 60 + rand 240, $path, \%tuning, 'Club night') for @present;
    }
    return;
}

sub add_qso {
    my ($self, $member, $day, $at, $path) = @_;
    my $other = $self->partner($member, $day, $path) or return;
    my $tuning = pick(@{$self->{tunings}{!$path ? 'pmr' : $path->{name} eq 'ground' ? 'near' : 'far'}});
    return $self->log_both($member, $other, $day, $at, $path, $tuning);
}

# Returns a station that the member has not worked on this day, or undef.
sub partner {
    my ($self, $member, $day, $path) = @_;
    my $reached = $self->reached($member, $path);
    return unless @$reached;
    for (1 .. 4) {
        my $other = pick(@$reached);
        next if $other->{is_station} && (!$self->station_is_on($day) || $member->{is_station});
        next if $self->{met}{$day}{$member->{callsign}}{$other->{callsign}}
            || ($member->{operator} // '') eq $other->{callsign};
        return $other;
    }
    return;
}

# Adds the QSO to the member's log. If the other station is a member, usually also adds a QSO to that member's log.
sub log_both {
    my ($self, $member, $other, $day, $at, $path, $tuning, $note) = @_;
    $self->{met}{$day}{$member->{callsign}}{$other->{callsign}} = 1;
    $self->{met}{$day}{$other->{callsign}}{$member->{callsign}} = 1;
    my $time = $self->{today} + DAY * $day + int $at;
    my $qso = $self->qso($member, $other, $time, $path, $tuning, $note);
    push @{$self->{log}{$member->{callsign}}}, $qso;
    return [$member, $qso] unless $other->{is_member} && chance(0.88);
    my $theirs = $self->qso($other, $member, $time + int(rand 180) - 60, $path, $tuning, $note);
    @{$theirs->{entry}}{qw(rstSent rstReceived)} = @{$qso->{entry}}{qw(rstReceived rstSent)};
    @{$theirs->{entry}}{qw(ctcssTone)} = @{$qso->{entry}}{qw(ctcssTone)};
    push @{$self->{log}{$other->{callsign}}}, $theirs;
    return ([$member, $qso], [$other, $theirs]);
}

sub qso {
    my ($self, $member, $other, $time, $path, $tuning, $note) = @_;
    my $is_old = $self->{today} - $time > 60 * DAY;
    my @reports = map { $tuning->{mode} eq 'DIGITAL' ? sprintf '%+03d', rand(24) - 18
        : $tuning->{mode} eq 'CW' ? '599' : pick($path ? @{$path->{reports}} : qw(59 59 57 55)) } 1, 2;
    my $sent = $is_old && !$other->{is_member} && $path && chance(0.35);
    my %entry = (clientId => uuid(), qsoAt => iso_time($time), mode => $tuning->{mode}, qsoStatus => 'WKD',
        callsignWorked => $other->{callsign}, myLocator => locator($member), rstSent => $reports[0],
        rstReceived => $reports[1], radio => $path ? $member->{radio} : 'Midland G9 Pro',
        $path ? (band => 'ELEVEN_METERS', frequencyMhz => $tuning->{value}, txPowerW => 0 + $member->{power},
            antenna => $member->{antenna}) : (band => 'PMR446', channel => 0 + $tuning->{value}),
        !$path && chance(0.4) ? (ctcssTone => pick(@PMR_TONES)) : (),
        chance(0.92) || $other->{is_member} ? (dxLocator => locator($other)) : (),
        $sent ? (qslSent => JSON::PP::true(), qslVia => pick(@QSL_WAYS)) : (),
        $sent && chance(0.5) ? (qslReceived => JSON::PP::true()) : ());
    $note //= $other->{note} if chance(0.5);
    $note //= join ', ', grep { defined } @{$other}{qw(name town)} if $other->{name} && chance(0.3);
    $note //= pick(@{$path->{notes}}) if $path && chance(0.2);
    $entry{notes} = $note if $note;
    return { at => $time, operator => $member->{is_station} && ($member->{operator} // ($self->operators)[0]),
        entry => \%entry };
}

sub members { @{$_[0]{members}} }

# Returns the callsigns of the members who operate the station, because they live near it.
sub operators {
    my ($self) = @_;
    return map { $_->{callsign} } grep { distance($_, $self->{station}) < 110 } @{$self->{members}};
}
sub station { $_[0]{station} }
sub log_of { @{$_[0]{log}{$_[1]} || []} }

# Returns one or two pairs of a member and a QSO at this moment. A path that is closed at this hour is used rarely.
sub live_qso {
    my ($self, $now) = @_;
    my (undef, undef, $hour, undef, $month) = gmtime $now;
    my @members = @{$self->{members}};
    for (1 .. 50) {
        my $member = pick(@members);
        my $path = pick(map { ($_) x (1 + $_->{months}[$month] * $_->{hours}[$hour]) } @{$self->{paths}});
        my $day = int(($now - $self->{today}) / DAY);
        my @both = $self->add_qso($member, $day, $now - $self->{today} - DAY * $day, chance(0.08) ? undef : $path)
            or next;
        return @both;
    }
    return;
}

1;
