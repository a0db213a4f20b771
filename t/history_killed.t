use QSOsync::Test fronts => 'none', suite => 'all';
use File::Copy qw(copy);
use QSOsync::Adif;
use QSOsync::Faults;

# Taking back that is killed at any of its writes has done whole slices; another run does the rest, and nothing twice.
# QSOSYNC_TEST_ROUNDS: at how many of its writes, spread over all of them.
my $missing = QSOsync::Faults::missing();
plan skip_all => $missing if $missing;
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 16;
my $faults = QSOsync::Faults->new;
my $service = QSOsync::Service->start;

# Of 300 QSOs an import changes all, and it adds 200; 20 are deleted since by somebody else, and 20 changed.
sub record { my ($i, @more) = @_; return adif_record(QSO_DATE => '20260517',
    TIME_ON => sprintf('%02d%02d', int($i / 60), $i % 60), CALL => "26X$i", BAND => '11m', @more) }
import_adif($service, '21SD333', adif_file($service, map { record($_) } 1 .. 300));
import_adif($service, '21SD333', adif_file($service, map { record($_, NOTES => 'wrong') } 1 .. 500));
my @some = ($service->download)[0 .. 39];
$service->delete_qso($_->{clientId}) for @some[0 .. 19];
$service->post_batch([map { +{ %$_, notes => 'mine' } } @some[20 .. 39]]);
my $act = $service->sqlite('SELECT number FROM acts WHERE work = 1 AND changed');
my $whole = $service->directory . '/whole.db';
$service->admin('backup', $whole);

my $broken = $service->directory . '/broken.db';
sub rows { my ($sql) = @_; my $rows = `sqlite3 '$broken' "$sql"`; chomp $rows; return $rows }
sub content { rows('SELECT id, hex(client_id), notes, callsign_worked, edit FROM qsos ORDER BY id') }
sub undone { rows('SELECT ifnull(sum(changed + deleted + revived), 0) FROM acts WHERE work = 2') }
sub undo {
    my ($environment) = @_;
    local %ENV = (%ENV, %{$environment || {}}, QSOSYNC_DB => $broken);
    return $service->admin_try('--db', $broken, 'undo', '21SD333', '--act', $act);
}
sub begin_anew { unlink glob "$broken*"; copy $whole, $broken or die "$broken: $!" }

begin_anew();
$faults->strike('write');
my ($status, $said) = undo($faults->environment);
my $writes = $faults->lift;
is $status, 0, 'undo runs to its end where nothing fails';
my ($expected, $count) = (content(), undone());
is $count, 460, 'it takes back what nobody changed since';
cmp_ok $writes, '>', 20, 'it writes often enough to be killed';

my ($midway, @wrong) = (0);
for my $round (1 .. $rounds) {
    my $at = 1 + int(($writes - 1) * ($round - 1) / ($rounds - 1 || 1));
    begin_anew();
    $faults->strike('write', at => $at);
    undo($faults->environment);
    $faults->lift;
    my ($check, $problems) = $service->admin_try('--db', $broken, 'check');
    my $first = undone();
    $midway++ if $first > 0 && $first < $count;
    my ($second) = undo();
    my @found = ($check, $second == 0 || $first == $count ? 0 : $second, content() eq $expected ? 'equal' : 'different',
        undone());
    push @wrong, "killed at write $at of $writes: @found $problems" if "@found" ne "0 0 equal $count";
}
is join("\n", @wrong), '', 'wherever it is killed, the logbook is whole and another run does the rest once';
cmp_ok $midway, '>', 0, 'some were killed between two slices';

# A full disk: what is saved is told.
begin_anew();
$faults->strike('write', at => int($writes / 2), error => 28, forever => 1);
my ($full, undef, $errors) = undo($faults->environment);
$faults->lift;
is $full, 1, 'a full disk ends it';
my $saved = undone();
my ($restored, $deleted) = $errors =~ /; (\d+) restored and (\d+) deleted are saved/;
is(($restored // 0) + ($deleted // 0), $saved, 'the report says what is saved');
undo();
is content(), $expected, 'the rest is done when there is space again';

done_testing;
