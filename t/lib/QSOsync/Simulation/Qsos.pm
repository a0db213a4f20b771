# Creates the QSOs of a simulation, for QSOsync::Simulation::Round. At each time, each member has one QSO. The QSOs of
# two partners at one time confirm each other if both name the other member.
package QSOsync::Simulation::Qsos;
use strict;
use warnings;
use Exporter qw(import);
use JSON::PP ();
use List::Util qw(shuffle);

our @EXPORT_OK = qw(any client_id name_of entries_of @CALLSIGNS @PAIR $SLOTS);

our @CALLSIGNS = qw(21SD001 26AT002 161DA003);
our @PAIR = (1, 0); # members whose QSOs can confirm each other
our $SLOTS = 14;    # QSOs of a member that are written again and again
sub any { return $_[rand @_] }
sub client_id { return sprintf '00000000-0000-4000-8000-%04d%08d', @_ }

# Returns a version of a QSO, whose notes name the version.
sub version {
    my ($self, $number, $slot) = @_;
    my $name = 'v' . ++$self->{versions};
    my $worked = defined $PAIR[$number] && rand() < 0.7 ? $CALLSIGNS[$PAIR[$number]] : '26ZZ1';
    my $at = sprintf '2026-05-%02dT%02d:00:00.000Z', 1 + int $slot / 24, $slot % 24;
    $self->{content}{$name} = "$worked $at";
    return { clientId => client_id($number, $slot), band => 'ELEVEN_METERS', frequencyMhz => '27.555', mode => 'USB',
        qsoAt => $at, callsignWorked => $worked, notes => $name . (rand() < 0.1 ? ' long' x 390 : ''),
        rand() < 0.1 ? (sendSpot => JSON::PP::true()) : () };
}

sub name_of { my ($qso) = @_; return ($qso->{notes} // '') =~ /\A(v\d+)/ ? $1 : '?' }

sub some_qsos {
    my ($self, $number, $most) = @_;
    return map { $self->version($number, $_) } (shuffle 0 .. $SLOTS - 1)[0 .. int rand $most];
}

sub entries_of { return [map { [$_->{clientId}, name_of($_)] } @_] }

1;
