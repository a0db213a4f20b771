use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;

# The operator's page and the command share their switches and the activity log.
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }

my $service = QSOsync::Service->start(site => 4);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());

is_deeply $operator->get('switches')->json->{uploads}, $off, 'uploads are off by default';
is $operator->post('uploads', { on => $on })->status, 204, 'uploads can be switched on';
is $service->sqlite('SELECT uploads FROM logbook'), 1, 'the page sets the switch in the logbook';
is $operator->post('uploads', { on => $off })->status, 204, 'uploads can be switched off';
is_deeply $operator->get('switches')->json->{uploads}, $off, 'the page shows that uploads are off';

is $operator->post('club', { name => ' Elf <b>Meter</b> ', legal => "Two\nlines",
    link => 'https://club.example.org/',
    address => 'http://log.localhost:8080/api/v1/' })->status, 204, 'the texts of the club can be set';
my $said = $operator->get('switches')->json;
is_deeply [@$said{qw(name legal link contact address)}], ['Elf <b>Meter</b>', "Two\nlines",
    'https://club.example.org/', undef,
    'http://log.localhost:8080'], "texts are stored trimmed, and the address without the API's path";
is $said->{nameMaximum}, 80, 'the page has the maximum length of the name';
like $service->admin('club', 'show'), qr/Elf <b>Meter<\/b>/, 'club show prints the name';
like $service->request('GET', '', raw_path => '/')->body, qr/Elf &lt;b&gt;Meter/,
    'the front page shows the name as text';
like $operator->act('21SD333', 'invite')->json->{link}, qr{\Ahttp://log\.localhost:8080/welcome/#},
    'invitations contain the address';
is $operator->post('club', { name => '' })->status, 204, 'an empty text is accepted';
is_deeply [@{$operator->get('switches')->json}{qw(name link)}], [undef, 'https://club.example.org/'],
    'an empty text deletes only that text';
for (['name', 'x' x 81], ['link', 'javascript:alert(1)'], ['address', 'ftp://x'], ['contact', "a\nb"],
    ['link', "https://club.example.org/\x{202e}gpj.exe"], ['link', "https://club\x{200b}.example.org/"],
    ['name', "Elf\x{2066}Meter"], ['text', "Two\x{202d}\nlines"]) {
    my ($field, $value) = @$_;
    my $answer = $operator->post('club', { $field => $value, legal => 'changed' });
    is told($answer), '400 VALIDATION.FAILED', "a wrong $field is refused";
    is $answer->json->{error}{details}[0]{field}, $field, "the answer names the wrong $field";
}
my %own = (headers => { Origin => 'http://127.0.0.1:' . $service->port });
is told($operator->post('club', { address => $_ }, %own)), '400 VALIDATION.FAILED',
    "$_ is refused, because the page can set only its own address" for 'https://log.example.org',
        "$own{headers}{Origin}0";
is $operator->post('club', { address => "$own{headers}{Origin}/club/" }, %own)->status, 204,
    "the page's own address is accepted";
is $operator->get('switches')->json->{legal}, "Two\nlines", 'a refused form saves nothing';

$service->admin('uploads', 'on');
my $member = $operator->member('21SD333')->{number};
for my $body ({}, { on => 1 }, { on => 'false' }, { on => undef }) {
    is told($operator->post($_, $body)), '400 VALIDATION.FAILED',
        "$_: a body without a valid switch is refused"
        for 'uploads', "members/$member/operator";
}
ok $operator->get('switches')->json->{uploads}, 'a refused body changes nothing';
my @acts = map { join ' ', $_->{operator} // '-', $_->{act} } @{$operator->get('log')->json->{items}};
is_deeply [@acts[0 .. 3]], ['- uploads on', ('21SD333 club set') x 2, '21SD333 member invite'],
    'the activity log has the acts on the page and by the command, newest first'
    or diag "@acts";
my $log = $service->admin('log');
like $log, qr/21SD333.*club set/, 'the command log prints the acts on the page';

is $operator->post('club', { pictures => 'off' })->status, 204, 'pictures on cards can be switched off';
like $service->admin('club', 'show'), qr/^pictures +off$/m, 'the command shows that pictures are off';
is told($operator->post('club', { pictures => 'maybe' })), '400 VALIDATION.FAILED',
    'a wrong value for the switch is refused';
is $operator->get('switches')->json->{pictures}, 'off', 'the page shows that pictures are off';

$service->sqlite("INSERT INTO operator_log (at, act) SELECT 1, 'member add' FROM (WITH RECURSIVE n(i) AS "
    . "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) SELECT i FROM n)");
my ($seen, $next, %number) = (0, '');
for (1 .. 5) {
    my $page = $operator->get("log$next")->json;
    $seen += @{$page->{items}};
    last if !defined $page->{next};
    $next = "?before=$page->{next}";
}
is $seen, $service->sqlite('SELECT count(*) FROM operator_log'), "the activity log's pages contain all acts";
is told($operator->get("log?before=$_")), '400 VALIDATION.FAILED', "before=$_ is refused" for 'x', 0, -1;

done_testing;
