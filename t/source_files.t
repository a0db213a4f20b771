use QSOsync::Test fronts => 'none';
use File::Temp ();

# Every file is listed in Makefile.am, and begins with its purpose and its limits.
my $source = $QSOsync::Front::SOURCE;
open my $file, '<', "$source/Makefile.am" or die $!;
my $makefile = do { local $/; <$file> };
for my $path (glob("$source/src/{*,*/*}/*.[ch]"),
    glob("$source/t/unit-*.c"), (grep { -f } glob("$source/src/manual/*")), glob("$source/src/pages/*/*"),
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

# The papers for developers name existing files. (A name in capitals is a placeholder.)
for my $paper ('src/CONTRIBUTING', 'src/ADDING', 't/README') {
    my @named = QSOsync::Front::read_file("$source/$paper")
        =~ m{\b((?:src|schema|t)/[\w./-]+\.(?:[chtm]|js|sql|json|tsv|html|pm))\b}g;
    my @missing = grep { !/[A-Z]{4}|subject_behaviour/ && !-e "$source/$_" } @named;
    is "@missing", '', "$paper names only existing files";
}

# The tests themselves. Each is named after its subject, and states what it needs in its first line. Descriptions are
# whole rules, because a failure report is read alone. Lines have at most 120 columns.
{
    my $source = $QSOsync::Front::SOURCE;
    my ($list) = QSOsync::Front::read_file("$source/t/README") =~ /^Subjects\n-+\n(.*?)\n\n\n/ms;
    my %is_subject = map { $_ => 1 } $list =~ /^    (\w+) /mg;
    my %is_used;
    for my $path (sort glob "$source/t/*.t") {
        my ($name) = $path =~ m{([^/]+)\z};
        my ($subject) = $name =~ /\A([a-z]+)(?:_[a-z0-9]+)+\.t\z/;
        ok $subject && $is_subject{$subject}, "$name begins with a subject that t/README lists";
        $is_used{$subject // ''} = 1;
        my $text = QSOsync::Front::read_file($path);
        like $text, qr/\Ause QSOsync::Test\b[^\n]*;\n/, "$name begins with use QSOsync::Test";
        my @fragments = grep { /\A(?:and|but|nor|or|also|which|who|whose|too)\b|, too\z/ }
            $text =~ /,\s*(?|'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/g;
        is join('; ', @fragments), '', "no description in $name is a fragment";
    }
    ok $is_used{$_}, "there are tests of $_, which t/README lists" for sort keys %is_subject;

    my $readme = QSOsync::Front::read_file("$source/t/README");
    for my $path (sort glob "$source/t/lib/QSOsync/*.pm") {
        my ($helper) = $path =~ m{([^/]+)\.pm\z};
        like $readme, qr/^    (?:\w+, )*$helper\b/m, "t/README explains $helper";
    }
    for my $path (sort glob "$source/t/*.t $source/t/lib/QSOsync/*.pm $source/t/lib/QSOsync/*/*.pm") {
        my @long = grep { length > 120 } split /\n/, QSOsync::Front::read_file($path);
        is scalar @long, 0, substr($path, length "$source/") . ' has no line of more than 120 columns'
            or diag join "\n", @long;
    }

    # A mutant that no longer fits its file would count as a fault that the tests find.
    for my $list (glob "$source/t/*/mutants.tsv") {
        for my $row (grep { !/\A(?:#|\z)/ } split /\n/, QSOsync::Front::read_file($list)) {
            my ($name, $path, $change) = split /\t/, $row;
            my $text = my $changed = QSOsync::Front::read_file("$source/$path");
            eval "for (\$changed) { $change }; 1" or diag $@;
            isnt $changed, $text, "the mutant $name changes $path";
        }
    }
}

# Commands print texts that other people wrote. They print through command.c, which lets no invisible character through.
# (The help, an export and a copied file do not contain such texts.)
for my $path (glob "$source/src/admin/*.c") {
    my ($name) = $path =~ m{([^/]+)\z};
    my @printing = QSOsync::Front::read_file($path)
        =~ /^.*(?<![a-z_])(?:v?f?printf|f?puts|fputc|putchar|vprintf|perror)\(.*$/mg;
    is join("\n", @printing), '', "src/admin/$name prints only with command_write and command_print"
        unless $name =~ /\A(?:command|main)\.c\z/;
}

# QSOsync can be built for another machine: make runs nothing that is built for that machine.
{
    my @not_made = (qw(Makefile config.status), map { ($_, "$QSOsync::Front::SOURCE/$_") }
        qw(Makefile.am Makefile.in configure configure.ac aclocal.m4));
    # Without the compiler's notes about headers, because make would rebuild these files at once and lose their content.
    my $recipes = `cd '$QSOsync::Front::BUILD' &&
        sed '/# am--include-marker/d' Makefile | env -u MAKEFLAGS -u MAKELEVEL \\
        make -f - -Bn @{[map {; "-o", $_ } @not_made]} all-am V=1 CC=for-target 2>&1`;
    is $?, 0, 'make prints its recipes' or diag $recipes;
    my @lines = split /\n/, $recipes =~ s/\\\n/ /gr;
    for my $name (qw(qsosync.fcgi qsosync-site.fcgi qsosync-admin qsosync-cluster qsosync-link)) {
        ok scalar(grep { /\bfor-target\b.* -o \Q$name\E / } @lines), "$name is built for the target";
    }
    is join("\n", grep { m{(?:^|[\s;|&(])\./qsosync} } @lines), '', 'no program of the target is run';

    # The authors' address is defined on one line of configure.ac, and all other files get it from there.
    my $source = $QSOsync::Front::SOURCE;
    my ($address) = QSOsync::Front::read_file("$source/configure.ac") =~ /^AC_INIT\(.*\[([^\]]+\@[^\]]+)\]\)$/m;
    like QSOsync::Front::read_file("$QSOsync::Front::BUILD/man/qsosync-design.7"), qr/\Q@{[$address =~ s{-}{\\-}gr]}\E/,
        'the manual has the address from configure.ac';
    is `grep -rlIF -e '$address' '$source/README' '$source/src'`, '', 'no other source file contains the address';

    # The date of a build, even without git (an empty .git folder is not a repository), and in a checkout of another
    # user.
    my $checkout = File::Temp->newdir;
    mkdir "$checkout/$_" or die $! for qw(.git src src/manual);
    QSOsync::Front::write_file("$checkout/src/manual/NEWS", "\n");
    utime 1_700_000_000, 1_700_000_000, "$checkout/src/manual/NEWS" or die $!;
    my $epoch = sub {
        my @old = map { "-o '$_'" } @not_made;
        my $said = `cd '$QSOsync::Front::BUILD' && env -u MAKEFLAGS -u MAKELEVEL -u SOURCE_DATE_EPOCH HOME=$checkout \\
            make -s @old --eval 'told: ; \@echo \$(build_epoch)' srcdir=$checkout told 2>&1`;
        return $said =~ s/\n\z//r;
    };
    is $epoch->(), 1_700_000_000, 'without git the date of a build is the date of NEWS';
    SKIP: {
        skip 'needs root and git for a checkout of another user', 1
            if $> != 0 || system('command -v git >/dev/null') != 0;
        system("cd $checkout && git init -q && GIT_COMMITTER_DATE='1710000000 +0000' \\
            git -c user.name=A -c user.email=a\@b.test commit -q --allow-empty -m one && chown -R 65534 .") == 0 or die;
        is $epoch->(), 1_710_000_000, 'a checkout of another user has the date of its last commit';
    }
}

# The bounds of a QSO's fields are defined only in the field table. club.c has a table of its own, and
# profile/statistics.c has a table of distances.
{
    my $source = $QSOsync::Front::SOURCE;
    my @sources = ("$source/schema/fields.json",
        grep { !m{/(?:club|profile/statistics)\.c\z} } glob "$source/src/{*,*/*}/*.[ch]");
    for my $bound (2000, 99999, 100000) {
        my @lines = grep { /\b$bound\b/ } map { open my $file, '<', $_ or die $!; <$file> } @sources;
        is scalar(@lines), 1, "the bound $bound occurs on one line" or diag @lines;
    }

    # Limits that other languages need as well. Each is defined once in C, and the other places have the same value.
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
        ['active keys of a member', 'src/store/people/keys.h', qr/KEY_ACTIVE_MAX (\d+)/, undef,
            map({ ['schema/schema.sql', qr/FROM $_\s+WHERE [^)]*\) >= (\d+)/] } qw(api_keys upload_tokens)),
            ['schema/statements/checks.sql', qr/more than (\d+) active keys/],
            ['src/manual/qsosync-admin.8', qr/at most (\w+) active keys/],
            ['src/pages/site/service.js', qr/You already have (\w+)/]],
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
            ok @said && !(grep { $_ ne $value } @said), "$name: $file has the limit $value of $home"
                or diag "found @said";
        }
    }

    # The channels, in Hz and in the client kit's MHz.
    my $channels = read_source('src/qso/qso.h');
    my %hz = $channels =~ /CHANNELS_(LOW|HIGH|STEP)_HZ INT64_C\((\d+)\)/g;
    my $kit = read_source('src/clients/qsosync_standard.py');
    my ($first, $step, $low, $high) = map { $_ / 1e6 } $hz{LOW} + $hz{STEP} / 2, @hz{qw(STEP LOW HIGH)};
    ok $kit =~ /Decimal\("$first"\)/, 'the client kit has the first channel of src/qso/qso.h';
    ok $kit =~ /Decimal\("$step"\)/, 'the client kit has the channel spacing of src/qso/qso.h';
    ok $kit =~ /\("?$low"?, (?:Decimal\()?"$high"/, 'the client kit has the channel edges of src/qso/qso.h';
    my ($highest) = read_source('schema/fields.json') =~ /"name": "channel".*?"maximum": (\d+)/s;
    is(($hz{HIGH} - $hz{LOW}) / $hz{STEP}, $highest,
        'the edges contain as many channels as the field table');

    # The letters of a locator: the first two up to R, the last two up to x.
    my %locators = ('src/qso/locator.c' => qr/\{'A', 'R'\}, \{'A', 'R'\}.*\{'a', 'x'\}, \{'a', 'x'\}/s,
        'src/build/fields' => qr/\[A-R\]\{2\}\[0-9\]\{2\}\(\[a-x\]\{2\}\)\?/,
        'src/clients/qsosync_fields.py' => qr/\[A-Ra-r\]\{2\}\[0-9\]\{2\}\(\[A-Xa-x\]\{2\}\)\?/,
        'src/pages/map/geography.js' => qr/\(\[A-R\]\)\(\[A-R\]\)\(\\d\)\(\\d\)\(\?:\(\[A-X\]\)\(\[A-X\]\)\)\?/,
        'schema/schema.sql' => qr/'\[A-R\]\[A-R\]\[0-9\]\[0-9\]\[a-x\]\[a-x\]'/);
    ok read_source($_) =~ $locators{$_}, "$_ has the letters of a locator" for sort keys %locators;
}

# The includes that each layer and each file may have. Layers are changed here, openly.
{
    my $source = $QSOsync::Front::SOURCE;

    # Libraries, and the only files that may use them.
    my @library = (
        [qr{\A(?:fcgi\w*|fastcgi)\.h\z}, qr{\Ahttp/(?:gateway\w*|record)\.[ch]\z}],
        [qr{\Asqlite3\w*\.h\z}, qr{\A(?:database|store|recovery)/}],
        [qr{\Acurl/}, qr{\Ahttp/client\.c\z}], [qr{\Ajson-c/}, qr{\Ajson/(?:list|parse|read|value)\.c\z}],
        [qr{\Auuid(?:/|\.h\z)}, qr{\Abase/uuid\.c\z}],
        [qr{\Aopenssl/}, qr{\Abase/(?:api_key|base62|base64|es256|secret)\.c\z}],
        [qr{\Acrypt\.h}, qr{\Abase/password\.c\z}],
        [qr{\Autf8proc\.h}, qr{\A(?:base/(?:letters|password|password_choice)|qso/fold)\.c\z}],
        [qr{\Aqrencode}, qr{\Alinks/setup_link\.c\z}],
        [qr{\Aschema/embedded}, qr{\Adatabase/}],
        [qr{\Aschema/(?:field_rows|adif_(?:names|rows))\.inc\z}, qr{\A(?:qso/fields|adif/(?:mapping|record))\.c\z}],
        [qr{\Aschema/(?:division_rows|mode_rows|adif_bands)\.inc\z}, qr{\A(?:qso/divisions|adif/modes)\.c\z}],
        [qr{\Aschema/openapi/}, qr{\Aapi/openapi\.c\z}],
    );
    # A layer includes the layers below it, and never one above; src/CONTRIBUTING has the same table.
    my %below = (
        base => [], json => [qw(base)], links => [qw(base)], qso => [qw(base json)], adif => [qw(base qso)],
        database => [qw(base)], store => [qw(base qso database)], recovery => [qw(base qso store database)],
        transfer => [qw(base json qso adif store)], http => [qw(base json)], worker => [qw(base json store http)],
        peers => [qw(base json qso store http worker)],
        api => [qw(base json qso store transfer http worker)],
        feed => [qw(base qso store http worker)],
        doctor => [qw(base json store recovery http worker)],
        site => [qw(base json links qso adif store recovery transfer http worker peers doctor)],
        admin => [qw(base json links qso adif store recovery transfer http worker peers doctor)],
    );

    my $contributing = QSOsync::Front::read_file("$source/src/CONTRIBUTING");
    my %written = $contributing =~ /^    (\w+) {3,}\S[^\n]*?(?: {3,}([a-z ]+))?$/gm;
    is $written{$_} // '', join(' ', @{$below{$_}}), "CONTRIBUTING lists what src/$_ may include" for sort keys %below;

    # snprintf returns the length of the whole text, which may exceed the array.
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

    # The API's program cannot accept a cookie, and the site's program cannot accept an API key: each lacks the code.
    for my $path (sort glob "$source/src/{*,*/*}/*.c") {
        my ($file, $layer, $name) = $path =~ m{/src/((\w+).*/([^/]+))\z};
        my $text = QSOsync::Front::read_file($path);
        unlike $text, qr/HTTP_COOKIE|REMOTE_USER/, "$file reads neither a cookie nor a login of a front server"
            unless $file =~ m{\Asite/shared/(?:session|device_cookie|own_host)\.c\z};
        unlike $text, qr/"http\/cookie\.h"/, "$file does not use cookies"
            unless $file =~ m{\A(?:http/cookie|site/shared/(?:session|device_cookie|own_host))\.c\z};
        unlike $text, qr/\brequest_read_body\b|\bgateway_read\b/, "$file leaves bodies to worker/body.c"
            unless $file =~ m{\A(?:worker/body|http/request|http/gateway_request)\.c\z};
        unlike $text, qr/store_find_credential\([^;]*CREDENTIAL_KEY|"api\//, "$file does not use API keys"
            if $layer eq 'site';
        unlike $text, qr/request->key\b/, "$file does not read the header of keys" # for an upload token
            if $layer eq 'site' && $name !~ /\A(?:log11dx|polo)\.c\z/;
    }

    # Programs load the libraries that they use; no archive of a library is linked into a program.
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
