use QSOsync::Test fronts => 'none';

# qsosync-admin log lists the acts of operators and commands.
my $service = QSOsync::Service->start(wants_member => 0);
my $directory = $service->directory;
sub acts { @{JSON::PP::decode_json($service->admin('log', '--json', @_))} }
sub newest {
    my ($act) = acts('--limit', 1);
    return join ' | ', map { $_ // '-' } @$act{qw(operator act subject details)};
}
is_deeply [acts()], [], 'the activity log of a new logbook is empty';

QSOsync::Front::write_file("$directory/list.txt", "26AT101, JO59\n35AT9, JO31\n");
QSOsync::Front::write_file("$directory/log.adi", '<CALL:6>35AT10<QSO_DATE:8>20260517<TIME_ON:4>1942<BAND:3>11m'
    . '<FREQ:6>27.405<MODE:2>FM<EOR>');
$service->admin('club', 'set', '--address', 'https://log.example.org');
like newest(), qr/\A- \| club set \| - \| address\z/, 'club set is recorded as an act';
for (['member add', '21SD333', 'member', 'add', '21SD333', '--locator', 'JO59'],
    ['member add', '35AT9', 'member', 'add', '--from', "$directory/list.txt"],
    ['member set', '21SD333', 'member', 'set', '21SD333', '--locator', 'JO31'],
    ['member set', '21SD333', 'member', 'set', '21SD333', '--operator', 'on'],
    ['member rename', '21SD333', 'member', 'rename', '21SD333', '21SD777'],
    ['member disable', '35AT9', 'member', 'disable', '35AT9'],
        ['member enable', '35AT9', 'member', 'enable', '35AT9'],
    ['member invite', '21SD777', 'member', 'invite', '21SD777'],
    ['member invite', '21SD777', 'member', 'invite', '21SD777', '--new'],
    ['key add', '21SD777', 'key', 'add', '21SD777', '--name', 'x', '--scope', 'READ'],
    ['key revoke', '21SD777', 'key', 'revoke', '21SD777', 1],
    ['uploads', undef, 'uploads', 'on'],
    ['upload-token add', '21SD777', 'upload-token', 'add', '21SD777', '--name', 'x'],
    ['upload-token revoke', '21SD777', 'upload-token', 'revoke', '21SD777', 1],
    ['import', '21SD777', 'import', '21SD777', "$directory/log.adi"],
    ['backup', undef, 'backup', "$directory/copy.db"],
    ['restore', '21SD777', 'restore', "$directory/copy.db", '--member', '21SD777'],
    ['restore', undef, 'restore', "$directory/copy.db"],
    ['member delete', '35AT9', 'member', 'delete', '35AT9', '--yes']) {
    my ($act, $subject, @arguments) = @$_;
    my ($status, undef, $errors) = $service->admin_try(@arguments);
    is $status, 0, "'$act' succeeds" or diag $errors;
    my ($noted) = acts('--limit', 1);
    like $noted->{act}, qr/\A\Q$act\E/, "'@arguments' is recorded as an act";
    is $noted->{subject}, $subject, "the act of '@arguments' has the correct subject";
    is $noted->{operator}, undef, "the act of '@arguments' names no operator";
}
is_deeply [map { $_->{details} } grep { $_->{act} eq 'import' } acts()], ['log.adi: 1 imported, 0 updated'],
    'the act of an import has the name of the file and the counts';
like +(acts())[0]{at}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/, 'an act has a time with milliseconds';

my $count = acts();
$service->admin_try(@$_) for ['member', 'list'], ['status'], ['club', 'show'], ['log'], ['check'], ['metrics'],
    ['export', '21SD777', "$directory/out.adi"], ['import', '21SD777', "$directory/log.adi", '--dry-run'],
    ['member', 'add', '21SD777', '--locator', 'JO59'], ['member', 'disable', 'nobody'], ['init'],
    ['member', 'add', '--from', "$directory/list.txt"], ['key', 'revoke', '21SD777', 99];
is scalar(acts()), $count, 'a command that changes nothing or is refused records no act';
is scalar(acts('--limit', 3)), 3, '--limit limits the number of listed acts';
my ($heading, @lines) = split /\n/, $service->admin('log');
like $heading, qr/\ATIME +OPERATOR +ACT +SUBJECT +DETAILS\z/, 'the table of the activity log has headings';
like $lines[0], qr/\A\S+Z +- +member delete +35AT9 +/, 'the newest act is listed first';
is +($service->admin_try('log', '--limit', $_))[0], 2, "'--limit $_' is wrong usage" for 0, 'x', '';
my $text = $service->admin('log', '--json');
unlike $text, qr/qsosync(?:in|up)?_\w/, 'no act contains a key, a token or a link';

done_testing;
