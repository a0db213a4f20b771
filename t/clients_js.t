use QSOsync::Test fronts => 'nginx', slow => 32, suite => 'all';
use QSOsync::Kit;
use QSOsync::Proxy;
use File::Copy qw(copy);
use File::Temp;

# qsosync.js: a read-only copy of the log in a page; run by node.
plan skip_all => 'node is not installed' if system('node --version >/dev/null 2>&1') != 0;
my $json = JSON::PP->new->utf8->canonical;
my $service = QSOsync::Service->start;
my $folder = $service->directory;
copy(QSOsync::Kit::client('qsosync.js'), "$folder/qsosync.mjs") or die $!; # tells node that these are modules
QSOsync::Front::write_file("$folder/page.mjs", <<'END');
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { listQsos, openLog, synchronise } from "./qsosync.mjs";
const key = readFileSync(process.env.QSOSYNC_KEY_FILE, "utf8").trim();
try {
  const log = await openLog(process.env.QSOSYNC_URL, key);
  const stored = existsSync(process.argv[2]) ? JSON.parse(readFileSync(process.argv[2], "utf8")) : null;
  const copy = await synchronise(log, stored);
  writeFileSync(process.argv[2], JSON.stringify(copy));
  console.log(listQsos(copy).map((qso) => qso.qsoAt).join(" "));
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}
END

sub page {
    my (%option) = @_;
    return QSOsync::Kit::run("$folder/page.log", QSOsync::Kit::environment($service, key => $service->read_key,
        %option), 'node',
        "$folder/page.mjs", "$folder/copy.json");
}
sub stored { $json->decode(QSOsync::Front::read_file("$folder/copy.json")) }
sub is_in_step {
    my ($rule, %option) = @_;
    my ($status, $output) = page(%option);
    is $status, 0, $rule or diag $output;
    is_deeply stored()->{items}, { map { $_->{clientId} => $_ } $service->download }, "$rule: the copy equals the log";
    return $output;
}

my @stored = map { full_qso(notes => "Nr $_", qsoAt => sprintf '2026-05-17T%02d:%02d:00.000Z', $_ / 60, $_ % 60) }
    1 .. 510;
$service->post_batch([splice @{[@stored]}, $_ * 200, 200]) for 0 .. 2;
my $list = is_in_step 'the first download takes all pages';
is $list, join(' ', map { $_->{qsoAt} } reverse @stored) . "\n", 'the newest QSO is listed first';
$service->post_batch([{ %{$stored[3]}, notes => 'changed' }, full_pmr_qso()]);
$service->delete_qso($stored[5]{clientId});
is_in_step 'changes and deletions are downloaded';
QSOsync::Kit::test_deletions($service, sub {
    is_in_step($_[0], url => $_[1]);
}, map { $_->{clientId} } @stored[500 .. 509]);
my %fate = (1 => 'limited', 2 => 'cut', 4 => 'limited', 5 => 'broken', 7 => 'lost');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
$service->post_batch([qso()]);
is_in_step 'limits, errors and broken connections are survived', url => $proxy->url;
my @journal = $proxy->journal;
for my $place (grep { $journal[$_]{fate} eq 'limited' } 0 .. $#journal) {
    cmp_ok $journal[$place + 1]{time} - $journal[$place]{time}, '>=', 0.99, 'the page obeys Retry-After';
}
is join(' ', grep { $_ ne 'GET' } map { $_->{method} } @journal), '', 'the read-only copy sends no write';
my $before = QSOsync::Front::read_file("$folder/copy.json");
$proxy = QSOsync::FaultyProxy->start($service, sub { $_[0] > 1 ? 'broken' : 'pass' });
is + (page(url => $proxy->url))[0], 1, 'a failing service is reported as an error';
is QSOsync::Front::read_file("$folder/copy.json"), $before, 'a failing service leaves the copy unchanged';
like +(page(key => $service->write_key))[1], qr/must hold a READ key only/, 'the read-only copy refuses a WRITE key';
like +(page(key => 'qsosync_wrong'))[1], qr/401 API_KEYS\.INVALID/, 'a wrong key is reported as an error';

my $backup = "$folder/backup.db";
$service->admin('backup', $backup);
$service->post_batch([my $after = full_qso(), { %{$stored[20]}, notes => 'changed after the backup' }]);
is_in_step 'before the restore the copy is up to date';
$service->admin('restore', $backup);
is_in_step 'after a restore the whole log is downloaded';
is join(' ', sort keys %{stored()->{lost}}), join(' ', sort $after->{clientId}, $stored[20]{clientId}),
    'QSOs that a restore lost are kept';
$service->post_batch([$after, $stored[20]]);
is_in_step 'a lost QSO sent again by another program is downloaded';
is_deeply stored()->{lost}, {}, 'a QSO sent again is no longer listed as lost';
$service->stop;

# The clients that the paper for programmers builds, block by block, as a reader would type them: in both directions,
# through failing connections and restored backups, without losing a QSO.
{
    my $paper = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/manual/papers/programs.txt");
    sub program_of {
        my ($title) = @_;
        my ($section) = $paper =~ /^## \Q$title\E\n(.*?)^## /ms or die "no section: $title";
        return join "\n", map { s/^ {4}//gmr } grep { /\A {4}(?!python3)/ } split /\n\n/, $section;
    }
    sub try_client {
        my ($title, $file, $run) = @_;
        my $program = program_of($title);
        cmp_ok scalar(split /\n/, $program), '<=', 85, 'the example program fits on a page';
        my $service = QSOsync::Service->start;
        my $folder = File::Temp->newdir;
        QSOsync::Front::write_file("$folder/$file", $program);
        local $ENV{QSOSYNC_URL} = $service->base_url;
        local $ENV{QSOSYNC_KEY} = $service->write_key;
        # The exit status, and the log by callsign: the clientId, and whether the QSO waits.
        my $client = sub {
            my (@words) = @_;
            my $said = `cd '$folder' && $run $file @words 2>&1`;
            my %log = map { /\A(\S+) \S+Z (\S+) ?(.*)\z/ ? ($2 => [$1, $3]) : () } split /\n/, $said;
            return { status => $? >> 8, said => $said, log => \%log };
        };
        my $calls = sub { return [sort keys %{$_[0]{log}}] };
        my $of_service = sub { return [sort map { $_->{callsignWorked} } $service->download] };

        # Both directions.
        $client->('add', "14AT$_", '27.555', 'USB') for 1 .. 3;
        is_deeply $of_service->(), [], 'a logged QSO waits on the device';
        my $after = $client->('sync');
        is_deeply [$after->{status}, $of_service->()], [0, ['14AT1', '14AT2', '14AT3']],
            'a synchronisation sends the waiting QSO';
        is_deeply [grep { $_->[1] } values %{$after->{log}}], [],
            'after a synchronisation the queue is empty' or diag $after->{said};
        for my $hundred (0 .. 10) {
            $service->post_batch([map { qso(callsignWorked => "26AT" . ($hundred * 100 + $_)) } 1 .. 100]);
        }
        my ($changed) = grep { $_->{callsignWorked} eq '14AT1' } $service->download;
        $service->post_batch([{ %$changed, callsignWorked => '14AT100' }]);
        $service->delete_qso($after->{log}{'14AT2'}[0]);
        is_deeply $calls->($client->('sync')), $of_service->(),
            "other programs' changes are downloaded over several pages";
        $client->('delete', $after->{log}{'14AT3'}[0]);
        $client->('sync');
        is_deeply [grep { /\A14/ } @{$of_service->()}], ['14AT100'], 'a deletion on the device is sent';
        $client->('add', '14AT4', '99.999', 'USB');
        my $refused = $client->('sync');
        is_deeply [$refused->{status}, $refused->{log}{'14AT4'}], [0, undef],
            'a permanently rejected QSO is kept apart';
        like QSOsync::Front::read_file("$folder/log.json"), qr/FREQUENCY_OUT_OF_BAND_11M/,
            'the reason of a rejection is kept';

        # A restored backup.
        $service->admin('backup', $service->directory . '/before.db');
        $client->('add', '14AT5', '27.555', 'USB');
        $client->('sync');
        $service->restart_workers(sub { $service->admin('restore', $service->directory . '/before.db') });
        is scalar(grep { /\A14AT5\z/ } @{$of_service->()}), 0, 'the restored log lacks a QSO';
        my $healed = $client->('sync');
        is_deeply $calls->($healed), $of_service->(), 'after a restore client and service have the same log';
        is scalar(grep { /\A14AT5\z/ } @{$of_service->()}), 1, 'the service has the QSO that the restore lost';

        # A key that is revoked, and a connection that breaks.
        $client->('add', '14AT6', '27.555', 'USB');
        {
            local $ENV{QSOSYNC_KEY} = 'qsosync_wrong';
            my $ended = $client->('sync');
            is_deeply [$ended->{status}, $ended->{said} =~ /401/ ? 1 : 0], [1, 1], 'a wrong key is reported';
            local $ENV{QSOSYNC_URL} = 'http://127.0.0.1:' . QSOsync::Service::free_port() . '/api/v1';
            isnt $client->('sync')->{status}, 0, 'a synchronisation without a network fails';
        }
        is $client->('list')->{log}{'14AT6'}[1], 'waits', 'a logged QSO waits without a network';
        is $client->('sync')->{log}{'14AT6'}[1], '', 'a waiting QSO is sent when the network is back';
    }

    subtest Python => sub { try_client('A whole client', 'log.py', 'python3') };
    subtest JavaScript => sub { try_client('The same in JavaScript', 'log.mjs', 'node') };
}

done_testing;
