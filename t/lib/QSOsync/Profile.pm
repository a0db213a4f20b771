# Signs a member in as a browser does, and sends the browser's requests.
package QSOsync::Profile;
use strict;
use warnings;
use Encode ();
use JSON::PP ();

my $number = 0;

# invite($service, $callsign, option...) returns the secret of a new invitation.
sub invite {
    my ($service, $callsign, @options) = @_;
    my ($secret) = $service->admin('member', 'invite', $callsign,
        '--address', 'http://127.0.0.1:' . $service->port, @options) =~ /#(\w+)\s*\z/
        or die "no invitation for $callsign";
    return $secret;
}

# send_json($service, $path, {...}, %option as for Service::request) sends a request from a browser without a cookie, on
# one of the service's own pages.
sub send_json {
    my ($service, $path, $json, %option) = @_;
    return $service->request('POST', '', %option, raw_path => $path, json => $json,
        headers => { 'Sec-Fetch-Site' => 'same-origin', %{$option{headers} || {}} });
}

# Returns a text as part of an address, each byte of its UTF-8 escaped.
sub escape { return join '', map { sprintf '%%%02X', ord } split //, Encode::encode('UTF-8', $_[0]) }

# Sends a form, as browsers send it without JavaScript.
sub send_form {
    my ($service, $path, $fields, %option) = @_;
    my $body = join '&', map { "$_=" . $fields->{$_} =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/egr }
        sort keys %$fields;
    return $service->request('POST', '', %option, raw_path => $path, body => $body,
        headers => { 'Content-Type' => 'application/x-www-form-urlencoded', 'Sec-Fetch-Site' => 'same-origin',
            Accept => 'text/html', %{$option{headers} || {}} });
}

# Returns the cookie that an answer sets, as a browser returns it. Returns undef if the answer sets no cookie or deletes
# the cookie.
sub cookie_of {
    my ($answer) = @_;
    my ($cookie) = ($answer->header('Set-Cookie') // '') =~ /\A([^=;]+=\w+);/;
    return $cookie;
}

# Returns a browser with the session from this answer, or undef if the answer signs nobody in.
sub from_answer {
    my ($class, $service, $answer) = @_;
    my $cookie = $answer && cookie_of($answer) or return;
    return bless { service => $service, cookie => $cookie }, $class;
}

# Signs in with the secret of an invitation or a link. Returns undef if the sign-in fails.
sub use_link {
    my ($class, $service, $secret, %option) = @_;
    return $class->from_answer($service, send_json($service, '/welcome/', { token => $secret }, %option));
}

sub sign_in {
    my ($class, $service, $callsign, $password, %option) = @_;
    return $class->from_answer($service,
        send_json($service, '/sign-in', { callsign => $callsign, password => $password }, %option));
}

# log_in($service, $callsign) signs in with a new invitation and a new password.
sub log_in {
    my ($class, $service, $callsign) = @_;
    my $self = $class->use_link($service, invite($service, $callsign)) or die "$callsign cannot sign in";
    @{$self}{qw(callsign login password)} = ($callsign, lc $callsign, 'long enough, ' . ++$number);
    my $answer = $self->post('password', { password => $self->{password} });
    die 'no password: ' . $answer->status . ' ' . $answer->body if $answer->status != 204;
    return $self;
}

sub cookie { $_[0]{cookie} }

# request($method, $path below /profile/data/, headers => {...}, json => …) sends the browser's request.
sub request {
    my ($self, $method, $path, %option) = @_;
    my %headers = (Cookie => $self->cookie, %{$option{headers} || {}});
    return $self->{service}->request($method, '', %option, headers => \%headers, raw_path => "/profile/data/$path");
}

sub get {
    my ($self, $path, %option) = @_;
    return $self->request('GET', $path, %option);
}

# Sends requests that change data, from the service's own page.
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

# Signs an operator in, and sends the requests of the operator's page.
package QSOsync::Operator;
use parent -norequire, 'QSOsync::Profile';

# log_in($service, $callsign) signs in with or without the role.
sub log_in {
    my ($class, $service, $callsign) = @_;
    return bless QSOsync::Profile->log_in($service, $callsign), $class;
}

# with_role($service, $callsign) gives the member the role, and then signs in.
sub with_role {
    my ($class, $service, $callsign) = @_;
    $service->admin('member', 'set', $callsign, '--operator', 'on');
    return $class->log_in($service, $callsign);
}

# Sends requests like the profile's, with paths below /operator/data/.
sub request {
    my ($self, $method, $path, %option) = @_;
    my %headers = (Cookie => $self->cookie, %{$option{headers} || {}});
    return $self->{service}->request($method, '', %option, headers => \%headers, raw_path => "/operator/data/$path");
}

# Returns the row of a member in the list, or undef if the list lacks the member.
sub member {
    my ($self, $callsign) = @_;
    my ($row) = grep { $_->{callsign} eq $callsign } @{$self->get('members?limit=200')->json->{items}};
    return $row;
}

# act($callsign, 'rename', { callsign => … }) returns the answer.
sub act {
    my ($self, $callsign, $act, $json, %option) = @_;
    return $self->post('members/' . $self->member($callsign)->{number} . "/$act", $json, %option);
}

1;
