use QSOsync::Test fronts => 'nginx';
use Fcntl qw(F_UNLCK F_WRLCK SEEK_SET);

# After a restore, a client receives all deletions since the client's first download, even while other clients write.
# The same holds if stamps are ahead of the clock, as after a boot or after setting the clock back.
my $IN_FLIGHT = 64; # offset of in_flight_ms in FILE-gate, followed by safe_stamp_ms (src/database/writer_lock.c)
my $service = QSOsync::Service->start;
my $db = $service->db;
$service->post_batch([map { qso() } 1 .. 5]);
my ($first) = $service->download;
my $backup = $service->directory . '/backup.db';
$service->sqlite('UPDATE logbook SET last_stamp = last_stamp + 60000');
$service->admin('backup', $backup);
sub server_time { $service->get('/logs?limit=1')->json->{serverTime} }
sub changes { my ($since) = @_; $service->get("/logs?includeDeleted=true&updatedSince=$since")->json }
my $before = server_time();
$service->admin('restore', $backup);

# This lock simulates a write that does not end.
open my $gate, '+<', "$db-gate" or die $!;

sub set_lock {
    my ($type) = @_;
    my $lock = pack 's s x4 q q i x4', $type, SEEK_SET, 0, 1, 0;
    fcntl $gate, 37, $lock or die "cannot lock: $!"; # F_OFD_SETLK
}
sub begin_write { set_lock(F_WRLCK); put_on_page(int(time * 1000),
    $service->sqlite('SELECT last_stamp FROM logbook')) }
sub end_write { put_on_page(0); set_lock(F_UNLCK) }
sub put_on_page { sysseek $gate, $IN_FLIGHT, SEEK_SET; syswrite($gate, pack 'q*', @_) == 8 * @_ or die $! }
begin_write();
my $time = server_time();
ok changes($time)->{deletedComplete},
    'during a write, deletions since the first download after a restore are reported as complete';
ok !changes($before)->{deletedComplete}, 'deletions since a download before the restore are reported as incomplete';
end_write();
ok changes(server_time())->{deletedComplete}, 'deletions since a download are reported as complete after the write';
$service->delete_qso($first->{clientId});
is_deeply [map { $_->{clientId} } @{changes($time)->{deleted}}], [$first->{clientId}],
    'a client receives a deletion after its first download';
$service->post_batch([my $later = qso()]);
is_deeply [map { $_->{clientId} } @{changes($time)->{items}}], [$later->{clientId}],
    'a client receives a change after its first download';
$service->stop;

done_testing;
