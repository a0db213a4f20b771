# A member at the profile page, as a browser would be.
package QSOsync::Profile;
use strict;
use warnings;
use MIME::Base64 qw(encode_base64);

# log_in($service, $callsign): with a new password.
sub log_in {
    my ($class, $service, $callsign) = @_;
    my $password = $service->admin('member', 'password', $callsign);
    return bless { service => $service, callsign => $callsign, login => lc $callsign, password => $password }, $class;
}

sub authorization {
    my ($self) = @_;
    return 'Basic ' . encode_base64("$self->{login}:$self->{password}", '');
}

# request($method, $path below /profile/data/, headers => {...}, json => …)
sub request {
    my ($self, $method, $path, %option) = @_;
    my %headers = (Authorization => $self->authorization, %{$option{headers} || {}});
    return $self->{service}->request($method, '', %option, headers => \%headers, raw_path => "/profile/data/$path");
}

sub get {
    my ($self, $path, %option) = @_;
    return $self->request('GET', $path, %option);
}

# A change, from the service's own page.
sub post {
    my ($self, $path, $json, %option) = @_;
    return $self->request('POST', $path, json => $json || {}, %option,
        headers => { 'Sec-Fetch-Site' => 'same-origin', %{$option{headers} || {}} });
}

1;
