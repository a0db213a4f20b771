use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Operator;

# The switches of the operator's page are those of the command, and all acts stand in one log.
my $service = QSOsync::Service->start(site => 2);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }

is_deeply $operator->get('switches')->json->{uploads}, $off, 'uploads are off';
is $operator->post('uploads', { on => $on })->status, 204, 'uploads are switched on';
is $service->sqlite('SELECT uploads FROM logbook'), 1, 'the switch is the one of the command';
is $operator->post('uploads', { on => $off })->status, 204, 'uploads are switched off';
is_deeply $operator->get('switches')->json->{uploads}, $off, 'the page says that uploads are off';

is $operator->post('club', { name => ' Elf <b>Meter</b> ', legal => "Two\nlines", link => 'https://club.example.org/',
    address => 'http://log.localhost:8080/api/v1/' })->status, 204, 'the club says who it is';
my $said = $operator->get('switches')->json;
is_deeply [@$said{qw(name legal link contact address)}], ['Elf <b>Meter</b>', "Two\nlines",
    'https://club.example.org/', undef,
    'http://log.localhost:8080'], 'the texts are kept as typed, and the address without what belongs to the API';
is $said->{nameMaximum}, 80, 'the page knows how long each may be';
like $service->admin('club', 'show'), qr/Elf <b>Meter<\/b>/, 'the command club show says it';
like $service->request('GET', '', raw_path => '/')->body, qr/Elf &lt;b&gt;Meter/, 'the front page has the name as text';
like $operator->act('21SD333', 'invite')->json->{link}, qr{\Ahttp://log\.localhost:8080/welcome/#},
    'invitations have the address';
is $operator->post('club', { name => '' })->status, 204, 'an empty text takes one away';
is_deeply [@{$operator->get('switches')->json}{qw(name link)}], [undef, 'https://club.example.org/'],
    'the other texts stay';
for (['name', 'x' x 81], ['link', 'javascript:alert(1)'], ['address', 'ftp://x'], ['contact', "a\nb"],
    ['link', "https://club.example.org/\x{202e}gpj.exe"], ['link', "https://club\x{200b}.example.org/"],
    ['name', "Elf\x{2066}Meter"], ['text', "Two\x{202d}\nlines"]) {
    my ($field, $value) = @$_;
    my $answer = $operator->post('club', { $field => $value, legal => 'changed' });
    is told($answer), '400 VALIDATION.FAILED', "a wrong $field is refused";
    is $answer->json->{error}{details}[0]{field}, $field, 'the answer names the wrong field';
}
my %own = (headers => { Origin => 'http://127.0.0.1:' . $service->port });
is told($operator->post('club', { address => $_ }, %own)), '400 VALIDATION.FAILED',
    "on a page of the service $_ is not its address" for 'https://log.example.org', "$own{headers}{Origin}0";
is $operator->post('club', { address => "$own{headers}{Origin}/club/" }, %own)->status, 204,
    'the address of the page is taken';
is $operator->get('switches')->json->{legal}, "Two\nlines", 'nothing of a refused form is saved';

$service->admin('uploads', 'on');
my $member = $operator->member('21SD333')->{number};
for my $body ({}, { on => 1 }, { on => 'false' }, { on => undef }) {
    is told($operator->post($_, $body)), '400 VALIDATION.FAILED', "$_: nothing is switched by a body without a switch"
        for 'uploads', "members/$member/operator";
}
ok $operator->get('switches')->json->{uploads}, 'it is as it was';
my @acts = map { join ' ', $_->{operator} // '-', $_->{act} } @{$operator->get('log')->json->{items}};
is_deeply [@acts[0 .. 3]], ['- uploads on', ('21SD333 club set') x 2, '21SD333 member invite'],
    'the log has the acts of both, newest first'
    or diag "@acts";
my $log = $service->admin('log');
like $log, qr/21SD333.*club set/, 'the command log prints the acts of the page';
$service->sqlite("INSERT INTO operator_log (at, act) SELECT 1, 'member add' FROM (WITH RECURSIVE n(i) AS "
    . "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) SELECT i FROM n)");
my ($seen, $next, %number) = (0, '');
for (1 .. 5) {
    my $page = $operator->get("log$next")->json;
    $seen += @{$page->{items}};
    last if !defined $page->{next};
    $next = "?before=$page->{next}";
}
is $seen, $service->sqlite('SELECT count(*) FROM operator_log'), 'page by page all acts are there';
is told($operator->get("log?before=$_")), '400 VALIDATION.FAILED', "before=$_ is refused" for 'x', 0, -1;

done_testing;
