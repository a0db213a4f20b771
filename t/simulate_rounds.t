use QSOsync::Test fronts => 'none', slow => 190, suite => 'all';
use QSOsync::Faults;

# The simulation plays rounds with members, clients, operators and faults. Each answer must be possible for a single
# log, and all clients that follow the log must end with the same content. The test runs the simulation for three
# minutes with a fixed seed; make simulate draws other seeds. QSOSYNC_TEST_SECONDS (180) and QSOSYNC_TEST_SEED set other
# values.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
plan skip_all => 'node is not installed' if system('node --version >/dev/null 2>&1') != 0;
my $seed = $ENV{QSOSYNC_TEST_SEED} || 1;
my $seconds = $ENV{QSOSYNC_TEST_SECONDS} || 180;
my @lines = split /\n/, `'$QSOsync::Front::SOURCE/t/simulate/run' --seconds $seconds --seed $seed`;
is $? >> 8, 0, "no round finds a fault (seed $seed)" or diag join "\n", @lines;
like $lines[-1], qr/\A[1-9]\d* passed, 0 failed\z/, 'the last line counts the rounds';

# The judge must find the wrong answers in these histories, and accept the possible answers.
my %content = (v1 => 'A 1', v2 => 'A 2');
my ($at, @history) = (0);
sub wrote {
    my ($version, %more) = @_;
    push @history, { what => 'request', method => 'POST', path => '/logs/batch', member => 0, life => 0,
        start => $at++, end => $at++, status => 200, entries => [['one', $version]],
        json => { results => [{ id => 1, clientId => 'one' }] }, %more };
}
sub saw {
    my ($version, %more) = @_;
    my @items = $version ? { clientId => 'one', notes => $version, syncedAt => '1', callsignWorked => 'A',
        qsoAt => substr $version, 1 } : ();
    push @history, { what => 'request', method => 'GET', path => '/logs?limit=500', member => 0, life => 0, whole => 1,
        start => $at++, end => $at++, status => 200, json => { items => \@items }, %more };
}
sub verdict {
    require QSOsync::Simulation::Judge;
    my $wrong = join "\n", QSOsync::Simulation::Judge::judge([splice @history], \%content);
    return $wrong ? 'wrong' : 'right';
}
wrote('v1'), saw('v1'), wrote('v2'), saw('v2');
is verdict(), 'right', 'the judge accepts an answer with the last write';
wrote('v1'), wrote('v2'), saw('v1');
is verdict(), 'wrong', 'the judge rejects an answer with an overwritten version';
wrote('v1'), saw('');
is verdict(), 'wrong', 'the judge rejects an answer without an acknowledged write';
wrote('v1', status => 500), saw('v1');
is verdict(), 'wrong', 'the judge rejects an answer with a refused write';
wrote('v1', status => undef), saw(''), saw('v1');
is verdict(), 'right', 'the judge accepts an unanswered write that appears later';
wrote('v1', status => undef), saw('v1'), saw('');
is verdict(), 'wrong', 'the judge rejects an unanswered write that appears and then disappears';
wrote('v1'), wrote('v2', start => $at - 2), saw('v1');
is verdict(), 'right', 'the judge accepts either of two concurrent writes as the last';

done_testing;
