use QSOsync::Test fronts => 'nginx';
use Digest::MD5 qw(md5_hex);
use File::Temp ();
use POSIX ();
use QSOsync::Profile;

# What is counted of a large log is kept until the log changes, and a very large one is not counted from its beginning
# again: through writes of all kinds, each answer is what a count of its own would be.
drawn_seed();
my $service = QSOsync::Service->start(site => 2);
my $folder = File::Temp->newdir;
fill_log($service, 10_500);
my $key = $service->admin('key', 'add', '1AT1', '--name', 'other', '--scope', 'WRITE');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my @paths = qw(statistics awards map worked);

# But for the day of the last use of a key, which is never kept.
sub view { return { map { $_ => md5_hex($me->get($_)->body =~ s/"lastSyncOn":[^,}]*//r) } @paths } }
sub forget { $service->sqlite('DELETE FROM kept_answers; DELETE FROM kept_counts') }
# How many kept answers are of the log as it is.
sub kept {
    return $service->sqlite('SELECT count(*) FROM kept_answers, logbook, members WHERE members.id = member_id
        AND members.id = 1 AND kept_answers.log_epoch = logbook.log_epoch
        AND kept_answers.log_revision = members.log_revision AND kept_answers.locator = members.locator');
}
# Up to which stamp the log was counted, where that was kept.
sub end_of_counts { return $service->sqlite('SELECT until FROM kept_counts WHERE member_id = 1') }
sub last_stamp { return $service->sqlite('SELECT last_stamp FROM logbook') }
sub compare {
    my ($when) = @_;
    my $counted = view();
    is until_true(sub { view(); kept() == @paths }), 1, "$when: the answers are kept";
    my ($stamp, $day) = (last_stamp(), int(time / 86_400)); # a new day is noted with the session
    is_deeply view(), $counted, "$when: what was kept is what was counted";
    is last_stamp(), $stamp, "$when: nothing is written for a log that has not changed"
        if $day == int(time / 86_400);
    forget();
    is_deeply view(), $counted, "$when: it is what is counted without anything kept";
    return $counted;
}

# -- writes of all kinds ----------------------------------------------------------------------------

my $at = 1_300_000_000;
sub mine { return split /\n/, $service->sqlite("SELECT lower(hex(client_id)) FROM qsos WHERE member_id = 1
    AND client_id IS NOT NULL ORDER BY random() LIMIT $_[0]") }
sub dashed { return $_[0] =~ s/\A(.{8})(.{4})(.{4})(.{4})/$1-$2-$3-$4-/r }
sub random_qso {
    return qso(callsignWorked => (1 + int rand 300) . 'SD' . (100 + int rand 900),
        qsoAt => iso_time($at += int rand 900_000), dxLocator => 'JO' . (10 + int rand 90) . 'ab', mode => 'USB', @_);
}
sub post {
    my ($qsos, %option) = @_;
    is_deeply [grep { $_->{error} } @{$service->post_batch($qsos, %option)->json->{results}}], [], 'they are saved';
}
sub import_file {
    my $path = "$folder/some.adi";
    open my $file, '>', $path or die "$path: $!";
    print {$file} "<EOH>\n";
    printf {$file} "<CALL:7>%03dXX%02d<QSO_DATE:8>2019%02d11<TIME_ON:4>%02d%02d<BAND:3>11m<MODE:3>SSB"
        . "<GRIDSQUARE:4>IN%02d<EOR>\n",
        1 + int rand 300, int rand 90, 1 + int rand 12, map { int rand $_ } 24, 60, 90 for 1 .. 20;
    close $file or die;
    $service->admin('import', '21SD333', $path);
}
sub confirm {
    my ($callsign, $time) = split /\|/, $service->sqlite("SELECT callsign_worked, qso_at FROM qsos
        WHERE member_id = 1 AND callsign_worked = '1AT1' AND confirmed_by IS NULL LIMIT 1");
    post([qso(callsignWorked => '21SD333', qsoAt => iso_time($time / 1000), mode => 'USB')], key => $key);
}
my $backup = "$folder/backup.db";
my %write = (
    'new QSOs' => sub { post([map { random_qso() } 1 .. 1 + int rand 40]) },
    'changed QSOs' => sub { post([map { random_qso(clientId => dashed($_)) } mine(5)]) },
    'changed QSOs that are new' => sub {
        my @new = map { random_qso() } 1 .. 5;
        post(\@new);
        view();
        post([map { random_qso(clientId => $_->{clientId}) } @new]);
    },
    'deleted QSOs' => sub { $service->delete_qso(dashed($_)) for mine(3) },
    'confirmed by another member' => sub {
        post([random_qso(callsignWorked => '1AT1', mode => 'USB')]);
        confirm();
    },
    'a file' => \&import_file,
    'taken back' => sub {
        post([random_qso()]);
        my ($act) = @{$me->get('history')->json->{items}};
        is $me->post('undo', { act => $act->{number} })->status, 200, 'the last act is taken back';
    },
    'another place' => sub {
        $service->admin('member', 'set', '21SD333', '--locator', 'JO' . (10 + int rand 80) . 'cd');
    },
    'a restored backup' => sub {
        unlink $backup;
        $service->admin('backup', $backup);
        post([random_qso()]);
        view();
        $service->admin('restore', $backup);
    },
    'a restored log' => sub {
        unlink $backup;
        $service->admin('backup', $backup);
        $service->delete_qso(dashed($_)) for mine(2);
        view();
        $service->admin('restore', $backup, '--member', '21SD333');
    },
    'another callsign of the other one' => sub {
        $service->admin('member', 'rename', '1AT1', '1AT2');
        view();
        $service->admin('member', 'rename', '1AT2', '1AT1');
    },
);
post([random_qso(callsignWorked => '1AT1')]);
post([random_qso()], key => $key);
until_true(sub { $service->sqlite('SELECT count(*) FROM api_keys WHERE last_used_day NOT NULL') == 2 })
    or die 'the use of the keys is not noted';
my $before = compare('at first');
for my $kind (sort { rand() <=> 0.5 } sort keys %write) {
    $write{$kind}->();
    my $now = compare($kind);
    isnt $now->{statistics}, $before->{statistics}, "$kind: the numbers are others" if $kind =~ /new|deleted|file/;
    isnt $now->{map}, $before->{map}, "$kind: the map is another one" if $kind =~ /place/;
    $before = $now;
}

# Whichever of them comes first on a walk.
my @far = map { random_qso(callsignWorked => "41AT$_", qsoAt => '2026-05-17T19:42:00.000Z', dxLocator => 'RE78') } 1, 2;
post(\@far);
my $farthest = sub { $me->get('statistics')->json->{farthest}{callsign} };
is $farthest->(), '41AT2', 'of the farthest stations at one time the one that was saved last is shown';
post([{ %{$far[0]}, notes => 'changed' }]);
is $farthest->(), '41AT2', 'the one that was saved last is shown also when the other one was changed since';

# What was counted serves until one of its QSOs changes.
sub ends_at { return until_true(sub { view(); kept() == @paths && end_of_counts() }) }
my $end = ends_at();
my @new = map { random_qso() } 1 .. 5;
post(\@new);
is ends_at(), $end, 'after new QSOs counting goes on from where it was';
post([map { { %$_, callsignWorked => '99SD1' } } @new]);
is ends_at(), $end, 'so it does after changes of QSOs that were not among them';
my $changed = view();
my @lost = split /\n/, $service->sqlite("SELECT lower(hex(client_id)) FROM qsos WHERE member_id = 1
    AND client_id IS NOT NULL AND synced_at < $end LIMIT 3");
post([map { random_qso(clientId => dashed($_)) } @lost]);
cmp_ok ends_at(), '>', $end, 'after a change of one of them they are counted again';
isnt view()->{statistics}, $changed->{statistics}, 'the numbers are others then';
$end = ends_at();
compare('after all that');
for my $damage ('content = substr(content, 9)', 'content = zeroblob(length(content))', "content = x''",
    'until = until - 1', 'until = until + 1', 'qsos = qsos + 1', 'checksum = checksum + 1', "made_by = ''")
{
    ends_at();
    my $counted = view();
    $service->sqlite("DELETE FROM kept_answers; UPDATE kept_counts SET $damage");
    is_deeply view(), $counted, "from counts with $damage no counting goes on";
}

# -- what is wrong with a row -----------------------------------------------------------------------

for my $damage ("content = substr(content, 2)", "content = ''", "content = replace(content, '1', '2')",
    'checksum = checksum + 1', "made_by = 'another program'", "locator = 'JO00'", 'log_epoch = 0')
{
    my $counted = view();
    is until_true(sub { view(); kept() == @paths }), 1, 'the answers are kept';
    $service->sqlite("UPDATE kept_answers SET $damage");
    is_deeply view(), $counted, "a row with $damage is no answer";
}

# -- writers at work --------------------------------------------------------------------------------

# Several at once.
forget();
my @others = map {
    my $pid = open(my $answer, '-|') // die "fork: $!";
    if (!$pid) {
        my $seen = view();
        print join ' ', map { $seen->{$_} } @paths;
        close STDOUT;
        POSIX::_exit(0);
    }
    $answer;
} 1 .. 4;
my @seen = map { scalar readline $_ } @others;
close $_ for @others;
my $alone = view();
is_deeply \@seen, [(join ' ', map { $alone->{$_} } @paths) x 4], 'views at one time show the same';

forget();
open my $shell, '|-', "sqlite3 '@{[$service->db]}' >'$folder/held'" or die "sqlite3: $!";
$shell->autoflush;
print {$shell} "BEGIN IMMEDIATE;\nSELECT 'held';\n";
ok until_true(sub { -s "$folder/held" }), 'somebody writes';
my $counted = view();
is_deeply view(), $counted, 'while another program writes, views are answered';
print {$shell} "ROLLBACK;\n";
close $shell or die 'sqlite3';
is_deeply view(), $counted, 'views show the same when nobody else writes any more';
is until_true(sub { view(); kept() == @paths }), 1, 'when the writer is gone the answers are kept';

$me->get("statistics?$_")->status == 200 or die for 'band=PMR446', 'callsign=1';
is kept(), @paths + 0, 'what a filter wants is not kept';

# -- the end ----------------------------------------------------------------------------------------

$service->delete_qso(dashed($_)) for mine(1);
is $service->sqlite('SELECT (SELECT count(*) FROM kept_answers) + (SELECT count(*) FROM kept_counts)'), 0,
    'with a QSO that is deleted nothing is kept that may name it';
view();
is until_true(sub { view(); kept() == @paths }), 1, 'they are kept again';
is +($service->admin_try('check'))[0], 0, 'check finds nothing wrong with them';
$service->admin('member', 'delete', '21SD333', '--yes');
is $service->sqlite('SELECT (SELECT count(*) FROM kept_answers) + (SELECT count(*) FROM kept_counts)'), 0,
    'a member who is deleted has none';

done_testing;
