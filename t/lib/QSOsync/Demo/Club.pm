# Enters the club of make demo into a running service, as people do it: with qsosync-admin, through the API, and through
# the pages. While the service runs, the members log further QSOs, which become spots.
#
#   my $club = QSOsync::Demo::Club->new($service, $demo, $address);
#   $club->enter(sub { $is_wanted });     # ends early if the function returns false
#   $club->tick while sleep 1;
package QSOsync::Demo::Club;
use strict;
use warnings;
use JSON::PP ();
use Time::HiRes qw(time);
use QSOsync::Profile;

use constant { BATCH => 200, DAY_BY_DAY => 14 * 86400, FIRST_SPOTS => 12 };

# new($service, $demo, $address): the requests come from this address.
sub new {
    my ($class, $service, $demo, $address) = @_;
    return bless { service => $service, demo => $demo, address => $address, next => 0 }, $class;
}

sub enter {
    my ($self, $is_wanted) = @_;
    my ($service, $demo) = @{$self}{qw(service demo)};
    my @members = $demo->members;
    my $site = $service->base_url =~ s{/api/v1\z}{}r;
    $service->admin('club', 'set', '--name', 'DX-Gruppe Weser-Elbe', '--address', $site, '--numbers', 'on',
        '--text', '11 m and PMR446 since 1984. Club night on Fridays at 20:00, channel 19.',
        '--contact', 'Uwe, 13HN001, on channel 19');
    for my $member (@members) {
        return unless $is_wanted->();
        my $callsign = $member->{callsign};
        $service->admin('member', 'add', $callsign, '--locator', QSOsync::Demo::Places::locator($member));
        $self->{key}{$callsign} = $service->admin('key', 'add', $callsign, '--name', 'logger', '--scope', 'WRITE');
        $self->send_card($self->sign_in($callsign), $member);
    }
    $service->admin('member', 'set', $_->{callsign}, '--operator', 'on') for @members[0, 1];
    $self->add_station;
    $self->send_logs($is_wanted);
    $self->send_live for 1 .. FIRST_SPOTS;
    return;
}

# Signs the member in, as a browser does.
sub sign_in {
    my ($self, $callsign) = @_;
    return $self->{browser}{$callsign} = QSOsync::Profile->use_link($self->{service},
        QSOsync::Profile::invite($self->{service}, $callsign), from => $self->{address})
        || die "$callsign cannot sign in\n";
}

# Stores the design of the QSL card of a member, or of the station.
sub send_card {
    my ($self, $browser, $member) = @_;
    my ($background, $paper, $ink, @lines) = @{$member->{card}};
    my $answer = $browser->request('PUT', 'card?log=' . QSOsync::Profile::escape($member->{callsign}),
        from => $self->{address}, headers => { 'Sec-Fetch-Site' => 'same-origin' },
        json => { background => $background, paper => $paper, ink => $ink, lines => \@lines,
            fields => [qw(frequency mode report locator power)] });
    die 'a card was refused: ' . ($answer ? $answer->body : 'no answer') . "\n" if !$answer || $answer->status != 204;
    return;
}

# Adds the station with its operators and its QSL card. Each operator creates a key for the station's log.
sub add_station {
    my ($self) = @_;
    my ($service, $demo) = @{$self}{qw(service demo)};
    my $callsign = $demo->station->{callsign};
    $service->admin('station', 'add', $callsign, '--locator', QSOsync::Demo::Places::locator($demo->station));
    $service->admin('station', 'set', $callsign, '--page', 'on');
    for my $operator ($demo->operators) {
        $service->admin('station', 'grant', $callsign, $operator);
        my $answer = $self->{browser}{$operator}->post('keys?log=' . QSOsync::Profile::escape($callsign),
            { name => "phone of $operator", scope => 'WRITE' }, from => $self->{address});
        $self->{station_key}{$operator} = $answer->json->{key};
    }
    $self->send_card($self->{browser}{($demo->operators)[0]}, $demo->station);
    return;
}

# Sends the logs season by season, and then the last weeks day by day, so that confirmations roughly have the order of
# the QSOs. A batch contains QSOs of one log and one writer. The requests stay below the limit per minute.
sub send_logs {
    my ($self, $is_wanted) = @_;
    my %of;
    for my $member ($self->{demo}->members, $self->{demo}->station) {
        for my $qso ($self->{demo}->log_of($member->{callsign})) {
            my $key = $qso->{operator} ? $self->{station_key}{$qso->{operator}} : $self->{key}{$member->{callsign}};
            my $days = $qso->{at} < time - DAY_BY_DAY ? 90 : 1;
            push @{$of{$qso->{at} - $qso->{at} % (86400 * $days)}{$key}}, $qso->{entry};
        }
    }
    for my $part (map { $of{$_} } sort { $a <=> $b } keys %of) {
        for my $key (sort keys %$part) {
            while ($is_wanted->() && (my @some = splice @{$part->{$key}}, 0, BATCH)) { $self->send($key, @some) }
        }
    }
    return;
}

sub send {
    my ($self, $key, @entries) = @_;
    my $answer = $self->{service}->post_batch(\@entries, key => $key, from => $self->{address});
    my ($rejected) = $answer && $answer->status == 200 ? grep { !defined $_->{id} } @{$answer->json->{results}} : {};
    die 'a QSO was rejected: ' . ($answer ? $answer->body : 'no answer') . "\n" if $rejected;
    return;
}

# Logs a QSO at this moment. The first of its members also publishes a spot.
sub send_live {
    my ($self) = @_;
    my $is_spot = JSON::PP::true();
    for ($self->{demo}->live_qso(time)) {
        my ($member, $qso) = @$_;
        my $key = $self->{key}{$member->{callsign}} or next;
        $self->send($key, { %{$qso->{entry}}, sendSpot => $is_spot });
        $is_spot = JSON::PP::false();
    }
    $self->{next} = time + 5 + rand 20;
    return;
}

# Logs a QSO if the time has come. If the service fails, the next attempt follows ten seconds later.
sub tick {
    my ($self) = @_;
    return if time < $self->{next};
    $self->{next} = time + 10;
    eval { $self->send_live };
    return;
}

1;
