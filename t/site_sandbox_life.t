use QSOsync::Test fronts => 'none';

# After a day, nothing is left of a sandbox. The club's log keeps everything.
plan skip_all => 'a sanitizer must be loaded first' if QSOsync::Front::is_sanitized();
my $library = QSOsync::Front::build_preload(File::Temp->newdir(CLEANUP => 0), 't/powercut/boot.c');
my ($hour, $day) = (3600, 86_400);
my $service = QSOsync::Service->start(site => 1, environment => { LD_PRELOAD => $library, BOOT_CLOCK_MS => 0 });

# Sets the clock of the API's workers this many seconds ahead.
sub move {
    $service->{environment}{BOOT_CLOCK_MS} = $_[0] * 1000;
    $service->restart_workers;
}
sub files { my @names = sort map { m{([^/]+)\z} } glob $service->directory . '/data/*'; return @names }
sub create { return $service->request('POST', '', raw_path => '/docs/sandbox', body => '')->json }
sub status { return $service->get('/me', key => $_[0])->status }

$service->post_batch([qso()]);
$service->admin('club', 'set', '--sandbox', 'on');
my @before = files();
my ($sandbox, $unused) = map { create() } 1 .. 2;
for (1 .. 3) {
    my $saved = qso(sendSpot => JSON::PP::true());
    $service->post_batch([$saved, qso(band => 'x')], key => $sandbox->{key});
    $service->delete_qso($saved->{clientId}, key => $sandbox->{key});
    $service->post_batch([qso()], key => $sandbox->{key});
}
ok files() > @before + 2, 'a sandbox is stored next to the logbook';
my ($file) = grep { /-sandbox-\d+-\w+\z/ } files();
QSOsync::Front::write_file($service->directory . "/data/$file-left", 'by a killed process');

move($day - $hour);
is status($sandbox->{key}), 200, 'a sandbox works for a day';
is scalar(@{$service->get('/logs', key => $sandbox->{key})->json->{items}}), 3, 'a sandbox keeps its QSOs for a day';

move($day + 60);
is status($sandbox->{key}), 401, 'the key of a sandbox stops working after a day';
for (1 .. 100) {
    last if files() == @before;
    select undef, undef, undef, 0.1; # a worker removes files after its answer
}
is_deeply [files()], \@before, 'a day later, no file of a sandbox is left';
is status($_->{key}), 401, 'the key does not work again' for $sandbox, $unused;
is scalar(@{$service->get('/logs')->json->{items}}), 1, 'the log keeps its QSOs';

# Any request removes old sandboxes, not only one with the key of a sandbox.
move(0);
create();
ok files() > @before, 'another sandbox can be created';
move($day + 60);
is $service->get('/me')->status, 200, 'a member sends a request a day later';
for (1 .. 100) {
    last if files() == @before;
    select undef, undef, undef, 0.1;
}
is_deeply [files()], \@before, "a member's request removes the sandbox";

# A clock that was a year ahead when the sandbox was created does not keep the sandbox for a year.
move(0);
my $ahead = create();
rename $_, s/-sandbox-(\d{13})/sprintf '-sandbox-%013d', $1 + 365 * $day * 1000/er
    for glob $service->db . '-sandbox-*';
is status($ahead->{key}), 401, 'a sandbox from the future is old';

done_testing;
