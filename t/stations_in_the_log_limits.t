use QSOsync::Test fronts => 'nginx', slow => 11, suite => 'all';
use Time::HiRes ();

# From 100 addresses, 4,000 requests ask "Am I in the log?". Each address gets 30 answers, whatever else it tries. An
# answer contains only the days of the requested callsign. The time per question is reported. QSOSYNC_TEST_ROUNDS is the
# number of questions.
my ($questions, $addresses, $an_hour) = ($ENV{QSOSYNC_TEST_ROUNDS} || 4_000, 100, 30);
drawn_seed();
my $service = QSOsync::Service->start(site => 1);
fill_log($service, 20_000);
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
$service->admin('station', 'set', '14/AT0', '--page', 'on');
$service->sqlite("UPDATE qsos SET member_id = (SELECT id FROM members WHERE is_station) WHERE member_id = 1");
my %days;
for (split /\n/, $service->sqlite("SELECT DISTINCT callsign_worked || ' ' || CASE band WHEN 0
    THEN 'ELEVEN_METERS' ELSE 'PMR446' END || ' ' || mode || ' ' || date(qso_at / 1000, 'unixepoch') FROM qsos
    WHERE member_id = (SELECT id FROM members WHERE is_station)")) {
    my ($callsign, @told) = split / /;
    push @{$days{$callsign}}, "@told[0, 2]";
}
my @callsigns = sort keys %days;

# Returns a callsign from the log: whole, shortened, or with a digit appended.
sub draw {
    my $callsign = $callsigns[rand @callsigns];
    my $kind = rand 4;
    return $kind < 2 ? $callsign : $kind < 3 ? substr($callsign, 0, -1 - rand 2) : $callsign . int rand 10;
}
my ($pid) = $service->site_pids;
my (%answered, %statuses, @wall, @cpu, @faults);
for my $number (0 .. $questions - 1) {
    my $from = '127.0.0.' . (2 + $number % $addresses);
    my $callsign = draw();
    my ($cpu, $start) = ($service->cpu_seconds($pid), Time::HiRes::time());
    my $answer = QSOsync::Client::request($service->port, 'GET', "/log/14-AT0/worked?call=$callsign", from => $from,
        headers => { 'X-Forwarded-For' => "10.0.0.$number", 'X-Real-IP' => "10.0.1.$number" });
    push @wall, 1000 * (Time::HiRes::time() - $start);
    push @cpu, 1000 * ($service->cpu_seconds($pid) - $cpu);
    $statuses{$answer->status}++;
    my $expected = $answered{$from}++ < $an_hour ? 200 : 429;
    push @faults, "$from: $answer->{status} instead of $expected" if $answer->status != $expected;
    push @faults, "$callsign: " . $answer->body if $answer->body =~ /\d\d:\d\d/;
    next if $answer->status != 200;
    my ($worked, @others) = %{$answer->json};
    my @keys = map { join ' ', sort keys %$_ } @{$others[0]};
    push @faults, "$callsign: " . $answer->body
        if $worked ne 'worked' || @others != 1 || grep { $_ ne 'band day mode' } @keys;
    my $told = join ', ', sort map { "$_->{band} $_->{day}" } @{$others[0]};
    push @faults, "$callsign: $told" if $told ne join ', ', sort @{$days{$callsign} || []};
}
is "@faults[0 .. ($#faults < 4 ? $#faults : 4)]", '',
    '30 questions per address are answered, with only the days of the requested callsign';
sub part { my ($part, @times) = @_; return sprintf '%.1f', (sort { $a <=> $b } @times)[$#times * $part] }
diag "$questions questions: ", join(', ', map { "$statuses{$_} x $_" } sort keys %statuses), '; wall p50 ',
    part(0.5, @wall), ' ms, p99 ', part(0.99, @wall), ' ms; CPU of the worker p50 ', part(0.5, @cpu), ' ms, p99 ',
    part(0.99, @cpu), ' ms';

done_testing;
