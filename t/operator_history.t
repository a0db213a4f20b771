use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;

# An operator undoes a faulty program's changes to a member's log. The operator sees counts and writers, but no QSO.
my $service = QSOsync::Service->start(site => 4);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
$service->add_member('26AT101');
my %key = map { $_ => $service->admin('key', 'add', '26AT101', '--name', $_, '--scope', 'WRITE') } qw(tablet phone);
my $member = QSOsync::Profile->log_in($service, '26AT101');
my ($true, $number) = (JSON::PP::true(), $operator->member('26AT101')->{number});

sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
sub save { my ($by, @qsos) = @_; $service->post_batch([@qsos], key => $key{$by}); return @qsos }
sub log_now { return map { delete $_->{syncedAt}; $_ } sort { $a->{id} <=> $b->{id} }
    $service->download(key => $key{tablet}) }
sub acts { return @{$operator->get("members/$number/history")->json->{items}} }
sub undo { my ($wish, $how) = @_; return $operator->post("members/$number/undo" . ($how ? "/$how" : ''), $wish) }
# Repeats the request of an undo until the undo is complete. Returns the last answer and the number of requests.
sub undo_all {
    my ($wish, $how) = @_;
    my ($state, $answer, $requests) = (undef, undef, 0);
    do {
        $answer = undo({ %$wish, defined $state ? (state => $state) : () }, $how)->json;
        $state = $answer->{state};
        $requests++;
    } while defined $state;
    return { %$answer, requests => $requests };
}
sub counts { my ($answer) = @_; return join ' ', @$answer{qw(restored deleted left)} }
sub noted { return map { "$_->{operator}: $_->{act} $_->{subject}, $_->{details}" }
    grep { $_->{act} eq 'undo' } @{$operator->get('log')->json->{items}} }

# The history shows counts and writers.
my @good = save(phone => map { qso(callsignWorked => "13TH10$_", notes => 'right') } 1 .. 3);
my @before = log_now();
save(tablet => map { { %$_, notes => 'wrong' } } @good);
save(tablet => qso(callsignWorked => '19PA101', notes => 'wrong'));
save(phone => { %{$good[2]}, notes => 'corrected' });
my @acts = acts();
is_deeply [map { [$_->{writer}{name}, @$_{qw(created changed deleted)}] } @acts],
    [['phone', 0, 1, 0], ['tablet', 1, 3, 0], ['phone', 3, 0, 0]], 'the history lists each writer with counts';
my $wrong = $acts[1];
is $operator->get("members/$number/history")->json->{days}, 180, 'the history states its retention time';
my $page = $operator->get("members/$number/history?limit=2")->json;
is_deeply [map { $_->{number} } @{$operator->get("members/$number/history?after=$page->{nextCursor}")->json->{items}}],
    [$acts[2]{number}], 'the second page of the history has the remaining acts';
is told($operator->get("members/$number/history/$wrong->{number}")), '404 GENERIC.NOT_FOUND',
    'an operator cannot see the changes of an act';

# The operator sees a preview, and then undoes the changes.
my @wrong = log_now();
my $answer = undo({ act => $wrong->{number} }, 'preview');
is counts($answer->json), '2 1 1', 'a preview counts restored, deleted and skipped QSOs';
is_deeply [map { [$_->{reason}, $_->{writer}{name}] } @{$answer->json->{leftCauses}}], [['CHANGED', 'phone']],
    'a preview gives the reason for a skipped QSO, and its last writer';
unlike $answer->body, qr/13TH10|19PA|qsoAt|"id"|callsignWorked/, 'a preview contains no data of QSOs';
is_deeply [log_now()], \@wrong, 'a preview changes nothing';
is scalar(my @none = noted()), 0, 'a preview is not in the activity log';
my $through = $answer->json->{through};
$answer = undo({ act => $wrong->{number}, through => $through });
is counts($answer->json), '2 1 1', 'an undo makes the changes that its preview counted';
unlike $answer->body, qr/13TH10|19PA|qsoAt|"id"|callsignWorked/, 'the answer to an undo contains no data of QSOs';
is join(' ', map { "$_->{callsignWorked} $_->{notes}" } log_now()), '13TH101 right 13TH102 right 13TH103 corrected',
    'an undo restores earlier values and skips a QSO that was corrected later';
my ($undone) = @{$member->get('history')->json->{items}};
is_deeply [$undone->{writer}{kind}, @$undone{qw(work undoes number)}],
    ['OPERATOR', 'UNDO', $wrong->{number}, $answer->json->{number}],
    "the member's history names an operator as the author of the undo";
is_deeply [noted()], ["21SD333: undo 26AT101, act $wrong->{number}, number $undone->{number}"],
    'the activity log names the operator, the member and the act';
is counts(undo({ act => $wrong->{number}, include => 'all' }, 'preview')->json), '1 0 0',
    'an operator can also undo skipped QSOs';
is counts($member->post('undo', { act => $undone->{number} })->json), '3 0 0', 'the member can undo the undo';
is join(' ', map { $_->{notes} } log_now()), 'wrong wrong corrected wrong', 'undoing the undo restores the log';

# The operator can undo everything that one program wrote.
my $wish = { writer => 'KEY', number => $wrong->{writer}{number}, since => $wrong->{beganAt} };
is counts(undo({ %$wish, include => 'all' })->json), '3 1 0',
    "an operator can undo all changes by one program, including later changes by other programs";
is_deeply [log_now()], \@before, 'undoing all changes by a program restores the earlier log';
like((noted())[0], qr/\A21SD333: undo 26AT101, by KEY $wrong->{writer}{number}, number \d+\z/,
    'the activity log names the program');

# In the operator's history, a merge is listed without the callsign.
save(phone => map { qso(qsoAt => "2026-05-17T19:42:0${_}Z", callsignWorked => '30RC101') } 1 .. 2);
my ($pair) = @{$member->get('doubles')->json->{items}};
$member->post('doubles/merge', { one => $pair->{older}{id}, other => $pair->{newer}{id} });
is_deeply [map { $_->{subject} } grep { $_->{work} eq 'MERGE' } @{$member->get('history')->json->{items}}], ['30RC101'],
    'the member can see which QSO was merged';
is_deeply [map { $_->{subject} } grep { $_->{work} eq 'MERGE' } acts()], [undef],
    'an operator cannot see which QSO was merged';

# A large undo takes several requests.
my @many = map { qso(qsoAt => iso_time(1_700_000_000 + 600 * $_), notes => 'mass') } 1 .. 2500;
save(tablet => splice @many, 0, 100) while @many;
my ($mass) = grep { $_->{created} >= 2500 } acts();
$service->admin('member', 'disable', '26AT101');
my $acts_before = noted();
my $all = undo_all({ act => $mass->{number} });
is counts($all), '0 2500 0', "an operator can undo a mass change in a disabled member's log";
cmp_ok $all->{requests}, '>', 1, 'a large undo takes several requests';
is scalar(my @now = noted()), $acts_before + 1, 'a large undo is one act in the activity log';
$service->admin('member', 'enable', '26AT101');
is counts(undo_all({ act => $mass->{number} }, 'preview')), '0 0 0',
    'after an undo, a preview finds nothing left to undo';

# Invalid requests are refused.
my @cases = ([{}, 'an undo needs a selection'], [{ act => 'x' }, 'an act must be a number'],
    [{ act => '999999' }, 'the act must exist'], [{ writer => 'KEY', number => '1' }, 'a writer needs a time'],
    [{ writer => 'NOBODY', since => '2026-05-17T19:42:00Z' }, 'a writer must have a known kind'],
    [{ act => $wrong->{number}, deleted => $true }, 'two selections are too many'],
    [{ act => $wrong->{number}, include => 'x' }, 'included QSOs must be ids or "all"'],
    [{ act => $wrong->{number}, state => 'x' }, 'a state in a request must come from an earlier answer']);
for my $how ('', 'preview') {
    is told(undo($_->[0], $how)), '400 VALIDATION.FAILED', "$_->[1] " . ($how ? '(preview)' : '(undo)') for @cases;
}
for my $path (qw(undo undo/preview)) {
    is told($operator->post("members/999/$path", { act => '1' })), '404 GENERIC.NOT_FOUND',
        "$path for an unknown member gives 404";
    my ($me) = $operator->member('21SD333')->{number};
    is told($operator->post("members/$me/$path", { act => $wrong->{number} })), '400 VALIDATION.FAILED',
        "$path refuses another member's act";
}
is told($operator->get('members/999/history')), '404 GENERIC.NOT_FOUND', 'the history of an unknown member gives 404';
is told($operator->get("members/$number/history?limit=0")), '400 VALIDATION.FAILED', 'a limit of 0 is refused';

# The activity log also records an undo by the command.
save(tablet => qso(notes => 'wrong again'));
$service->admin('undo', '26AT101', '--by', 'tablet', '--since', $wrong->{beganAt});
my ($act) = grep { $_->{act} eq 'undo' } @{$operator->get('log')->json->{items}};
like $act->{details}, qr/\Aby tablet, number \d+\z/,
    'the activity log names the program whose changes the command undid';
is $act->{operator}, undef, 'an act by the command has no operator';
is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
