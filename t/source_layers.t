use QSOsync::Test fronts => 'none';

# Which layer and which file may include what. A layer is moved here, in the open.
my $source = $QSOsync::Front::SOURCE;

# Libraries, and the only files that may use them.
my @library = (
    [qr{\A(?:fcgi\w*|fastcgi)\.h\z}, qr{\Ahttp/fastcgi\.c\z}],
    [qr{\Asqlite3\w*\.h\z}, qr{\A(?:database|store|recovery)/}],
    [qr{\Acurl/}, qr{\Adoctor/http_client\.c\z}], [qr{\Ajson-c/}, qr{\Ajson/read\.c\z}],
    [qr{\Auuid(?:/|\.h\z)}, qr{\Abase/uuid\.c\z}], [qr{\Aopenssl/}, qr{\Abase/api_key\.c\z}],
    [qr{\A(?:crypt|utf8proc)\.h}, qr{\Abase/(?:password|fold)\.c\z}], [qr{\Aqrencode}, qr{\Alinks/qr_code\.c\z}],
    [qr{\Aschema/embedded}, qr{\Adatabase/}],
    [qr{\Aschema/(?:field|adif)_\w+\.inc\z}, qr{\A(?:qso/fields|adif/(?:mapping|slots))\.c\z}],
    [qr{\Aschema/openapi/}, qr{\Aapi/openapi\.c\z}],
);
# A layer knows the layers below it and none above; src/CONTRIBUTING has the same table.
my %below = (
    base => [], json => [qw(base)], links => [qw(base)], qso => [qw(base json)], adif => [qw(base qso)],
    database => [qw(base)], store => [qw(base qso database)], recovery => [qw(base qso store database)],
    transfer => [qw(base json qso adif store)], http => [qw(base json)], worker => [qw(base store http)],
    api => [qw(base json qso store transfer http worker)],
    feed => [qw(base qso store http worker)],
    doctor => [qw(base json store recovery worker)],
    site => [qw(base json links qso adif store transfer http worker doctor)],
    admin => [qw(base json links qso adif store recovery transfer worker doctor)],
);

my %written = QSOsync::Front::read_file("$source/src/CONTRIBUTING") =~ /^    (\w+) {3,}\S[^\n]*?(?: {3,}([a-z ]+))?$/gm;
is $written{$_} // '', join(' ', @{$below{$_}}), "CONTRIBUTING says what src/$_ may include" for sort keys %below;

# A header belongs to the module of its name: what includes it depends on the .c file, too.
sub module_of { $_[0] =~ s/\.[ch]\z//r }

my (%clocks, %needs);
for my $path (sort glob "$source/src/*/*.[ch]") {
    my ($layer, $name) = $path =~ m{([^/]+)/([^/]+)\z};
    my $file = "$layer/$name";
    open my $handle, '<', $path or die "$path: $!";
    my @lines = <$handle>;
    my @includes = map { /^#include [<"]([^>"]+)[>"]/ ? $1 : () } @lines;
    ok $below{$layer}, "src/$layer is a known layer";
    for my $include (@includes) {
        like $file, $_->[1], "$file may include $include" for grep { $include =~ $_->[0] } @library;
        next unless $include =~ m{\A(\w+)/} && $below{$1};
        ok scalar(grep { $_ eq $1 } $layer, @{$below{$layer}}), "$file may include $include";
        $needs{module_of($file)}{module_of($include)} = 1 if module_of($file) ne module_of($include);
    }
    if ($name =~ /\A(.*)\.c\z/ && -e "$source/src/$layer/$1.h") {
        is $includes[0], "$layer/$1.h", "$file includes its own header first";
    }
    $clocks{$file} = 1 if grep { /\bclock_gettime\b|\bgettimeofday\b|\btime\(NULL\)/ } @lines;
}
is join(' ', sort keys %clocks), 'base/clock.c', 'the clock is read in one file';

# The API's program cannot honour a cookie, and the site's no API key: neither holds what it would take.
for my $path (sort glob "$source/src/*/*.c") {
    my ($layer, $name) = $path =~ m{([^/]+)/([^/]+)\z};
    my $text = QSOsync::Front::read_file($path);
    unlike $text, qr/HTTP_COOKIE|REMOTE_USER/, "$layer/$name reads no cookie, and no login of a front server"
        unless "$layer/$name" eq 'site/session.c';
    unlike $text, qr/"http\/cookie\.h"/, "$layer/$name knows no cookies"
        unless "$layer/$name" =~ m{\A(?:http/cookie|site/session)\.c\z};
    unlike $text, qr/store_find_identity|request->key\b|"api\//, "$layer/$name knows no API key" if $layer eq 'site';
}

# Libraries are loaded by the programs that use them, and no archive of one is linked into them.
my %needed = ('qsosync.fcgi' => 'fcgi json-c sqlite3 crypto uuid',
    'qsosync-site.fcgi' => 'fcgi json-c sqlite3 crypto uuid', 'qsosync-admin' => 'sqlite3 crypto uuid',
    'qsosync-cluster' => 'sqlite3');
for my $program (sort keys %needed) {
    my %library = map { $_ => 1 } `readelf -d $QSOsync::Front::BUILD/$program` =~ /\(NEEDED\).*\[lib([\w-]+)\.so/g;
    is join(' ', grep { $library{$_} } split / /, $needed{$program}), $needed{$program},
        "$program is linked to its libraries: $needed{$program}";
}

# Depth first; a module that is met while its own needs are followed closes a circle.
my (%state, @circles);
sub follow {
    my ($module, @way) = @_;
    push @circles, join ' -> ', @way, $module if ($state{$module} || '') eq 'open';
    return if $state{$module};
    $state{$module} = 'open';
    follow($_, @way, $module) for sort keys %{$needs{$module}};
    $state{$module} = 'done';
}
follow($_) for sort keys %needs;
is_deeply \@circles, [], 'no two modules need each other, not even through others';

done_testing;
