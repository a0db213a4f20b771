# A member whose browser is signed in.
package QSOsync::Profile;
use strict;
use warnings;
use JSON::PP ();

my $number = 0;

# invite($service, $callsign, option...): the secret of a new invitation.
sub invite {
    my ($service, $callsign, @options) = @_;
    my ($secret) = $service->admin('member', 'invite', $callsign,
        '--address', 'http://127.0.0.1:' . $service->port, @options) =~ /#(\w+)\s*\z/
        or die "no invitation for $callsign";
    return $secret;
}

# A request of a browser without a cookie, from one of the service's own pages: send_json($service, $path, {...},
# %option as Service::request has it).
sub send_json {
    my ($service, $path, $json, %option) = @_;
    return $service->request('POST', '', %option, raw_path => $path, json => $json,
        headers => { 'Sec-Fetch-Site' => 'same-origin', %{$option{headers} || {}} });
}

# A form, as browsers send it without JavaScript.
sub send_form {
    my ($service, $path, $fields, %option) = @_;
    my $body = join '&', map { "$_=" . $fields->{$_} =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/egr }
        sort keys %$fields;
    return $service->request('POST', '', %option, raw_path => $path, body => $body,
        headers => { 'Content-Type' => 'application/x-www-form-urlencoded', 'Sec-Fetch-Site' => 'same-origin',
            Accept => 'text/html', %{$option{headers} || {}} });
}

# The cookie that an answer sets, as a browser sends it back; undef: it sets none, or ends it.
sub cookie_of {
    my ($answer) = @_;
    my ($cookie) = ($answer->header('Set-Cookie') // '') =~ /\A([^=;]+=\w+);/;
    return $cookie;
}

# The browser that has got this answer, or undef where the answer lets nobody in.
sub from_answer {
    my ($class, $service, $answer) = @_;
    my $cookie = $answer && cookie_of($answer) or return;
    return bless { service => $service, cookie => $cookie }, $class;
}

# With an invitation's secret, or a link's; undef where it lets nobody in.
sub use_link {
    my ($class, $service, $secret, %option) = @_;
    return $class->from_answer($service, send_json($service, '/welcome/', { token => $secret }, %option));
}

sub sign_in {
    my ($class, $service, $callsign, $password, %option) = @_;
    return $class->from_answer($service,
        send_json($service, '/sign-in', { callsign => $callsign, password => $password }, %option));
}

# log_in($service, $callsign): by a new invitation, with a new password.
sub log_in {
    my ($class, $service, $callsign) = @_;
    my $self = $class->use_link($service, invite($service, $callsign)) or die "$callsign is not let in";
    @{$self}{qw(callsign login password)} = ($callsign, lc $callsign, 'long enough, ' . ++$number);
    my $answer = $self->post('password', { password => $self->{password} });
    die 'no password: ' . $answer->status . ' ' . $answer->body if $answer->status != 204;
    return $self;
}

sub cookie { $_[0]{cookie} }

# request($method, $path below /profile/data/, headers => {...}, json => …)
sub request {
    my ($self, $method, $path, %option) = @_;
    my %headers = (Cookie => $self->cookie, %{$option{headers} || {}});
    return $self->{service}->request($method, '', %option, headers => \%headers, raw_path => "/profile/data/$path");
}

sub get {
    my ($self, $path, %option) = @_;
    return $self->request('GET', $path, %option);
}

# Changes, from the service's own page.
sub post {
    my ($self, $path, $json, %option) = @_;
    return $self->request('POST', $path, json => $json || {}, %option,
        headers => { 'Sec-Fetch-Site' => 'same-origin', %{$option{headers} || {}} });
}
sub remove {
    my ($self, $path, %option) = @_;
    return $self->request('DELETE', $path, %option,
        headers => { 'Sec-Fetch-Site' => 'same-origin', %{$option{headers} || {}} });
}

# An operator at the operator's page, as a browser would be.
package QSOsync::Operator;
use parent -norequire, 'QSOsync::Profile';

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
