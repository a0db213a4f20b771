use QSOsync::Test fronts => 'nginx';

# Without a token nobody gets a worker to look at more than the token. The work for a body grows with its bytes, for
# strangers and for members.
plan skip_all => 'a sanitizer looks at all that memmem may read, at each call' if QSOsync::Front::is_sanitized();
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 0 });
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
my $revoked = $service->admin('upload-token', 'add', '21SD333', '--name', 'revoked');
$service->admin('upload-token', 'revoke', '21SD333', 2);

# Nanoseconds of processor time of all pages' workers so far.
sub spent_ns {
    my $sum = 0;
    $sum += (split ' ', QSOsync::Front::read_file("/proc/$_/schedstat"))[0] for grep { $_ } @{$service->{site_pids}};
    return $sum;
}
sub work {
    my ($body) = @_;
    my $before = spent_ns();
    my $answer = $service->request('POST', '', raw_path => '/cloudlog/api/qso', body => $body,
        headers => { 'Content-Type' => 'application/json' });
    return (spent_ns() - $before, $answer);
}
sub fill {
    my ($begin, $part, $end, $bytes) = @_;
    return $begin . $part x (($bytes - length($begin) - length $end) / length $part) . $end;
}

my $small = 1_000_000;
work('{}') for 1 .. 3;
my ($plain) = sort { $a <=> $b } map { (work(fill('{"key":"x","string":"', 'a', '"}', 8 * $small)))[0] } 1 .. 3;
my @strangers = (
    ['no JSON, and no key', '<a:1', '', ''], ['a wrong key', '<a:1', '{"key":"x","string":"', '"}'],
    ['a key that was revoked', '<a:1', qq({"key":"$revoked","string":"), '"}'],
    ['a revoked key at the end', '<a:-1><EOH>', '{"string":"', qq(","key":"$revoked"})],
    ['nothing but keys', '"key":"x"', '{', ''], ['keys that do not end', '"key":"', '', ''],
    ['keys without a value', '"key"', '', ''], ['quotes', '"', '', ''],
    ['many members', '"a":1,', '{', '"b":1}'], ['many brackets', '[', '', '']);
for my $stranger (@strangers) {
    my ($name, $part, $begin, $end) = @$stranger;
    my ($spent, $answer) = work(fill($begin, $part, $end, 8 * $small));
    like $answer->status, qr/\A40[01]\z/, "$name: refused";
    cmp_ok $spent, '<', 20 * $plain, "$name: 8 MB cost no more than some times what 8 MB of plain text cost"
        or diag "$spent ns, plain $plain ns";
}
my @members = (['fields without end', '<a:1'], ['headers that are wrong', '<a:-1><EOH>'], ['quotes', '\\"'],
    ['records', '<call:5>26AT1<eor>']);
for my $member (@members) {
    my ($name, $part) = @$member;
    my ($begin, $end) = (qq({"key":"$token","type":"adif","string":"), '"}');
    my ($least, $most) = (1e18, 1e18);
    for (1 .. 2) {
        my @spent = map { (work(fill($begin, $part, $end, $_)))[0] } $small / 4, 2 * $small;
        $least = $spent[0] if $spent[0] < $least;
        $most = $spent[1] if $spent[1] < $most;
    }
    cmp_ok $most, '<=', 12 * $least, "$name: eight times the bytes are at most twelve times the work"
        or diag "$least ns, $most ns";
    note "$name: $least ns, $most ns";
}
is $service->get('/me')->status, 200, 'the service answers';

done_testing;
