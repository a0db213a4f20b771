# Compares all clients with the log at the end of a QSOsync::Simulation::Round.
package QSOsync::Simulation::Comparison;
use strict;
use warnings;
use JSON::PP ();
use QSOsync::Simulation::Qsos qw(name_of @CALLSIGNS @PAIR);

my $json = JSON::PP->new->utf8->canonical;

sub told {
    my ($qso) = @_;
    return 'nothing' if !$qso;
    return name_of($qso) . ', ' . join ', ', map { "$_ " . ($qso->{$_} // 'null') } qw(id syncedAt crossConfirmedAt);
}

sub compare_engine {
    my ($self, $engine, $log) = @_;
    my $world = $self->{world};
    return $world->problem("$engine->{name} failed at its end: $engine->{outcome}") if $engine->{outcome};
    my $copy;
    $self->tell($engine, { do => 'copy' }, sub { $copy = $_[0] || {} });
    $world->pump(sub { $copy });
    my ($is, $wanted) = map { my $of = $_; +{ map { $_ => $json->encode($of->{$_}) } keys %$of } } $copy->{items}, $log;
    $world->problem("$engine->{name} has " . told($copy->{items}{$_}) . " for $_, but the log has " . told($log->{$_}))
        for grep { ($is->{$_} // '') ne ($wanted->{$_} // '') } sort keys %{{ %$is, %$wanted }};
    $world->problem("$engine->{name} still waits") if $copy->{waiting};
    my $refused = $json->encode($copy->{refused});
    $world->problem("$engine->{name}: refused: $refused") if $refused ne '[]';
}

sub compare_follower {
    my ($self, $follower, $items) = @_;
    my %log = map { $_->{clientId} => name_of($_) } @$items;
    my $copy = $follower->{copy};
    delete @{$copy}{grep { !$log{$_} } keys %$copy} if !$follower->{asks}; # as /logs/ids reports
    for my $id (sort keys %{{ %log, %$copy }}) {
        my ($has, $wanted) = ($copy->{$id} // 'nothing', $log{$id} // 'nothing');
        $self->{world}->problem("a client of member $follower->{member} has $has for $id, but the log has $wanted")
            if $has ne $wanted;
    }
}

# Two QSOs confirm each other if both exist and name each other.
sub compare_pairs {
    my ($self, $log) = @_;
    my @at = map { my $number = $_; +{ map { $_->{qsoAt} => $_ } @{$log->{$number}} } } 0, 1;
    for my $number (0, 1) {
        my $of = $PAIR[$number];
        for my $qso (values %{$at[$number]}) {
            my $other = $at[$of]{$qso->{qsoAt}};
            my $wanted = $other && $qso->{callsignWorked} eq $CALLSIGNS[$of]
                && $other->{callsignWorked} eq $CALLSIGNS[$number];
            $self->{world}->problem("member $number: $qso->{clientId}: confirmed is "
                . ($qso->{crossConfirmedAt} // 'not') . ", but it has " . ($wanted ? 'a' : 'no') . ' partner')
                if $wanted ? !$qso->{crossConfirmedAt} && !$self->{had_no_partner} : $qso->{crossConfirmedAt};
        }
    }
}

1;
