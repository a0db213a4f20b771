use QSOsync::Test fronts => 'none', slow => 13;

# Makefile.am lists every file. A C file begins with its purpose, every file has one subject, and C files include only
# headers that their layer may use.
my $source = $QSOsync::Front::SOURCE;
open my $file, '<', "$source/Makefile.am" or die $!;
my $makefile = do { local $/; <$file> };
for my $path (glob("$source/src/{*,*/*}/*.[ch]"),
    glob("$source/t/unit-*.[ch]"), (grep { -f } glob("$source/src/manual/*"), glob "$source/src/web/{*,*/*}/*"),
    glob("$source/src/service/*"), glob("$source/src/clients/*.*")) {
    my $name = substr $path, length("$source/");
    like $makefile, qr/\s\Q$name\E(?:\s|\z)/, "Makefile.am lists $name";
}

for my $path (glob "$source/src/{*,*/*}/*.c") {
    my ($opening) = QSOsync::Front::read_file($path) =~ m{\A(/\*.*?\*/\n)}s;
    my $name = substr $path, length("$source/");
    like $opening // '', qr/\s\S+\s.*[.]/s, "$name begins with its purpose";
    unlike $opening // '', qr{\A/\* (?:What|Where|The same of)\b}, "$name begins with a sentence";
}

# A file has one subject, under one opening comment. A second heading would begin another subject, which needs its own
# file.
{
    my @headed;
    for my $path (grep { !m{/(?:node_modules|data)/} && -f }
        glob("$source/{src,t}/{*,*/*,*/*/*,*/*/*/*}.{c,h,js,ts,css,html,sql,py,pm,t,sh}"),
        glob("$source/schema/{*,*/*}.sql"), glob "$source/src/{build,service}/*") {
        my @headings = QSOsync::Front::read_file($path) =~ m{^\s*(?:/\*|//|\#|--) -- (\S.*)$}mg;
        push @headed, map { substr($path, length "$source/") . ": $_" } @headings;
    }
    is join("\n", @headed), '', 'no file has a second heading';
}

# No file contains the marks of a merge, which a browser or a compiler could skip.
{
    my @marked = `cd '$source' && grep -rlE '^(<{7} |>{7} )' --exclude-dir=node_modules src t schema nginx apache`;
    is join('', @marked), '', 'no file contains the marks of a merge';
}

# lintian takes a page with a line of more than 512 characters for generated text.
{
    my @long = grep { QSOsync::Front::read_file($_) =~ /^.{513}/m } glob "$source/src/web/{*,*/*}/*.html";
    is "@long", '', 'no page has a line of more than 512 characters';
}

# The documents for developers name only existing files. (A name in capitals is a placeholder.)
for my $paper ('src/CONTRIBUTING', 'src/ADDING', 't/README') {
    my @named = QSOsync::Front::read_file("$source/$paper")
        =~ m{\b((?:src|schema|t)/[\w./-]+\.(?:[chtm]|js|sql|json|tsv|html|pm))\b}g;
    my @missing = grep { !/[A-Z]{4}|subject_behaviour/ && !-e "$source/$_" } @named;
    is "@missing", '', "$paper names only existing files";
}

# The pages and the app import src/web/shared, and nothing from each other. Types come from the part's own types.d.ts.
for my $path (sort map { glob "$source/src/web/$_.{js,ts}" } '*/*', '*/*/*') {
    my ($name, $part) = $path =~ m{/(src/web/(\w+)/.+)\z};
    my ($folder) = $name =~ m{(.+)/};
    my @imports = QSOsync::Front::read_file($path) =~ /(?:\bfrom |\bimport |\bimport\()["`](\.[^"`]+)["`]/g;
    my @others = grep { !m{\Asrc/web/(?:\Q$part\E|shared)/} } map { place_of("$folder/$_") } @imports;
    is "@others", '', "$name imports only modules of src/web/$part" . ($part eq 'shared' ? '' : ' and src/web/shared');
}
sub place_of {
    my ($place) = @_;
    $place =~ s{/\./}{/}g;
    1 while $place =~ s{[^/.]+/\.\./}{};
    return $place;
}

# Commands print texts that other people wrote. They print through output.c, which lets no invisible character through.
# (help.c and main.c print no such texts.)
for my $path (glob "$source/src/admin/*.c") {
    my ($name) = $path =~ m{([^/]+)\z};
    my @printing = QSOsync::Front::read_file($path)
        =~ /^.*(?<![a-z_])(?:v?f?printf|f?puts|fputc|putchar|vprintf|perror)\(.*$/mg;
    is join("\n", @printing), '', "src/admin/$name prints only with output_write and output_print"
        unless $name =~ /\A(?:help|main|output)\.c\z/;
}

# These tables list what each layer may include, and which files may use a library. Every change to the layers changes a
# table.
{
    my $source = $QSOsync::Front::SOURCE;

    # Each row has a pattern for the headers of a library, and a pattern for the files that may include these headers.
    my @library = (
        [qr{\A(?:fcgi\w*|fastcgi)\.h\z}, qr{\Ahttp/(?:gateway\w*|record)\.[ch]\z}],
        [qr{\Asqlite3\w*\.h\z}, qr{\A(?:database|store|recovery)/}],
        [qr{\Acurl/}, qr{\Ahttp/(?:client|transfers)\.c\z}], [qr{\Ajson-c/}, qr{\Ajson/(?:list|parse|read|value)\.c\z}],
        [qr{\Auuid(?:/|\.h\z)}, qr{\Abase/uuid\.c\z}],
        [qr{\Aopenssl/}, qr{\Abase/(?:api_key|base62|base64|es256|es256_key|push_message|secret)\.c\z}],
        [qr{\Acrypt\.h}, qr{\Abase/password\.c\z}],
        [qr{\Autf8proc\.h}, qr{\A(?:base/(?:letters|password|password_choice)|qso/fold)\.c\z}],
        [qr{\Aexpat\.h}, qr{\Aadif/adx\.c\z}],
        [qr{\Aqrencode}, qr{\Alinks/setup_link\.c\z}],
        [qr{\Aschema/embedded}, qr{\Adatabase/}],
        [qr{\Aschema/(?:field_rows|adif_(?:names|rows))\.inc\z}, qr{\A(?:qso/fields|adif/(?:slots|standard))\.c\z}],
        [qr{\Aschema/(?:channel_rows|division_rows|mode_rows|adif_bands|tone_rows)\.inc\z},
            qr{\A(?:qso/(?:channels|divisions|tones)|adif/(?:band_match|modes))\.c\z}],
        [qr{\Aschema/openapi/}, qr{\Aapi/openapi\.c\z}],
    );
    # A layer includes only the layers below it. src/CONTRIBUTING has the same table.
    my %below = (
        base => [], json => [qw(base)], links => [qw(base)], qso => [qw(base json)], adif => [qw(base qso)],
        database => [qw(base)], store => [qw(base qso database)], recovery => [qw(base qso store database)],
        transfer => [qw(base json qso adif store)], http => [qw(base json)], worker => [qw(base json store http)],
        peers => [qw(base json qso store http worker)],
        api => [qw(base json qso store transfer http worker)],
        feed => [qw(base qso store http worker)],
        doctor => [qw(base json store recovery http worker)],
        site => [qw(base json links qso adif store recovery transfer http worker peers doctor)],
        alerts => [qw(base json qso store http)],
        admin => [qw(base json links qso adif store recovery transfer http worker peers doctor alerts)],
    );

    my $contributing = QSOsync::Front::read_file("$source/src/CONTRIBUTING");
    my %written = $contributing =~ /^    (\w+) {3,}\S[^\n]*?(?: {3,}([a-z ]+))?$/gm;
    is $written{$_} // '', join(' ', @{$below{$_}}), "CONTRIBUTING lists what src/$_ may include" for sort keys %below;

    # snprintf returns the length of the whole text, which can exceed the array.
    my @printing = grep { QSOsync::Front::read_file($_) =~ /\bv?sn?printf\b/ } glob "$source/src/{*,*/*}/*.[ch]";
    is join(' ', map { s{.*/src/}{}r } @printing), 'base/format.c base/format.h',
        'only one module prints into arrays of a fixed size';

    my %clocks;
    for my $path (sort glob "$source/src/{*,*/*}/*.[ch]") {
        my ($file, $folder, $layer, $name) = $path =~ m{/src/(((\w+)[^.]*)/([^/]+))\z};
        open my $handle, '<', $path or die "$path: $!";
        my @lines = <$handle>;
        my @includes = map { /^#include [<"]([^>"]+)[>"]/ ? $1 : () } @lines;
        ok $below{$layer}, "src/$layer is a known layer";
        for my $include (@includes) {
            like $file, $_->[1], "$file may include $include" for grep { $include =~ $_->[0] } @library;
            next unless $include =~ m{\A(\w+)/} && $below{$1};
            ok scalar(grep { $_ eq $1 } $layer, @{$below{$layer}}), "$file may include $include";
        }
        if ($name =~ /\A(.*)\.c\z/ && -e "$source/src/$folder/$1.h") {
            is $includes[0], "$folder/$1.h", "$file includes its own header first";
        }
        $clocks{$file} = 1 if grep { /\bclock_gettime\b|\bgettimeofday\b|\btime\(NULL\)/ } @lines;
    }
    is join(' ', sort keys %clocks), 'base/clock.c', 'only one file reads the clock';

    # The API's program cannot accept a cookie, and the site's program cannot accept an API key, because each lacks the
    # code.
    for my $path (sort glob "$source/src/{*,*/*}/*.c") {
        my ($file, $layer, $name) = $path =~ m{/src/((\w+).*/([^/]+))\z};
        my $text = QSOsync::Front::read_file($path);
        unlike $text, qr/HTTP_COOKIE|REMOTE_USER/, "$file reads neither a cookie nor a login of a front server"
            unless $file =~ m{\Asite/shared/(?:session|device_cookie|own_host)\.c\z};
        unlike $text, qr/"http\/cookie\.h"/, "$file does not use cookies"
            unless $file =~ m{\A(?:http/cookie|site/shared/(?:session|device_cookie|own_host))\.c\z};
        unlike $text, qr/\brequest_read_body\b|\bgateway_read\b/,
            "$file leaves the reading of bodies to worker/body.c"
            unless $file =~ m{\A(?:worker/body|http/request|http/gateway_request)\.c\z};
        unlike $text, qr/store_find_credential\([^;]*CREDENTIAL_KEY|"api\//, "$file does not use API keys"
            if $layer eq 'site';
        unlike $text, qr/request->key\b/, "$file does not read the header that contains a key" # for an upload token
            if $layer eq 'site' && $name !~ /\A(?:log11dx|polo)\.c\z/;
    }

    # Programs load the libraries that they use. No archive of a library is linked into a program.
    my %needed = ('qsosync.fcgi' => 'fcgi json-c sqlite3 crypto uuid',
        'qsosync-site.fcgi' => 'fcgi json-c sqlite3 crypto uuid', 'qsosync-admin' => 'sqlite3 crypto uuid',
        'qsosync-cluster' => 'sqlite3', 'qsosync-link' => 'sqlite3');
    for my $program (sort keys %needed) {
        my %library = map { $_ => 1 } `readelf -d $QSOsync::Front::BUILD/$program` =~ /\(NEEDED\).*\[lib([\w-]+)\.so/g;
        is join(' ', grep { $library{$_} } split / /, $needed{$program}), $needed{$program},
            "$program is linked to its libraries: $needed{$program}";
    }

    my $layers = qx('$^X' '$source/src/build/layers' '$source' '$QSOsync::Front::BUILD');
    is $? >> 8, 0, 'layers and files do not depend on each other in circles' or diag $layers;
}

done_testing;
