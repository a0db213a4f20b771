use QSOsync::Test fronts => 'none';

# The walls of the house: which room may include what. A wall is moved here, in the open.
my $source = $QSOsync::Front::SOURCE;

# Libraries, and the only rooms that may use them.
my @library = (
    [qr{\A(?:fcgi\w*|fastcgi)\.h\z}, qr{\Aworker/gateway\.c\z}], [qr{\Asqlite3\w*\.h\z}, qr{\Astore/}],
    [qr{\Auuid(?:/|\.h\z)}, qr{\Abase/uuid\.c\z}], [qr{\Aopenssl/}, qr{\Abase/api_key\.c\z}],
    [qr{\Ajson}, qr{\A(?:worker/body\.c|qso/validate\.c|endpoints/logs_batch\.c)\z}],
    [qr{\Aschema/}, qr{\Astore/}],
);
# A floor knows the floors below it and none above. Endpoints and the worker hand requests to one another.
my %below = (
    base => [], qso => [qw(base)], store => [qw(base qso)], admin => [qw(base qso store)],
    endpoints => [qw(base qso store worker)], worker => [qw(base store endpoints)],
);

my %clocks;
for my $path (sort glob "$source/src/*/*.[ch]") {
    my ($floor, $file) = $path =~ m{([^/]+)/([^/]+)\z};
    my $room = "$floor/$file";
    open my $handle, '<', $path or die "$path: $!";
    my @lines = <$handle>;
    my @includes = map { /^#include [<"]([^>"]+)[>"]/ ? $1 : () } @lines;
    for my $include (@includes) {
        like $room, $_->[1], "$room may include $include" for grep { $include =~ $_->[0] } @library;
        next unless $include =~ m{\A(\w+)/} && $below{$1};
        ok scalar(grep { $_ eq $1 } $floor, @{$below{$floor}}), "$room may know $include";
    }
    if ($file =~ /\A(.*)\.c\z/ && -e "$source/src/$floor/$1.h") {
        is $includes[0], "$floor/$1.h", "$room includes its own header first";
    }
    $clocks{$room} = 1 if grep { /\bclock_gettime\b|\bgettimeofday\b|\btime\(NULL\)/ } @lines;
}
is join(' ', sort keys %clocks), 'base/clock.c', 'the clock is read in one room';

done_testing;
