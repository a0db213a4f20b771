use QSOsync::Test fronts => 'none', slow => 14;
use QSOsync::Worker;
use File::Temp qw(tempdir);
use Cwd qw(getcwd);

# qsosync-admin: the command line, and members.
my $service = QSOsync::Service->start(wants_member => 0);
sub status_of { ($service->admin_try(@_))[0] }
sub members { @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))} }

# Refused (1) or wrong usage (2): no standard output, one line on standard error.
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
is $member->{locator}, 'JO59jw', 'a locator is stored in its normal form';
is $member->{login}, '21sd333', 'the login of a new member is the callsign in lower case';
ok $member->{active}, 'a new member is active';
is_deeply [@$member{qw(qsos activeKeys)}], [0, 0], 'a new member has no QSOs and no keys';
like $member->{createdAt}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/,
    'the list has the time when a member was added';
is $service->admin('member', 'add', 'B', '--login', ' x@y ', '--locator', 'JO59'), '',
    'member add --login prints nothing to a program';
is +(members())[1]{login}, 'x@y', 'a given login is stored trimmed';
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
        "'@arguments': the message is $message";
}

# Options may be anywhere, as --option=value or with the value as next word; after -- there are only operands.
is status_of('--locator=JO59', 'member', 'add', 'E'), 0, '--option=value may precede the command';
is status_of('--locator', 'JO59', 'member', 'add', '--', '--json'), 0,
    'an option with a separate value may precede the command';
ok +(grep { $_->{callsign} eq '--JSON' } members()), 'a word after -- is an operand';
is status_of('member', 'add', 'F', '--locator', 'JO59', '--login', '--help'), 0,
    'a word after an option with a value is that value';
{
    local $ENV{POSIXLY_CORRECT} = 1;
    is status_of('member', 'enable', 'F', '--db', $service->db), 0,
        'options may follow operands, even with POSIXLY_CORRECT';
}

like $service->admin(@$_), qr/^  member add CALLSIGN --locator LOCATOR \[--login NAME\] .*^  key revoke /ms,
    "'@$_' lists all commands"
    for ['--help'], ['-h'], ['member', 'list', '--db', 'x', '--help', '--', 'x'];
sub commands_in { join ' ', map { /^  (?:member )?([a-z]+(?: [a-z]+)?)/ ? $1 : () } split /\n/, $_[0] }
my $of_member = 'add add invite list set rename disable enable delete devices sign';
is commands_in($service->admin(@$_)), $of_member, "'@$_' lists the commands that begin with it"
    for ['member', '--help'], ['--help', 'member'], ['help', 'member'];
is $service->admin('help'), $service->admin('--help'), 'help prints the same as --help';
for ([qr/missing command after member/, qr/\A$of_member\z/, 'member'],
    [qr/missing command/, qr/\A@{[$of_member =~ s{delete}{delete card remove}r]} key add .* check\b/]) {
    my ($message, $listed, @arguments) = @$_;
    my ($status, $output, $errors) = $service->admin_try(@arguments);
    is $status, 2, "'@arguments' alone is wrong usage";
    like $errors, qr/\Aqsosync-admin: $message; see qsosync-admin --help\n\z/,
        "'@arguments' alone: one line names the missing word";
    like commands_in($output), $listed, "'@arguments' alone lists the possible commands";
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

# --db selects the database, or else the environment.
{
    local $ENV{QSOSYNC_DB} = $service->db;
    like `'$program' member list`, qr/^21SD333 /m, 'QSOSYNC_DB selects the database';
    local $ENV{QSOSYNC_DB} = '/nowhere/logbook.db';
    like `'$program' --db '@{[$service->db]}' member list`, qr/^21SD333 /m, '--db takes precedence over QSOSYNC_DB';
}
like is_refused(1, '--db', $service->directory . '/none.db', 'member', 'list'),
    qr/none\.db is not a QSOsync logbook yet; create one with: .* init/,
    'for a missing database the message names the init command';
is_refused(1, '--db', $service->directory, 'member', 'list');
is_refused(1, '--db', $service->directory . '/none/none.db', 'init');

# Disabled and enabled again.
is_refused(1, 'member', 'disable', 'nobody');
is status_of('member', 'disable', '21sd333'), 0, 'a callsign is found in another case';
my ($heading, @lines) = split /\n/, $service->admin('member', 'list');
like $heading, qr/\ACALLSIGN +LOCATOR +LOGIN +ACTIVE +OPERATOR +QSOS +KEYS +DEVICES +PASSWORD +ADDED +LAST USED\z/,
    'the table of members has headings';
is scalar(@lines), 6, 'the table has one line per member';
my ($disabled) = grep { /\A21SD333 / } @lines;
like $disabled, qr/\A21SD333 +JO59jw +21sd333 +no +no +0 +0 +0 +no +\d/, 'the table shows a disabled member';
my %places = map { utf8::decode(my $line = $_); $line =~ /\d{4}-\d\d-\d\dT/ ? ($-[0] => 1) : (none => 1) } @lines;
is join(' ', keys %places), index($heading, 'ADDED'),
    'the columns of the table are aligned with any letters';
ok +(grep { $_->{callsign} eq '21SD333' && !$_->{active} } members()), 'the JSON list shows a disabled member';
is status_of('member', 'disable', '21sd333'), 0, 'disabling a disabled member succeeds';
is status_of('member', 'enable', '21SD333'), 0, 'enabling a disabled member succeeds';
ok +(grep { $_->{callsign} eq '21SD333' && $_->{active} } members()), 'an enabled member is active';

# A second init.
like $service->admin('init'), qr/already/, 'init on a logbook reports that it exists';
is scalar(members()), 6, 'init on a logbook keeps its members';

# qsosync-admin member add --from: adds a whole list of members, or none of them.
{
    my $service = QSOsync::Service->start(wants_member => 0);
    my $file = $service->directory . '/members.txt';
    sub members_list { @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))} }
    sub callsigns { join ' ', map { $_->{callsign} } members_list() }
    sub add { QSOsync::Front::write_file($file, $_[0]); return $service->admin_try('member', 'add', '--from', $file) }

    # Lists as clubs keep them, and as spreadsheets write them.
    my $forms = "\xef\xbb\xbf# the club, 2026\n21sd333, jo59JW\r\n\"26AT101\";\"IO91\"\r\n\r\n  # guests\n"
        . "35 AT 9\tJO31\t\t\n14-FR-1 JN18\n21 SD 12   JO58aa\n\"108 SD 1\" , JO22,,\n163X1,JO33";
    QSOsync::Front::write_file($file, $forms);
    my $shown = $service->admin('member', 'add', '--from', $file, '--dry-run');
    like $shown, qr/\ALINE +CALLSIGN +LOCATOR +LOGIN +FAULT\n2 +21SD333 +JO59jw +21sd333 +-\n3 +26AT101 /,
        '--dry-run shows each line as it would be stored';
    is callsigns(), '', '--dry-run adds no member';
    my @entries = @{JSON::PP::decode_json($service->admin('member', 'add', '--from', $file, '--dry-run', '--json'))};
    is join(' ', map { $_->{line} } @entries), '2 3 6 7 8 9 10', 'the numbers of lines are those of an editor';
    my ($status, $output, $errors) = add($forms);
    is "$status$output$errors", '0', 'adding a valid list prints nothing to a program';
    is_deeply [map { [@$_{qw(callsign locator login active)}] } members_list()],
        [map { [@$_, JSON::PP::true()] } ['108 SD 1', 'JO22', '108 sd 1'], ['14-FR-1', 'JN18', '14-fr-1'],
        ['163X1', 'JO33', '163x1'], ['21 SD 12', 'JO58aa', '21 sd 12'], ['21SD333', 'JO59jw', '21sd333'],
        ['26AT101', 'IO91', '26at101'], ['35 AT 9', 'JO31', '35 at 9']],
        'commas, semicolons, tabs, spaces and quotes separate callsign and locator';
    $service->admin('member', 'set', '26AT101', '--login', '7x7');
    for (["Callsign,Locator\r\n", ','], ["CALLSIGN;LOCATOR\n", ';'],
        ["\xef\xbb\xbf\"callsign\"\t\"locator\"\n", "\t"]) {
        my ($heading, $separator) = @$_;
        my $name = '9HD' . ord $separator;
        is_deeply [add("$heading$name${separator}JO59\n")], [0, '', ''],
            "the heading of a spreadsheet is skipped: $name";
        $service->admin('member', 'delete', $name, '--yes');
    }
    is +(add("9HD1,JO59\ncallsign,locator\n"))[0], 1, 'a heading after the first line is a faulty line';

    # 300 members, ten of them with a fault each.
    my @lines = map { sprintf '1AB%03d, JO%02dab', $_, $_ % 100 } 1 .. 300;
    my $good = join("\n", @lines) . "\n";
    my %fault = (
        3 => ['1AB003 JO5', 'JO5 is not a Maidenhead locator of 4 or 6 characters'],
        17 => ['1AB017', 'there is no locator after 1AB017'],
        40 => ['1ab-039, JO31', 'line 39 already has the callsign 1ab-039'],
        41 => ['21-SD-333, JO59', 'member 21SD333 already exists'],
        100 => [', JO59', 'a callsign must have 1 to 20 printable characters'],
        101 => ['1AB101, ', 'there is no locator after 1AB101'],
        150 => ["1\x1b[2J, JO59", 'a callsign must have 1 to 20 printable characters'],
        200 => ["1\xe4B, JO59", 'the line is not UTF-8'],
        201 => ['7X7, JO59', 'member 26AT101 already has the login name 7x7'],
        300 => ['1AB300, JO59, Bob', 'there is more text after the locator of 1AB300'],
    );
    my @faulty = @lines;
    $faulty[$_ - 1] = $fault{$_}[0] for keys %fault;
    my $before = callsigns();
    ($status, $output, $errors) = add(join "\n", @faulty);
    is $status, 1, 'a list with faults is refused';
    is $output, join('', map { "line $_: $fault{$_}[1]\n" } sort { $a <=> $b } keys %fault),
        'only faulty lines are named, with their faults';
    my $refused = "qsosync-admin: 10 of 300 lines have errors; nobody was added\n";
    is $errors, $refused, 'one line states that nobody was added';
    is callsigns(), $before, 'a list with faults adds no member';
    ($status, $output, $errors) = $service->admin_try('member', 'add', '--from', $file, '--dry-run', '--json');
    is_deeply [$status, $errors], [1, $refused], '--dry-run exits as the command would with faults';
    my %said = map { $_->{fault} ? ($_->{line} => $_->{fault}) : () } @{JSON::PP::decode_json($output)};
    is_deeply \%said, {map { $_ => $fault{$_}[1] } keys %fault}, '--dry-run --json reports the faults with their lines';
    QSOsync::Front::write_file($file, $good);
    open my $inherited, '<&', \*STDIN or die $!;
    open STDIN, '<', $file or die $!;
    is_deeply [$service->admin_try('member', 'add', '--from', '-')], [0, '', ''],
        'the corrected list is read from standard input';
    open STDIN, '<&', $inherited or die $!;
    my %added_at = map { $_->{createdAt} => 1 } grep { $_->{callsign} =~ /\A1AB/ } members_list();
    is_deeply [scalar(members_list()), scalar(keys %added_at)], [307, 1], 'all 300 members are added at one time';
    is +(add($good))[1] =~ tr/\n//, 300, 'adding the same list again is refused line by line';
    is $service->admin('check'), '', 'the logbook passes the check after adding a list';

    # Input that is not a list.
    for (["\n# nobody\n", qr/members\.txt lists no members/], ['', qr/members\.txt lists no members/],
        ['x' x 2_000_000, qr/members\.txt is longer than 1048576 bytes/]) {
        my ($text, $message) = @$_;
        is_deeply [(add($text))[0, 1]], [1, ''], 'a list without members is refused';
        like +(add($text))[2], qr/\Aqsosync-admin: [^\n]*$message\n\z/, 'one line gives the reason for refusing a list';
    }
    is +(split /\n/, (add(join '', map { "2C$_,JO59\n" } 1 .. 5100))[1])[0],
        'line 5001: a list must have at most 5000 members',
        'a list of too many members is refused';
    for (['A', '--from', $file], ['--from', $file, '--login', 'x'], ['A', '--locator', 'JO59', '--dry-run'],
        ['--dry-run'], ['--from', $file, '--locator', 'JO59']) {
        is +($service->admin_try('member', 'add', @$_))[0], 2, "'member add @$_' is wrong usage";
    }
    is +($service->admin_try('member', 'add', '--from', $service->directory))[2],
        'qsosync-admin: ' . $service->directory . ": cannot read the file: Is a directory\n",
        'a folder is refused as a list';
}

# The path of a logbook is only the name of a file. SQLite must not read it as a URI (with "?" and "%") or as a database
# in memory.
{
    my $folder = tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $folder or die;
    my $program = "$QSOsync::Front::BUILD/qsosync-admin";
    my $came_from = getcwd();

    sub run {
        my (@arguments) = @_;
        open my $output, '-|', 'sh', '-c', '"$@" 2>&1', 'sh', $program, @arguments or die "sh: $!";
        my $said = do { local $/; <$output> } // '';
        close $output;
        chomp $said;
        return $? == 0 ? $said : "exit status @{[$? >> 8]}: $said";
    }
    sub files {
        opendir my $place, '.' or die;
        return grep { !/\A\.\.?\z|-(?:gate|wal|shm|limits|logins|last-backup|restore-\d.*)\z/ } sort readdir $place;
    }
    sub ask {
        my ($db, $key, $method, $path, %option) = @_;
        return QSOsync::Cgi::answer($folder, { QSOSYNC_DB => $db, REQUEST_METHOD => $method,
            REQUEST_URI => "/api/v1$path",
            HTTP_AUTHORIZATION => "Bearer $key", CONTENT_TYPE => 'application/json' }, %option)->status;
    }

    my $number = 0;
    for my $name ('file:x?y', 'file:x.db?mode=memory', 'file:%41#b.db', ':memory:', 'file::memory:', "a b?c=d&'e\".db",
        '100%.db', '#1', '-x') {
        for my $where ('', "$folder/file:a b%20?c/") {
            my $place = "$folder/" . ++$number;
            my $db = $where eq '' ? $name : "$where$number/$name";
            $place = "$where$number" if $where ne '';
            mkdir $where;
            mkdir $place or die "$place: $!";
            chdir $place or die "$place: $!";
            is run('--db', $db, 'init'), '', "'$db': init creates a logbook";
            is join(' ', files()), $name, "'$db' is the literal name of the file";
            run('--db', $db, 'member', 'add', '21SD333', '--locator', 'JO59');
            my $key = run('--db', $db, 'key', 'add', '21SD333', '--name', 'x', '--scope', 'WRITE');
            is ask($db, $key, 'GET', '/me'), 200, "'$db': a worker serves it";
            is ask($db, $key, 'POST', '/logs/batch', body => JSON::PP::encode_json({ entries => [qso()] })), 200,
                "'$db': a worker writes to it";
            is run('--db', $db, 'backup', $name eq '-x' ? './-x.copy' : "$name.copy"), '', "'$db': a backup succeeds";
            like run('--db', $db, 'restore', "./$name.copy"), qr/\A\S.*kept as /s, "'$db': the backup is restored";
            like run('--db', $db, 'status', '--json'), qr/"qsos": ?1\b/, "'$db': the restored logbook has the QSO";
            is run('--db', $db, 'check'), '', "'$db' passes the check";
            is run('--db', $db, 'check', "./$name.copy"), '', "'$db': the backup passes the check";
            is scalar(grep { !/\A\Q$name\E(?:\.copy|\.before-restore-\d+|)\z/ } files()), 0,
                "'$db': no command creates a file of another name" or diag join ' ', files();
        }
    }
    chdir $came_from;
}

done_testing;
