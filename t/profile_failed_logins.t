use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# nginx limits how often an address may fail to log in, and refuses nobody who logs in with the right password. (On a
# slow machine some more failures fit into the limit, never fewer.)
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 300 });
$service->expect_log(qr/password mismatch|limiting requests|user .* was not found/);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $wrong = bless { %$me, password => 'x' x 27 }, 'QSOsync::Profile';
my $nobody = bless { %$me, login => 'nobody' }, 'QSOsync::Profile';
sub ask {
    return $service->request('GET', '', raw_path => $_[0],
        headers => { $_[1] ? (Authorization => $_[1]->authorization) : () });
}

is join(' ', map { ask('/profile/')->status } 1 .. 30), join(' ', (401) x 30),
    'whoever has not said a name yet is asked for one, however often';
my @statuses = map { ask($_ % 2 ? '/profile/' : '/profile/data/me', $_ % 3 ? $wrong : $nobody)->status } 1 .. 60;
is $statuses[0], 401, 'a wrong password is refused';
is join(' ', @statuses[0 .. 19]), join(' ', (401) x 20), 'so are the next ones';
cmp_ok scalar(grep { $_ == 429 } @statuses), '>=', 20, 'after a burst the address is told to wait' or diag "@statuses";
is scalar(grep { $_ != 401 && $_ != 429 } @statuses), 0, 'nothing else is answered to a wrong password'
    or diag "@statuses";
my ($refused) = grep { $_->status == 429 } map { ask('/profile/data/me', $wrong) } 1 .. 30;
is $refused->body, '{"error":{"code":"GENERIC.RATE_LIMITED"}}', 'the refusal is one that programs read';
like $refused->header('Retry-After'), qr/\A\d+\z/, 'it says how long to wait';
is $refused->header('Cache-Control'), 'no-store', 'no cache stores it';
is $refused->header('X-Frame-Options'), 'DENY', 'it carries the headers of the pages';

# A right password from the same address, as often as pages with many parts ask.
my @right = map { ask($_ % 10 ? '/profile/data/me' : '/profile/', $me)->status } 1 .. 100;
is join(' ', grep { $_ != 200 } @right), '', 'a right password lets in while failures are limited';
is ask('/profile/')->status, 401, 'a request without a name is asked for one while failures are limited';
is ask('/profile/')->header('WWW-Authenticate'), 'Basic realm="QSOsync"', 'it is the browser that asks';
is ask('/api/v1/me', undef)->status, 401, 'the API is as it was';

done_testing;
