use QSOsync::Test fronts => 'none';

# The client kit's reader of ADIF does work in proportion to the file: eight times the bytes take at most twelve times
# the processor time.
my $program = <<'PYTHON';
import sys, time
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import qsosync_text
def measure(part, length):
    data = part * (length // len(part))
    start = time.process_time_ns()
    for _ in qsosync_text.read_records(data):
        pass
    return time.process_time_ns() - start
for part in sys.argv[2:]:
    part = part.encode()
    rounds = [(measure(part, 12000), measure(part, 96000)) for _ in range(5)]
    print(min(small for small, _ in rounds), min(large for _, large in rounds), sep=" ")
PYTHON
my @parts = ('<', '<a', '<a:1>', '<a:1>x', '<a:-1><EOH>', '<a:-1><EOR>', '<a:1>x<EOH>', '<a:999>x<EOH>', '<EOH>', '<EOR>', '<a>', '<a:1>x<EOR>',
    '<notes:16>x<EOR><call:1>yz<b:1>x', '<call:5>26AT1<eor>');
open my $measured, '-|', 'python3', '-c', $program, "$QSOsync::Front::SOURCE/src/clients", @parts or die "python3: $!";
my @times = map { [split] } <$measured>;
ok close $measured, 'every shape is read';
is scalar @times, scalar @parts, 'every shape is measured';
cmp_ok $times[$_][1], '<=', 12 * $times[$_][0], "eight times the bytes of $parts[$_] are at most twelve times the work" for 0 .. $#parts;

done_testing;
