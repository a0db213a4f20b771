# An operator at the operator's page, as a browser would be.
package QSOsync::Operator;
use strict;
use warnings;
use parent -norequire, 'QSOsync::Profile';
use QSOsync::Profile;

# log_in($service, $callsign): whether or not the member has the role.
sub log_in {
    my ($class, $service, $callsign) = @_;
    return bless QSOsync::Profile->log_in($service, $callsign), $class;
}

# with_role($service, $callsign): the member gets the role first.
sub with_role {
    my ($class, $service, $callsign) = @_;
    $service->admin('member', 'set', $callsign, '--operator', 'on');
    return $class->log_in($service, $callsign);
}

# As for the profile, with paths below /operator/data/.
sub request {
    my ($self, $method, $path, %option) = @_;
    my %headers = (Cookie => $self->cookie, %{$option{headers} || {}});
    return $self->{service}->request($method, '', %option, headers => \%headers, raw_path => "/operator/data/$path");
}

# The list's row of a member; undef where it has none.
sub member {
    my ($self, $callsign) = @_;
    my ($row) = grep { $_->{callsign} eq $callsign } @{$self->get('members?limit=200')->json->{items}};
    return $row;
}

# act($callsign, 'rename', { callsign => … }): the answer.
sub act {
    my ($self, $callsign, $act, $json, %option) = @_;
    return $self->post('members/' . $self->member($callsign)->{number} . "/$act", $json, %option);
}

1;
