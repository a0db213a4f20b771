use QSOsync::Test fronts => 'none';

# The bounds of a QSO's fields stand in the field table and nowhere else; club.c has a table of its own, and
# profile_statistics.c one of distances.
my $source = $QSOsync::Front::SOURCE;
my @sources = ("$source/schema/fields.json",
    grep { !m{/(?:club|profile_statistics)\.c\z} } glob "$source/src/*/*.[ch]");
for my $bound (2000, 99999, 100000) {
    my @lines = grep { /\b$bound\b/ } map { open my $file, '<', $_ or die $!; <$file> } @sources;
    is scalar(@lines), 1, "the bound $bound stands on one line" or diag @lines;
}

# Limits that other languages than C need, too: each stands once in C, and the other places say the same.
sub read_source { QSOsync::Front::read_file("$source/$_[0]") }
my $active = qr/revoked_at IS NULL\) >= (\d+)/;
my @limits = (
    ['bytes of a body', 'src/http/request.h', qr/REQUEST_BODY_MAX_BYTES \(8 << 20\)/, 8 << 20,
        ['src/http/error.c', qr/at most (\d{5,}) bytes/],
        ['src/manual/qsosync.7', qr/over (\d{5,}) bytes/],
        ['nginx/qsosync-api.conf', qr/at most (\d+) bytes/],
        ['nginx/qsosync-api.conf', qr/client_max_body_size (\d+m);/],
        ['apache/qsosync-workers.conf', qr/BufferSize (\d+)/],
        ['apache/errors/413.json', qr/at most (\d+) bytes/],
        map { [$_, qr/-gt (\d{7,})/] } 'apache/htaccess', 'apache/qsosync-common.conf'],
    ['active keys of a member', 'src/store/keys.h', qr/KEY_ACTIVE_MAX (\d+)/, undef,
        map({ ['schema/schema.sql', qr/FROM $_\s+WHERE [^)]*\) >= (\d+)/] } qw(api_keys upload_tokens)),
        ['schema/statements/checks.sql', qr/more than (\d+) active keys/],
        ['src/manual/qsosync-admin.8', qr/at most (\w+) active keys/],
        ['src/pages/service.js', qr/There are (\w+) already/]],
    ['entries of a batch', 'src/transfer/batch.h', qr/BATCH_ENTRIES_MAX (\d+)/, undef,
        ['src/clients/qsosync_service.py', qr/^BATCH = (\d+)$/m]],
    ['QSOs of a page', 'src/api/endpoint.h', qr/PAGE_LIMIT_MAX (\d+)/, undef,
        ['src/clients/qsosync_service.py', qr/"limit": "(\d+)"/], ['src/clients/qsosync.js', qr/limit: "(\d+)"/]],
    ['modes of a channel in contact_kind', 'src/store/partners.c', qr/CONTACT_KIND_MODES (\d+)/, undef,
        ['schema/schema.sql', qr/ifnull\(channel, 0\) \* (\d+)/]],
);
my %number_of = (ten => 10, '8m' => 8 << 20);
for my $limit (@limits) {
    my ($name, $home, $pattern, $value, @others) = @$limit;
    my ($found) = read_source($home) =~ $pattern;
    ok $found, "$home says how many $name there may be";
    $value //= $found;
    for my $other (@others) {
        my ($file, $said) = @$other;
        my @said = map { $number_of{$_} // $_ } read_source($file) =~ /$said/g;
        ok @said && !(grep { $_ ne $value } @said), "$name: $file says $value, as $home does" or diag "it says @said";
    }
}

# The channels, in Hz and in the client kit's MHz.
my $channels = read_source('src/qso/channels.h');
my %hz = $channels =~ /CHANNELS_(LOW|HIGH|STEP)_HZ INT64_C\((\d+)\)/g;
my $kit = read_source('src/clients/qsosync_standard.py');
my ($first, $step, $low, $high) = map { $_ / 1e6 } $hz{LOW} + $hz{STEP} / 2, @hz{qw(STEP LOW HIGH)};
ok $kit =~ /Decimal\("$first"\)/, 'the client kit has the first channel of src/qso/channels.h';
ok $kit =~ /Decimal\("$step"\)/, 'the client kit has the distance of channels of src/qso/channels.h';
ok $kit =~ /\("?$low"?, (?:Decimal\()?"$high"/, 'the client kit has their edges of src/qso/channels.h';
my ($highest) = read_source('schema/fields.json') =~ /"name": "channel".*?"maximum": (\d+)/s;
is(($hz{HIGH} - $hz{LOW}) / $hz{STEP}, $highest,
    'there are as many channels between the edges as the field table says');

# The letters of a locator: the first two up to R, the last two up to x.
my %locators = ('src/qso/locator.c' => qr/\{'A', 'R'\}, \{'A', 'R'\}.*\{'a', 'x'\}, \{'a', 'x'\}/s,
    'src/qso/schema.c' => qr/\[A-R\]\{2\}\[0-9\]\{2\}\(\[a-x\]\{2\}\)\?/,
    'src/clients/qsosync_fields.py' => qr/\[A-Ra-r\]\{2\}\[0-9\]\{2\}\(\[A-Xa-x\]\{2\}\)\?/,
    'src/pages/geography.js' => qr/\(\[A-R\]\)\(\[A-R\]\)\(\\d\)\(\\d\)\(\?:\(\[A-X\]\)\(\[A-X\]\)\)\?/,
    'schema/schema.sql' => qr/'\[A-R\]\[A-R\]\[0-9\]\[0-9\]\[a-x\]\[a-x\]'/);
ok read_source($_) =~ $locators{$_}, "$_ has the letters of a locator" for sort keys %locators;

done_testing;
