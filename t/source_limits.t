use QSOsync::Test fronts => 'none';

# The bounds of a QSO's fields are defined only in the field table. These files have other bounds: club.c and
# profile/statistics.c have their own tables, and transfer/sheet*.c reads years and counts rows.
my $source = $QSOsync::Front::SOURCE;
my @sources = ("$source/schema/fields.json",
    grep { !m{/(?:(?:club|profile/statistics)\.c|transfer/sheet\w*\.[ch])\z} } glob "$source/src/{*,*/*}/*.[ch]");
for my $bound (2000, 99999, 100000) {
    my @lines = grep { /\b$bound\b/ } map { open my $file, '<', $_ or die $!; <$file> } @sources;
    is scalar(@lines), 1, "only one line contains the bound $bound" or diag @lines;
}

# Other languages also need these limits. Each limit is defined once in C, and the other places have the same value.
sub read_source { QSOsync::Front::read_file("$source/$_[0]") }
my $active = qr/revoked_at IS NULL\) >= (\d+)/;
my @limits = (
    ['bytes of a body', 'src/http/request.h', qr/REQUEST_BODY_MAX_BYTES \(8 << 20\)/, 8 << 20,
        ['schema/errors.tsv', qr/at most (\d{5,}) bytes/],
        ['src/manual/qsosync.7', qr/over (\d{5,}) bytes/],
        ['nginx/qsosync-api.conf', qr/at most (\d+) bytes/],
        ['nginx/qsosync-api.conf', qr/client_max_body_size (\d+m);/],
        ['apache/qsosync-workers.conf', qr/BufferSize (\d+)/],
        ['apache/errors/413.json', qr/at most (\d+) bytes/],
        map { [$_, qr/-gt (\d{7,})/] } 'apache/htaccess', 'apache/qsosync-common.conf'],
    ['rows of a sheet', 'src/transfer/sheet.h', qr/SHEET_ROWS_MAX (\d+)/, undef,
        ['src/web/pages/log/sheet-rows.js', qr/ROWS_MAX = (\d+)/]],
    ['rows by which columns are judged', 'src/transfer/sheet_columns.c', qr/SAMPLE_ROWS (\d+)/, undef,
        ['src/web/pages/log/sheet-columns.js', qr/SAMPLE_ROWS = (\d+)/]],
    ['active keys of a member', 'src/store/people/keys.h', qr/KEY_ACTIVE_MAX (\d+)/, undef,
        map({ ['schema/schema.sql', qr/FROM $_\s+WHERE [^)]*\) >= (\d+)/] } qw(api_keys upload_tokens)),
        ['schema/statements/checks.sql', qr/more than (\d+) active keys/],
        ['src/manual/qsosync-admin.8', qr/at most (\w+) active keys/],
        ['src/web/shared/service.js', qr/You already have (\w+)/]],
    ['entries of a batch', 'src/transfer/batch.h', qr/BATCH_ENTRIES_MAX (\d+)/, undef,
        ['src/clients/qsosync_service.py', qr/^BATCH = (\d+)$/m],
        ['schema/openapi/document.json', qr/"entries": \{.*"maxItems": (\d+)/]],
    ['QSOs of a page', 'src/api/logs_list.c', qr/LIMIT_MAX (\d+)/, undef,
        ['schema/openapi/document.json', qr/"name": "limit", .*"maximum": (\d+)/],
        ['schema/openapi/document.json', qr/"items": \{"type": "array", "maxItems": (\d+)/],
        ['src/clients/qsosync_service.py', qr/"limit": "(\d+)"/], ['src/clients/qsosync.js', qr/limit: "(\d+)"/]],
    ['QSOs of a page without a limit', 'src/api/logs_list.c', qr/LIMIT_DEFAULT (\d+)/, undef,
        ['schema/openapi/document.json', qr/"name": "limit", .*"default": (\d+)/]],
    ['pages named ahead', 'src/api/logs_list.c', qr/AHEAD_MAX (\d+)/, undef,
        ['schema/openapi/document.json', qr/"name": "ahead", .*"maximum": (\d+)/]],
    ['modes of a channel in contact_kind', 'src/store/confirm/partners.c', qr/CONTACT_KIND_MODES (\d+)/, undef,
        ['schema/schema.sql', qr/ifnull\(channel, 0\) \* (\d+)/]],
);
my %number_of = (ten => 10, '8m' => 8 << 20);
for my $limit (@limits) {
    my ($name, $home, $pattern, $value, @others) = @$limit;
    my ($found) = read_source($home) =~ $pattern;
    ok $found, "$home defines the limit: $name";
    $value //= $found;
    for my $other (@others) {
        my ($file, $said) = @$other;
        my @said = map { $number_of{$_} // $_ } read_source($file) =~ /$said/g;
        ok @said && !(grep { $_ ne $value } @said), "$name: $file has the same limit as $home ($value)"
            or diag "found @said";
    }
}

# The channels of PMR446 are defined in Hz in C, and in MHz in the client kit.
my $channels = read_source('src/qso/qso.h');
my %hz = $channels =~ /CHANNELS_(LOW|HIGH|STEP)_HZ INT64_C\((\d+)\)/g;
my $kit = read_source('src/clients/qsosync_standard.py');
my ($first, $step, $low, $high) = map { $_ / 1e6 } $hz{LOW} + $hz{STEP} / 2, @hz{qw(STEP LOW HIGH)};
ok $kit =~ /Decimal\("$first"\)/, 'the client kit has the first channel of src/qso/qso.h';
ok $kit =~ /Decimal\("$step"\)/, 'the client kit has the channel spacing of src/qso/qso.h';
ok $kit =~ /\("?$low"?, (?:Decimal\()?"$high"/, 'the client kit has the channel edges of src/qso/qso.h';
my ($highest) = read_source('schema/fields.json') =~ /"name": "channel".*?"maximum": (\d+)/s;
is(($hz{HIGH} - $hz{LOW}) / $hz{STEP}, $highest,
    'the channel edges allow as many channels as the field table');

# A locator's first two letters go up to R, and the last two letters go up to x.
my %locators = ('src/qso/locator.c' => qr/\{'A', 'R'\}, \{'A', 'R'\}.*\{'a', 'x'\}, \{'a', 'x'\}/s,
    'src/build/fields' => qr/\[A-R\]\{2\}\[0-9\]\{2\}\(\[a-x\]\{2\}\)\?/,
    'src/clients/qsosync_fields.py' => qr/\[A-Ra-r\]\{2\}\[0-9\]\{2\}\(\[A-Xa-x\]\{2\}\)\?/,
    'src/web/shared/map/geography.js' => qr/\(\[A-R\]\)\(\[A-R\]\)\(\\d\)\(\\d\)\(\?:\(\[A-X\]\)\(\[A-X\]\)\)\?/,
    'schema/schema.sql' => qr/'\[A-R\]\[A-R\]\[0-9\]\[0-9\]\[a-x\]\[a-x\]'/);
ok read_source($_) =~ $locators{$_}, "$_ accepts exactly the letters of a locator" for sort keys %locators;

done_testing;
