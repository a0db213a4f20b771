use QSOsync::Test fronts => 'none', slow => 40;
use Digest::SHA qw(sha256_hex);
use QSOsync::Callgrind;
use QSOsync::Profile;
use QSOsync::Worker;

# The test counts the instructions that a body causes. Before the caller is identified, the worker reads no byte of a
# body if the credential is in the head or the path. If the credential is in the body, the worker reads at most 64 KiB.
# Then reading stops at the limits in the route's row. Both rules are tested with every route of both programs. The
# programs print their tables of routes, so a new route is also tested.
plan skip_all => 'valgrind cannot run these programs' if !QSOsync::Callgrind::is_possible();
my $service = QSOsync::Service->start(site => 1);
my $MIB = 1 << 20;
my $SLACK = 20_000;       # instructions for other work, which varies: an error in the answer, a line in the log
my $OF_A_BYTE = 60;       # instructions for reading and examining a byte from a stranger
my $OF_A_KNOWN_BYTE = 80; # as above, from a known client; an upload that is not JSON is read in three ways

# Each kind of client has its own credential.
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my $member = bless { %$operator }, 'QSOsync::Profile';
my ($phone) = $member->post('tokens', { name => 'phone', isPolo => JSON::PP::true })->body =~ /(qsosyncpo_\w+)/;
is length credential('qsosyncup_', 'A'), length $token, 'an invented token is as long as a real token';
my $peer = credential('qsosyncpeer_', 'A');
$service->sqlite("INSERT INTO peers (name, address, added_at, paired_at, code, fingerprint, ask_key) VALUES
    ('club', 'https://log.example.org', 1, 1, randomblob(32), X'" . sha256_hex($peer) . "', 'x')");

sub bearer { return { HTTP_AUTHORIZATION => "Bearer $_[0]" } }
sub browser { return { HTTP_COOKIE => $_[0], HTTP_SEC_FETCH_SITE => 'same-origin' } }
my %strangers = ((map { $_ => bearer(credential('qsosync_', 'A')) } 'read key', 'write key'),
    (map { $_ => browser('qsosync=' . 'A' x 43) } qw(public member log operator)),
    peer => bearer(credential('qsosyncpeer_', 'B')), token => bearer(credential('qsosyncup_', 'A')), phone => {},
    in_body => credential('qsosyncup_', 'A'), in_path => credential('qsosyncpo_', 'A'));
my %known = ((map { $_ => bearer($service->write_key) } 'read key', 'write key'),
    (map { $_ => browser($operator->cookie) } qw(public member log operator)),
    peer => bearer($peer), token => bearer($token), phone => bearer('0' x 16), in_body => $token, in_path => $phone);

# Returns a body of repeated parts, between a beginning and an end.
sub fill {
    my ($part, $bytes, $begin, $end) = @_;
    return $begin . $part x (($bytes - length($begin) - length $end) / length $part) . $end;
}
sub object { return qq({"key":"$_[0]{in_body}","callsign":"21SD333","password":"long enough","token":"x","code":"x",) }
my %hostile = (
    'empty objects' => sub { fill('{},', $_[1], object($_[0]) . '"x":[', '{}]}') },
    'a long text' => sub { fill('<a:1', $_[1], object($_[0]) . '"string":"', '"}') },
    'fields of a form' => sub { fill('a=b&', $_[1], 'callsign=21SD333&password=long+enough&', 'c=d') },
);

my ($worker, $prefix);
sub ask {
    my ($route, $who, $body) = @_;
    my ($method, $path, $access) = @$route;
    $path =~ s/\{token\}/$who->{in_path}/;
    $path =~ s/\{\w+\}/1/g;
    my $type = $body =~ /\A\{/ ? 'application/json' : 'application/x-www-form-urlencoded';
    return $worker->ask({ REQUEST_METHOD => $method, REQUEST_URI => "$prefix$path", CONTENT_TYPE => $type,
        HTTP_HOST => '127.0.0.1', %{$who->{$path =~ /lofi/ ? 'phone' : $access}} }, body => $body);
}

# Returns the maximum number of instructions for discarding a body: twice the number for an unknown path, because the
# number of pieces in which a body arrives varies.
my %thrown;
sub to_throw_away {
    my ($bytes) = @_;
    my $nowhere = ['POST', '/nothing/at/all', 'public'];
    return $thrown{"$prefix $bytes"} //= 2 * ((ask($nowhere, \%known, '{}' x ($bytes / 2)))[1]
        - (ask($nowhere, \%known, ''))[1]);
}

# Checks that the worker reads no body from a stranger, or at most 64 KiB if the credential can be in the body.
sub try_stranger {
    my ($route) = @_;
    my ($method, $path, $access, $bytes_max) = @$route;
    my $is_in_body = $bytes_max && ($access eq 'public' || $path =~ m{\A/cloudlog/});
    my $without = (ask($route, \%strangers, ''))[1];
    if (!$is_in_body) {
        my ($answer, $with) = ask($route, \%strangers, $hostile{'empty objects'}->(\%strangers, 4 * $MIB));
        cmp_ok $with - $without, '<=', to_throw_away(4 * $MIB) + $SLACK, "$method $path reads no stranger's body";
        like $answer->status, qr/\A40[134]\z/, "$method $path refuses strangers" if $access !~ /public|token/;
        return;
    }
    for my $shape (sort keys %hostile) {
        my @works;
        for my $bytes ($MIB, 4 * $MIB) {
            my ($answer, $work) = ask($route, \%strangers, $hostile{$shape}->(\%strangers, $bytes));
            like $answer->status, qr/\A4\d\d\z/, "$method $path refuses a stranger's body of $shape";
            push @works, $work;
        }
        cmp_ok $works[1] - $works[0], '<=', to_throw_away(4 * $MIB) + $SLACK,
            "$method $path: four times as many bytes of $shape cost no more for a stranger";
        cmp_ok $works[0] - $without, '<=', to_throw_away($MIB) + 65536 * $OF_A_BYTE,
            "$method $path reads at most 64 KiB of $shape";
    }
    return;
}

# Checks that the worker stops reading a list at the limit. One list exceeds the limit by one, and the other is as long
# as fits into the body.
sub try_known {
    my ($route) = @_;
    my ($method, $path, undef, $bytes_max, $items_max, $elements_max) = @$route;
    my %lists = ('/logs/batch' => 'entries', '/profile/data/qsos' => 'entries', '/peers/v1/claims' => 'members',
        '/lofi/{token}/v1/sync' => 'qsos');
    my $end = '"' . ($lists{$path} // 'x') . '":[{}';
    my ($short, $long) = map { object(\%known) . $end . ',{}' x $_ . ']}' } $elements_max || $items_max,
        ($bytes_max < 400_000 ? $bytes_max - 400 : 400_000) / 3;
    is defined $lists{$path}, $elements_max > 0, "$method $path has a list with a limit on its length" if $elements_max;
    my ($little, $much) = map {
        my ($answer, $work) = ask($route, \%known, $_);
        is $answer->status, 400, "$method $path refuses a list longer than its row allows" or diag $answer->body;
        $work;
    } $short, $long;
    cmp_ok $much - $little, '<=', $SLACK + $OF_A_KNOWN_BYTE * (length($long) - length $short),
        "$method $path: a very long list is read no further than a list that exceeds the limit by one";
    return;
}

for my $program ([QSOsync::Front::worker_program(), '/api/v1'], [QSOsync::Front::site_program(), '']) {
    $prefix = $program->[1];
    $worker = QSOsync::Callgrind->start($service, $program->[0]);
    to_throw_away($_) for $MIB, $MIB, 4 * $MIB; # the first request opens the logbook
    my @routes = map { chomp; [split /\t/] } `$program->[0] --routes`;
    cmp_ok scalar(@routes), '>=', 6, "$program->[0] prints at least six routes";
    try_stranger($_) for @routes;
    try_known($_) for grep { $_->[4] && $_->[2] ne 'public' } @routes;
    $worker->stop;
}

done_testing;
