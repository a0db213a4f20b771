use QSOsync::Test fronts => 'none';

# qsosync-admin member add --from adds all members in a list, or no member.
my $service = QSOsync::Service->start(wants_member => 0);
my $file = $service->directory . '/members.txt';
sub members_list { @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))} }
sub callsigns { join ' ', map { $_->{callsign} } members_list() }
sub add { QSOsync::Front::write_file($file, $_[0]); return $service->admin_try('member', 'add', '--from', $file) }

# Clubs write lists by hand or save lists from spreadsheets.
my $forms = "\xef\xbb\xbf# the club, 2026\n21sd333, jo59JW\r\n\"26AT101\";\"IO91\"\r\n\r\n  # guests\n"
    . "35 AT 9\tJO31\t\t\n14-FR-1 JN18\n21 SD 12   JO58aa\n\"108 SD 1\" , JO22,,\n163X1,JO33";
QSOsync::Front::write_file($file, $forms);
my $shown = $service->admin('member', 'add', '--from', $file, '--dry-run');
like $shown, qr/\ALINE +CALLSIGN +LOCATOR +LOGIN +FAULT\n2 +21SD333 +JO59jw +21sd333 +-\n3 +26AT101 /,
    '--dry-run shows the callsign, locator and login name that would be stored';
is callsigns(), '', '--dry-run adds no member';
my @entries = @{JSON::PP::decode_json($service->admin('member', 'add', '--from', $file, '--dry-run', '--json'))};
is join(' ', map { $_->{line} } @entries), '2 3 6 7 8 9 10', 'lines are numbered as in an editor';
my ($status, $output, $errors) = add($forms);
is "$status$output$errors", '0', 'adding a valid list prints nothing to a program';
is_deeply [map { [@$_{qw(callsign locator login active)}] } members_list()],
    [map { [@$_, JSON::PP::true()] } ['108 SD 1', 'JO22', '108 sd 1'], ['14-FR-1', 'JN18', '14-fr-1'],
    ['163X1', 'JO33', '163x1'], ['21 SD 12', 'JO58aa', '21 sd 12'], ['21SD333', 'JO59jw', '21sd333'],
    ['26AT101', 'IO91', '26at101'], ['35 AT 9', 'JO31', '35 at 9']],
    'commas, semicolons, tabs or spaces separate callsign and locator, which can be in quotes';
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

# Ten of the 300 lines each have one fault.
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
my $refused = "qsosync-admin: nobody was added; correct the lines with errors (10 of 300)\n";
is $errors, $refused, 'one line states that nobody was added';
is callsigns(), $before, 'a list with faults adds no member';
($status, $output, $errors) = $service->admin_try('member', 'add', '--from', $file, '--dry-run', '--json');
is_deeply [$status, $errors], [1, $refused],
    '--dry-run of a list with faults has the exit status and error of the command';
my %said = map { $_->{fault} ? ($_->{line} => $_->{fault}) : () } @{JSON::PP::decode_json($output)};
is_deeply \%said, {map { $_ => $fault{$_}[1] } keys %fault}, '--dry-run --json reports the faults with their lines';
QSOsync::Front::write_file($file, $good);
open my $inherited, '<&', \*STDIN or die $!;
open STDIN, '<', $file or die $!;
is_deeply [$service->admin_try('member', 'add', '--from', '-')], [0, '', ''],
    'the corrected list is read from standard input';
open STDIN, '<&', $inherited or die $!;
my %added_at = map { $_->{createdAt} => 1 } grep { $_->{callsign} =~ /\A1AB/ } members_list();
is_deeply [scalar(members_list()), scalar(keys %added_at)], [307, 1], 'all 300 members have the same time of addition';
is +(add($good))[1] =~ tr/\n//, 300, 'adding the same list again reports each line as a fault';
is $service->admin('check'), '', 'the logbook passes the check after adding a list';

for (["\n# nobody\n", qr/members\.txt lists no members/], ['', qr/members\.txt lists no members/],
    ['x' x 2_000_000, qr/members\.txt is longer than 1048576 bytes/]) {
    my ($text, $message) = @$_;
    is_deeply [(add($text))[0, 1]], [1, ''], 'input that is not a list of members is refused';
    like +(add($text))[2], qr/\Aqsosync-admin: [^\n]*$message\n\z/, 'one line gives the reason for refusing a list';
}
is +(split /\n/, (add(join '', map { "2C$_,JO59\n" } 1 .. 5100))[1])[0],
    'line 5001: a list must have at most 5000 members',
    'a list with too many members is refused';
for (['A', '--from', $file], ['--from', $file, '--login', 'x'], ['A', '--locator', 'JO59', '--dry-run'],
    ['--dry-run'], ['--from', $file, '--locator', 'JO59']) {
    is +($service->admin_try('member', 'add', @$_))[0], 2, "'member add @$_' is wrong usage";
}
is +($service->admin_try('member', 'add', '--from', $service->directory))[2],
    'qsosync-admin: ' . $service->directory . ": cannot read the file: Is a directory\n",
    'a folder is refused as a list';

done_testing;
