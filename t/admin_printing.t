use QSOsync::Test fronts => 'none';
use JSON::PP ();
use Encode ();

# Commands print texts that other people chose: names of keys, clubs and devices, callsigns, reasons. Whatever a text
# contains, commands print only visible characters and one line per row. JSON contains the text unchanged, in escaped
# form.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
$service->post_batch([qso(sendSpot => JSON::PP::true())], key => $_) for $service->write_key, $other->{write_key};
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
$service->admin('station', 'grant', '14/AT0', '26AT101');
$service->admin('upload-token', 'add', '21SD333', '--name', 'token');
$service->admin('club', 'set', '--name', 'Club');
my $today = int(time / 86400);
$service->sqlite("INSERT INTO peers (name, address, club, added_at, paired_at, code, fingerprint, ask_key, failure,
        skipped, skipped_callsign)
    VALUES ('a.example', 'https://a.example', 'A', 1, 1, randomblob(32), randomblob(32), 'k', 'fails', 1, '13HN1');
    INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at, may_set_password)
    VALUES (1, randomblob(32), 'Firefox', 1, $today, 0, 0)");

# Puts a line end, an escape sequence for red, U+009B and U+202E into every text column, except columns whose values the
# programs interpret.
my $poison = "'a' || char(10) || 'Zb' || char(27) || '[31m' || char(155) || '31m' || char(8238)";
my $evil = Encode::encode('UTF-8', "a\nZb\e[31m\x{9b}31m\x{202e}");
my %kept = map { $_ => 1 } qw(members.locator members.login api_keys.scope qsos.ctcss_tone qsos.dcs_code qsos.dx_locator
    qsos.my_locator spots.my_locator spots.dx_locator club.accent club.numbers club.pictures peers.epoch peers.cursor
    peers.address club.address club.clusters reviews.callsign_key);
my @columns = grep { !$kept{$_} } split /\n/, $service->sqlite("SELECT m.name || '.' || c.name FROM sqlite_schema AS m
    JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND c.type = 'TEXT'");
cmp_ok scalar(@columns), '>', 25, 'control characters are stored in many text columns';
for (@columns) {
    my ($table, $column) = split /\./;
    my $where = $_ eq 'members.callsign' ? "callsign = '26AT101'" : "$column IS NOT NULL";
    $service->sqlite("PRAGMA ignore_check_constraints = 1; UPDATE $table SET $column = $poison WHERE $where");
}

sub is_seen {
    my ($output, $name) = @_;
    my $text = Encode::decode('UTF-8', $output, Encode::FB_DEFAULT());
    my @bad = map { sprintf 'U+%04X', ord } $text =~ /([\x00-\x09\x0b-\x1f\x7f-\x9f\x{202a}-\x{202e}])/g;
    is "@bad", '', "$name prints only visible characters" or diag $output;
}
my %argument = map { $_ => '21SD333' } 'member devices', 'upload-token list', 'history';
my @reading = grep { $_->[0] =~ /\b(?:list|devices|show|log|spots|history|status|metrics|doctor|check)\z/
        && $_->[1] !~ /--service/ }
    map { [split /\t/] } grep { !/^#/ }
    split /\n/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/schema/commands.tsv");
cmp_ok scalar(@reading), '>', 12, 'the list has many commands that print texts';
for my $command (@reading) {
    my ($words, $usage) = @$command;
    my @line = (split(/ /, $words), $argument{$words} // ());
    my ($status, $output, $said) = $service->admin_try(@line);
    cmp_ok $status, '<=', $words =~ /doctor|check/ ? 3 : 0, "$words succeeds" or diag $said;
    is_seen($output . $said, $words);
    unlike $output, qr/^Zb/m, "$words: no stored text starts a line";
    next if $usage !~ /--json/;
    my $json = ($service->admin_try(@line, '--json'))[1];
    is_seen($json, "$words --json");
    my $read = JSON::PP->new->utf8->decode($json);
    next if $words =~ /doctor|spots/;
    ok scalar(grep { $_ eq $evil } map { Encode::encode('UTF-8', $_) } texts($read)),
        "$words --json prints the stored text";
}
sub texts {
    my ($value) = @_;
    return ref $value eq 'ARRAY' ? map { texts($_) } @$value
        : ref $value eq 'HASH' ? map { texts($_) } values %$value : $value // ();
}

# A file and another club's backup contain texts from outside the logbook.
my $file = $service->directory . '/log.adi';
QSOsync::Front::write_file($file, "<EOH><CALL:5>26\e[m1<QSO_DATE:8>20260517<TIME_ON:6>201500<FREQ:6>27.555<MODE:3>S\e["
    . "<X_\x{c2}\x{9b}:1>1<MY\e[:1>1<EOR>\n<CALL:2>A\e<QSO_DATE:8>2026\e[17<EOR>\n");
my ($status, $report, $refused) = $service->admin_try('import', '21SD333', $file);
is $status, 1, 'an import of a file with invalid records ends with exit status 1';
is_seen($report . $refused, 'import');
is_seen(($service->admin_try('import', '21SD333', $file, '--json'))[1], 'import --json');

my $foreign = QSOsync::Service->start;
$foreign->sqlite("UPDATE club SET name = $poison; UPDATE members SET callsign = $poison");
$foreign->admin('backup', my $backup = $foreign->directory . '/foreign.db');
is_seen(join('', $service->admin_try('restore', $backup, @$_)), "restore @$_") for [], ['--other-logbook'];
$_->stop for $service, $foreign;

done_testing;
