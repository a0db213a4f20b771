use QSOsync::Test fronts => 'none';

# qsosync-admin member adds, lists, disables and enables members.
my $service = QSOsync::Service->start(wants_member => 0);
sub status_of { ($service->admin_try(@_))[0] }
sub members { @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))} }

# Checks that a command ends with the exit status (1: refused; 2: wrong usage), and writes nothing to standard output
# and one line to standard error. Returns this line.
sub is_refused {
    my ($expected, @arguments) = @_;
    my $name = "'@arguments'" =~ s/[^ -~]/?/gr;
    my ($status, $output, $errors) = $service->admin_try(@arguments);
    is $status, $expected, "$name ends with exit status $expected";
    is $output, '', "$name writes nothing to standard output";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, "$name writes one line to standard error";
    return $errors;
}

is $service->admin('member', 'add', ' 21sd333 ', '--locator', 'jo59JW'), '', 'member add prints nothing to a program';
my ($member) = members();
is $member->{callsign}, '21SD333', 'a callsign is stored trimmed and in upper case';
is $member->{locator}, 'JO59jw', 'a locator is stored with the usual case of its letters';
is $member->{login}, '21sd333', 'the login of a new member is the callsign in lower case';
ok $member->{active}, 'a new member is active';
is_deeply [@$member{qw(qsos activeKeys)}], [0, 0], 'a new member has no QSOs and no keys';
like $member->{createdAt}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/,
    'the list has the time at which a member was added';
is $service->admin('member', 'add', 'B', '--login', ' x@y ', '--locator', 'JO59'), '',
    'member add --login prints nothing to a program';
is +(members())[1]{login}, 'x@y', 'a login name on the command line is stored trimmed';
is_refused(1, 'member', 'add', @$_) for ['21sd333', '--locator', 'JO59'], ['C', '--login', 'x@y', '--locator', 'JO59'],
    ['D', '--locator', 'ZZ99'], ['D', '--locator', 'JO5'], ['', '--locator', 'JO59'],
    [" \x{c2}\x{a0}", '--locator', 'JO59'],
    ['x' x 21, '--locator', 'JO59'], ["a\tb", '--locator', 'JO59'], ["a\nb", '--locator', "J\nO"],
    ["a\x7fb", '--locator', 'JO59'],
    ["a\xc2\x85b", '--locator', 'JO59'], ["\xff", '--locator', 'JO59'], ['D', '--login', ' ', '--locator', 'JO59'];
is status_of('member', 'add', "\xc3\x96" x 20, '--locator', 'JO59'), 0,
    'the length of a callsign is counted in characters, not bytes';

# Wrong usage is detected before any database is opened.
is_refused(2, @$_) for ['nothing'], ["no\nthing"], ['member', 'remove'], ['member', 'add'], ['member', 'add', 'D'],
    ['member', 'add', '--locator', 'JO59'], ['member', 'add', 'A', 'B', 'C'], ['member', 'list', 'B'],
    ['member', 'list', '--name', 'x'],
    ['member', 'list', '--what'], ['member', 'list', '-x'], ['member', 'list', '--json=yes'],
    ['key', 'add', 'B', '--name'],
    ['--db', '', 'member', 'list'], ['init', 'x'], ['backup'], ['--db', '/nowhere', 'member', 'add', 'D'];
is scalar(members()), 3, 'wrong usage adds no member';

for (['unknown command member remove', 'member', 'remove'], ['unknown option --what', 'member', 'list', '--what'],
    ['unknown option -x', '-x', 'member', 'list'], ['unknown option --name for member list', '--name=x', 'member',
    'list'],
    ['option --json takes no value', 'member', 'list', '--json=yes'],
    ['option --name needs a value', 'key', 'add', 'B', '--name'],
    ['option --db needs a value', '--db=', 'member', 'list'],
    ['missing argument CALLSIGN', 'member', 'add', '--locator', 'JO59'],
    ['missing argument NUMBER', 'key', 'revoke', 'B'], ['unexpected argument C', 'key', 'revoke', 'B', '1', 'C'],
    ['missing option --locator', 'member', 'add', 'D'], ['missing option --scope', 'key', 'add', 'B', '--name', 'x']) {
    my ($message, @arguments) = @$_;
    like is_refused(2, @arguments), qr/\Aqsosync-admin: \Q$message\E\b.*--help$/,
        "'@arguments': the message begins with '$message'";
}

# Options can be anywhere, as --option=value or with the value as the next word. Every word after -- is an operand.
is status_of('--locator=JO59', 'member', 'add', 'E'), 0, '--option=value can precede the command';
is status_of('--locator', 'JO59', 'member', 'add', '--', '--json'), 0,
    'an option with a separate value can precede the command';
ok +(grep { $_->{callsign} eq '--JSON' } members()), 'a word after -- is an operand';
is status_of('member', 'add', 'F', '--locator', 'JO59', '--login', '--help'), 0,
    'the word after --login is the login name, even if the word is --help';
{
    local $ENV{POSIXLY_CORRECT} = 1;
    is status_of('member', 'enable', 'F', '--db', $service->db), 0,
        'options can follow operands, even with POSIXLY_CORRECT';
}

like $service->admin(@$_), qr/^  member add CALLSIGN --locator LOCATOR \[--login NAME\] .*^  key revoke /ms,
    "'@$_' lists all commands"
    for ['--help'], ['-h'], ['member', 'list', '--db', 'x', '--help', '--', 'x'];
sub commands_in { join ' ', map { /^  (?:member )?([a-z]+(?: [a-z]+)?)/ ? $1 : () } split /\n/, $_[0] }
my $of_member = 'add add invite list set rename disable enable delete devices sign';
is commands_in($service->admin(@$_)), $of_member, "'@$_' lists the commands that begin with these words"
    for ['member', '--help'], ['--help', 'member'], ['help', 'member'];
is $service->admin('help'), $service->admin('--help'), 'help prints the same as --help';
for ([qr/missing command after member/, qr/\A$of_member\z/, 'member'],
    [qr/missing command/, qr/\A@{[$of_member =~ s{delete}{delete card remove}r]} key add .* check\b/]) {
    my ($message, $listed, @arguments) = @$_;
    my ($status, $output, $errors) = $service->admin_try(@arguments);
    is $status, 2, "'@arguments' without further words is wrong usage";
    like $errors, qr/\Aqsosync-admin: $message; see qsosync-admin --help\n\z/,
        "'@arguments' without further words: one line names the missing word";
    like commands_in($output), $listed, "'@arguments' without further words lists the possible commands";
}
for (['--help'], ['-h']) {
    my $help = $service->admin(@$_);
    like $help, qr/\Q$_\E/, "the help lists '$_'" for 'init', 'member add CALLSIGN --locator LOCATOR [--login NAME]',
        'member list [--json]',
        'member disable CALLSIGN', 'member enable CALLSIGN', 'key add CALLSIGN --name NAME --scope READ|WRITE',
        'key list [CALLSIGN] [--json]', 'key revoke CALLSIGN NUMBER', 'backup FILE', 'restore FILE', 'check', 'spots';
}
my ($newest) = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/manual/NEWS") =~ /^(\d+\.\d+\.\d+)\b/m;
is $service->admin('--version'), "qsosync-admin $newest",
    '--version prints the command and the newest version in NEWS';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
isnt system("'$program' --version > /dev/full 2> /dev/null") >> 8, 0, 'a command whose output cannot be written fails';

# --db selects the database. Without --db, QSOSYNC_DB selects the database.
{
    local $ENV{QSOSYNC_DB} = $service->db;
    like `'$program' member list`, qr/^21SD333 /m, 'QSOSYNC_DB selects the database';
    local $ENV{QSOSYNC_DB} = '/nowhere/logbook.db';
    like `'$program' --db '@{[$service->db]}' member list`, qr/^21SD333 /m, '--db takes precedence over QSOSYNC_DB';
}
like is_refused(1, '--db', $service->directory . '/none.db', 'member', 'list'),
    qr/none\.db is not a QSOsync logbook yet; create one with: .* init/,
    'for a missing database, the message names the init command';
is_refused(1, '--db', $service->directory, 'member', 'list');
is_refused(1, '--db', $service->directory . '/none/none.db', 'init');

# A disabled member can be enabled again.
is_refused(1, 'member', 'disable', 'nobody');
is status_of('member', 'disable', '21sd333'), 0, 'a callsign is found in upper or lower case';
my ($heading, @lines) = split /\n/, $service->admin('member', 'list');
like $heading, qr/\ACALLSIGN +LOCATOR +LOGIN +ACTIVE +OPERATOR +QSOS +KEYS +DEVICES +PASSWORD +ADDED +LAST USED\z/,
    'the table of members has headings';
is scalar(@lines), 6, 'the table has one line per member';
my ($disabled) = grep { /\A21SD333 / } @lines;
like $disabled, qr/\A21SD333 +JO59jw +21sd333 +no +no +0 +0 +0 +no +\d/, 'the table shows a disabled member';
my %places = map { utf8::decode(my $line = $_); $line =~ /\d{4}-\d\d-\d\dT/ ? ($-[0] => 1) : (none => 1) } @lines;
is join(' ', keys %places), index($heading, 'ADDED'),
    "the table's columns are aligned, whatever letters the names contain";
ok +(grep { $_->{callsign} eq '21SD333' && !$_->{active} } members()), 'the JSON list shows a disabled member';
is status_of('member', 'disable', '21sd333'), 0, 'disabling a disabled member succeeds';
is status_of('member', 'enable', '21SD333'), 0, 'enabling a disabled member succeeds';
ok +(grep { $_->{callsign} eq '21SD333' && $_->{active} } members()), 'an enabled member is active';

like $service->admin('init'), qr/already/, 'init on an existing logbook reports that the logbook exists';
is scalar(members()), 6, 'init on an existing logbook keeps its members';

done_testing;
