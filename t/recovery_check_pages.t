use QSOsync::Test fronts => 'none', slow => 15;
use File::Copy qw(copy);

# A disk fault changes pages. qsosync-admin check finds each fault that SQLite's own integrity_check finds.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
$service->post_batch([map { qso(callsignWorked => "26AT$_", operatorCallsign => '21SD333/P', notes => 'x' x 60) }
    100 .. 299]);
$service->post_batch([map { qso(callsignWorked => '21SD333') } 1 .. 5], key => $other->{write_key});
my $whole = $service->directory . '/whole.db';
my $damaged = $service->directory . '/damaged.db';
$service->admin('backup', $whole);
my $content = QSOsync::Front::read_file($whole);
my %leaves;
my $leaves = "SELECT name, pageno FROM dbstat WHERE pagetype = 'leaf' AND ncell > 1 AND name GLOB 'qsos*'";
for (split /\n/, `sqlite3 '$whole' "$leaves"`) {
    my ($name, $page) = split /\|/;
    push @{$leaves{$name}}, $page;
}

# One seed decides all random choices. A page lists the offsets of its cells after a header of eight bytes.
srand 1113;
sub cells { unpack 'n*', substr $_[0], 8, 2 * unpack('x3 n', $_[0]) }
my %damages = (
    'two cells change places' => sub {
        my ($page) = @_;
        my @cells = cells($page);
        my $first = int rand $#cells;
        @cells[$first, $first + 1] = @cells[$first + 1, $first];
        substr $page, 8, 2 * @cells, pack 'n*', @cells;
        return $page;
    },
    'a cell replaces another cell' => sub {
        my ($page) = @_;
        my @cells = cells($page);
        $cells[rand @cells] = $cells[rand @cells];
        substr $page, 8, 2 * @cells, pack 'n*', @cells;
        return $page;
    },
    'a cell is not counted' => sub {
        my ($page) = @_;
        my @cells = cells($page);
        substr $page, 3, 2, pack 'n', $#cells;
        return $page;
    },
    'a bit of a cell changes' => sub {
        my ($page) = @_;
        my @cells = cells($page);
        my $at = $cells[rand @cells] + int rand 10;
        substr $page, $at, 1, substr($page, $at, 1) ^ chr(1 << int rand 8);
        return $page;
    },
    'a cell is outside the page' => sub {
        my ($page) = @_;
        my @cells = cells($page);
        substr $page, 8 + 2 * int(rand @cells), 2, pack 'n', 4090 + int rand 100;
        return $page;
    });

my (%found, %missed);

# Replaces a page in a copy. If SQLite finds a fault that qsosync-admin check misses or restore accepts, adds the fault
# to %missed.
sub judge {
    my ($damage, $number, $page) = @_;
    copy $whole, $damaged or die "$damaged: $!";
    QSOsync::Front::overwrite($damaged, $page, 4096 * ($number - 1));
    return if `sqlite3 '$damaged' 'PRAGMA integrity_check' 2>&1` eq "ok\n";
    my ($status, $output) = $service->admin_try('--db', $damaged, 'check');
    $found{$damage}++;
    push @{$missed{$damage}}, "page $number: $status, $output" unless $status == 1;
    push @{$missed{$damage}}, "page $number: the copy was restored"
        if $found{$damage} < 6 && ($service->admin_try('restore', $damaged))[0] != 1;
    return unlink glob "$damaged*";
}

for my $damage (sort keys %damages) {
    for my $name (sort grep { !/confirmed_by/ } keys %leaves) {
        for (1 .. 2) {
            my $number = $leaves{$name}[rand @{$leaves{$name}}];
            my $page = $damages{$damage}->(substr $content, 4096 * ($number - 1), 4096);
            judge($damage, $number, $page);
        }
    }
}

# Changes a byte near the beginning or the end of a page, mostly in pages of QSOs.
my @of_qsos = map { @$_ } values %leaves;
for (1 .. 100) {
    my $number = rand() < 0.7 ? $of_qsos[rand @of_qsos] : 2 + int rand(length($content) / 4096 - 1);
    my $page = substr $content, 4096 * ($number - 1), 4096;
    my $at = (rand() < 0.4 ? 0 : 3800) + int rand 296;
    substr $page, $at, 1, chr(int rand 256);
    judge('a byte changes', $number, $page);
}
for (sort keys %damages, 'a byte changes') {
    cmp_ok $found{$_} // 0, '>', 3, "SQLite finds several faults of this kind: $_";
    is join("\n", @{$missed{$_} // []}), '', "check finds each fault that SQLite finds, and restore refuses it: $_";
}
is $service->admin('--db', $whole, 'check'), '', 'an undamaged copy passes the check';

# The header of a database file contains two format versions. SQLite does not open a file with an unknown version.
for my $place (18, 19) {
    copy $whole, $damaged or die "$damaged: $!";
    QSOsync::Front::overwrite($damaged, "\x02\x02", 18);
    is $service->admin('--db', $damaged, 'check'), '', 'a file in write-ahead-log mode passes the check';
    QSOsync::Front::overwrite($damaged, "\x42", $place);
    isnt +($service->admin_try('--db', $damaged, 'check'))[0], 0, "check finds a damaged version at byte $place";
    is +($service->admin_try('restore', $damaged))[0], 1, "restore refuses a damaged version at byte $place";
}

# A restore gives the logbook exactly the rows of the backup.
$service->post_batch([qso(notes => 'since the backup')]);
$service->admin('restore', $whole);
my $rows = q{SELECT quote(id) || quote(member_id) || hex(client_id) || quote(notes) || quote(slot)
    || quote(worked_key)
    FROM qsos ORDER BY id};
is $service->sqlite($rows), `sqlite3 '$whole' "$rows"` =~ s/\n\z//r,
    "a restored logbook has the backup's rows";
is $service->admin('check'), '', 'a restored logbook passes the check';

done_testing;
