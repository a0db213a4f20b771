use QSOsync::Test fronts => 'nginx', slow => 70, suite => 'all';
use QSOsync::Browser;
use QSOsync::Kit;
use QSOsync::Profile;
use QSOsync::Variant;
use File::Temp qw(tempdir);
use JSON::PP ();
use List::Util qw(uniq);

# New parts are added to a copy of the sources (src/ADDING): a field, a choice, a mode, an ADIF field, a section and a
# language. The copy is built, and the parts pass through all code that uses the field table, and through the pages. The
# build, the start or a test names each forgotten part.
plan skip_all => QSOsync::Variant::missing() if QSOsync::Variant::missing();
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
my $old_kit = QSOsync::Kit::client('qsosync.py');
my $copy = tempdir(CLEANUP => 1);
my @parts = grep { -e "$source/$_" } qw(aclocal.m4 apache bootstrap build-aux configure configure.ac COPYING Makefile.am
    Makefile.in nginx README schema src t/data t/lib);
my $leaving_out = "--exclude='*.o' --exclude=.deps --exclude=embedded.? --exclude=document.inc";
QSOsync::Variant::run("cd '$source' && tar -cf - $leaving_out @parts | tar -xf - -C '$copy'");

# Replaces one place in a file, or dies. Counts the files that are edited for a part.
my %edited;
sub edit {
    my ($name, $old, $new) = @_;
    $edited{$name} = 1;
    my $text = QSOsync::Front::read_file("$copy/$name");
    my $at = index $text, $old;
    die "$name: $old" if $at < 0;
    substr $text, $at, length $old, $new;
    QSOsync::Front::write_file("$copy/$name", $text);
}
sub output_of { my ($command) = @_; return scalar `($command) 2>&1` }
sub embed {
    my ($kind, @migrations) = @_;
    my $others = "'$copy/schema/schema.sql' '$copy/schema/views.sql' '$copy'/schema/statements/*.sql";
    return output_of("perl '$copy/src/build/embed-sql' $kind '$copy/schema/fields.json' @migrations $others");
}

# The field needs a row. The build names a missing property, and a mode for which the schema has no place.
my $row = <<'END';
    {
      "name": "weather", "column": "weather", "kind": "text", "maximum": 80,
      "label": "Weather",
      "description": "Weather at the station.",
      "example": "Sunny"
    },
END
my @older = sort glob "$copy/schema/migrations/[0-9]*.sql";
sub build_said { return output_of("perl '$copy/src/build/fields' '$copy/schema/fields.json' $_[0]") }
my $before = qq(    {\n      "name": "sendSpot");
edit('schema/fields.json', $before, $row . $before);
my $whole = QSOsync::Front::read_file("$copy/schema/fields.json");
for my $case (['"text"', '"txet"', 'its kind is not known'], [', "maximum": 80', '', 'it has no maximum'],
    [qq(,\n      "example": "Sunny"), '', 'it has no description or no example'],
    ['"label"', '"lable"', 'lable is not a property of a row']) {
    my ($old, $new, $said) = @$case;
    QSOsync::Front::write_file("$copy/schema/fields.json", $whole =~ s/(weather.*?)\Q$old\E/$1$new/sr);
    like build_said('rows'), qr/fields\.json: weather: \Q$said\E/, "the build names the fault of a row: $said";
}
QSOsync::Front::write_file("$copy/schema/fields.json", $whole);
my $modes = '["CW"], ["DIGITAL", "Digital"]';
edit('schema/fields.json', $modes, "$modes, [\"RTTY\"]");
QSOsync::Front::write_file("$copy/schema/fields.h", build_said('header'));
my $compiler = "cc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -I'$copy/src' -I'$copy' -I'$build'";
like output_of("$compiler '$copy/src/store/confirm/partners.c'"),
    qr/contact_kind has no place for another mode/, 'an eighth mode does not build without a place in contact_kind';
unlink "$copy/schema/fields.h" or die;
edit('src/store/confirm/partners.c', '#define CONTACT_KIND_MODES 8', '#define CONTACT_KIND_MODES 16');
edit('schema/fields.json', '["ECARD", "Electronic card"]', '["ECARD", "Electronic card"], ["PIGEON"]');
my $next = sprintf '%s/schema/migrations/%04d_weather.sql', $copy, 1 + @older;
$edited{$next} = 1;
QSOsync::Front::write_file($next, <<'END');
ALTER TABLE qsos ADD COLUMN weather TEXT CHECK (length(weather) BETWEEN 1 AND 80);
DROP VIEW IF EXISTS readable_qsos;
ALTER TABLE qsos ADD COLUMN new_qsl_via INTEGER CHECK (new_qsl_via BETWEEN 0 AND 4);
UPDATE qsos SET new_qsl_via = qsl_via;
ALTER TABLE qsos DROP COLUMN qsl_via;
ALTER TABLE qsos RENAME COLUMN new_qsl_via TO qsl_via;
DROP INDEX qsos_by_contact;
DROP INDEX qsos_by_operator;
DROP INDEX qsos_under_callsign;
ALTER TABLE qsos DROP COLUMN contact_kind;
ALTER TABLE qsos ADD COLUMN new_mode INTEGER CHECK (new_mode BETWEEN 0 AND 7);
UPDATE qsos SET new_mode = mode;
ALTER TABLE qsos DROP COLUMN mode;
ALTER TABLE qsos RENAME COLUMN new_mode TO mode;
ALTER TABLE qsos ADD COLUMN contact_kind INTEGER GENERATED ALWAYS AS (
    CASE WHEN confirmed_by IS NOT NULL THEN -1
        WHEN callsign_worked IS NULL OR qso_status IS 0 THEN NULL
        ELSE ifnull(channel, 0) * 16
            + CASE WHEN mode IS NULL THEN 0 WHEN mode IN (3, 4) THEN 3 ELSE mode + 1 END
    END) VIRTUAL;
CREATE INDEX qsos_by_contact
ON qsos (member_id, slot, worked_key, operator_key, contact_kind, slot_ms);
CREATE INDEX qsos_by_operator ON qsos (worked_key, slot, operator_key, member_id)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;
CREATE INDEX qsos_under_callsign ON qsos (operator_key)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;
END
my $case = qq(E\tqslVia\t"ECARD"\t="ECARD"\n);
edit('t/data/fields.tsv', $case, $case . join '', map { qq(E\t$_->[0]\t"$_->[1]"\t="$_->[1]"\n) }
    [qslVia => 'PIGEON'], [mode => 'RTTY'], [weather => 'Sunny, <b>50 %']);
is scalar(keys %edited), 4, 'a new field, choice and mode together change four files';

# A section of the profile needs a module, a place and a link in the page, a row, and a line in Makefile.am.
%edited = ();
sub add {
    my ($name, $text) = @_;
    $edited{$name} = 1;
    QSOsync::Front::write_file("$copy/$name", $text);
}
add('src/web/pages/profile/weather.js', <<'END');
// The weather at the stations that a member has worked.
import { element, find } from "../../shared/page.js";
import { say } from "../../shared/language.js";

export async function showWeather() {
  find("weather-now").replaceChildren(element("p", {}, say("Sunny at most stations")));
}
END
edit('src/web/pages/profile/profile.html', '<section id="section-history"', <<'END' . '<section id="section-history"');
<section id="section-weather" aria-labelledby="weather-title" hidden>
<h2 id="weather-title" tabindex="-1" data-say>Weather</h2>
<div id="weather-now"></div>
</section>

END
edit('src/web/pages/profile/profile.html', '<li><a class="go" href="#profile/history">', <<'END'
<li><a class="go" href="#profile/weather"><b data-say>Weather</b></a></li>
END
    . '<li><a class="go" href="#profile/history">');
my $next_section = qq{  section(\n    "profile/history"};
edit('src/web/pages/profile/profile.js', $next_section, <<'END' . $next_section);
  section(
    "profile/weather",
    () => [import("./weather.js")],
    (module) => module.showWeather(),
  ),
END
edit('Makefile.am', 'src/web/pages/profile/whose-log.js',
    'src/web/pages/profile/weather.js src/web/pages/profile/whose-log.js');
is scalar(keys %edited), 4, 'a new section changes four files, in addition to its translations';

# A language needs a file, and its name in Makefile.am. Texts without a translation are shown in English.
%edited = ();
add('src/languages/hu.po', <<'END');
# Magyar
msgid ""
msgstr ""
"Language: hu\n"
"X-Language-Name: Magyar\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "Weather"
msgstr "Időjárás"
END
edit('Makefile.am', 'languages = de es fr', 'languages = de es fr hu');
is scalar(keys %edited), 2, 'a new language changes two files';

my @programs = qw(qsosync.fcgi qsosync-site.fcgi qsosync-admin clients/qsosync.py);
my $output = output_of("cd '$copy' && ./configure -q CFLAGS=-O0 && make -s -j2");
ok !(grep { !-e "$copy/$_" } @programs), 'the copy builds' or BAIL_OUT($output);
($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD) = ($copy, $copy);

# Only the start of a program can find a forgotten migration.
sub start_with {
    my ($name, $text) = @_;
    QSOsync::Front::write_file("$copy/variant.c", $text);
    QSOsync::Variant::compile("$copy/variant.c", "$copy/$name.o");
    QSOsync::Variant::link_program('qsosync-admin', "$copy/admin-$name", "$copy/$name.o");
    return output_of("'$copy/admin-$name' --db '$copy/$name.db' init; echo status \$?");
}
like start_with('migration', embed('source', @older)), qr/\bweather\b.*\nstatus 1$/m,
    'a program without the migration does not start, and its log names the column';

# The API and its description have the field.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $qso = full_qso(qslVia => 'PIGEON');
is $qso->{weather}, 'Sunny, <b>50 %', 'the new cases add the field to the tests of whole QSOs';
my $pmr = full_pmr_qso(weather => "\x{e5}", qsoAt => '2026-05-18T19:42:00.000Z');
my $schemas = $service->get('/openapi.json')->json->{components}{schemas};
my @described = grep { $schemas->{$_}{properties}{weather} } sort keys %$schemas;
is scalar(@described), 2, "the description has the field, sent and returned (@described)";
is $schemas->{$described[0]}{properties}{qslVia}{enum}[4], 'PIGEON', 'the description has the new choice';
is_deeply [map { $_->{error} } @{$service->post_batch([$qso, $pmr])->json->{results}}],
    [undef, undef], 'QSOs with the new field are saved';
sub log_of { my %log = map { $_->{clientId} => $_ } $service->download; return \%log }
sub said { my ($log, $id) = @_; return join '|', map { $log->{$id}{$_} // 'null' } 'weather', 'qslVia' }
my ($id, $pmr_id) = map { $_->{clientId} } $qso, $pmr;
is said(log_of(), $id), 'Sunny, <b>50 %|PIGEON', 'the API returns the new field and choice';
like $service->post_batch([qso(weather => 'x' x 81)])->json->{results}[0]{error},
    qr/^weather must be at most 80 characters/, 'a value that does not fit is rejected';
is $service->sqlite("SELECT weather || '|' || qsl_via FROM readable_qsos WHERE client_id = '$id'"),
    'Sunny, <b>50 %|PIGEON', 'the view for people shows the new field and choice';

# ADIF exports and imports the field, and CSV exports it.
my $file = $service->directory . '/out.adi';
$service->admin('export', '21SD333', $file);
like QSOsync::Front::read_file($file), qr/<APP_QSOSYNC_WEATHER:\d+>Sunny, %3Cb>50 %25/,
    "ADIF has the new field in a field of QSOsync's own";
$service->admin('import', '26AT101', $file, '--station-callsign', 'keep');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my @imported = @{$other->get('qsos?limit=200')->json->{items}};
is_deeply [sort map { join '|', map { $_ // 'null' } @$_{'weather', 'qslVia'} } @imported],
    [sort('Sunny, <b>50 %|PIGEON', "\x{e5}|EQSL")], 'an import restores the new field and choice exactly';
like +($service->admin_try('import', '21SD333', $file))[1], qr/^unchanged 2$/m,
    'an import of an exported file changes nothing';
$service->admin('export', '21SD333', "$file.csv", '--format', 'csv');
my ($head, @lines) = split /\r\n/, QSOsync::Front::read_file("$file.csv");
like $head, qr/(?:^|,)weather(?:,|$)/, 'the CSV file has the new column';
is scalar(grep { /"Sunny, <b>50 %"/ && /PIGEON/ } @lines), 1, 'the CSV file has the new value';

# The file with all data about a member contains the field.
my $me = QSOsync::Profile->log_in($service, '21SD333');
my %everything = map { $_->{clientId} => $_ } @{$me->get('everything.json')->json->{qsos}};
is said(\%everything, $id), 'Sunny, <b>50 %|PIGEON', 'the file with all data has the new field and choice';

# The client kit of the same release has the field, and an old kit keeps working without the field.
my $folder = $service->directory . '/folder';
mkdir $folder;
sub kit {
    my $log = $service->directory . '/kit.log';
    return QSOsync::Kit::run($log, QSOsync::Kit::environment($service), 'python3', @_);
}
my $kit = "$copy/clients/qsosync.py";
is +(kit($kit, 'sync', $folder))[0], 0, 'the kit synchronises a folder';
is said(log_of(), $id), 'Sunny, <b>50 %|PIGEON', 'a synchronised folder keeps the new field and choice';
is +(kit($kit, 'pull', "$file.pulled"))[0], 0, 'the kit writes the log as a file';
like QSOsync::Front::read_file("$file.pulled"), qr/<APP_QSOSYNC_WEATHER:\d+>Sunny, %3Cb>50 %25/,
    "the kit's file has the new field";
sub push_report {
    my ($program, $report, $mode, $worked) = (@_, 'USB', '26AT777')[0 .. 3];
    my $modes = $mode eq 'USB' ? '<MODE:3>SSB<SUBMODE:3>USB' : "<MODE:4>$mode";
    QSOsync::Front::write_file("$file.push",
        "x<EOH><CALL:7>$worked<QSO_DATE:8>20260517<TIME_ON:6>201500<FREQ:6>27.555$modes<RST_RCVD:2>$report<EOR>\n");
    my ($status, $said) = kit($program, 'push', "$file.push");
    is $status, 0, "a record with the report $report is sent" or diag $said;
}
push_report($kit, 55);
my ($pushed) = grep { ($_->{callsignWorked} // '') eq '26AT777' } $service->download;
$service->post_batch([{ %$pushed, weather => 'Fog', qslVia => 'PIGEON' }]);
for my $case (['the kit', $kit, 58], ['an old kit', $old_kit, 57]) {
    my ($name, $program, $report) = @$case;
    push_report($program, $report);
    my $log = log_of();
    is $log->{$pushed->{clientId}}{rstReceived}, $report, "$name changes the existing QSO";
    is said($log, $pushed->{clientId}), 'Fog|PIGEON', "$name keeps the new field and choice";
}

# The API's description, ADIF, confirmations, awards and spots have the new mode.
is_deeply [map { $schemas->{$_}{properties}{mode}{enum}[7] } @described], ['RTTY', 'RTTY'],
    'the description has the new mode';
push_report($kit, 59, 'RTTY', '26AT778');
my ($rtty) = grep { ($_->{callsignWorked} // '') eq '26AT778' } $service->download;
is $rtty->{mode}, 'RTTY', 'the kit reads the new mode from a file';
$service->admin('export', '21SD333', "$file.modes");
is +(kit($kit, 'pull', "$file.mode"))[0], 0, 'the kit writes the log again';
like QSOsync::Front::read_file($_), qr/^(?=.*<CALL:7>26AT778).*<MODE:4>RTTY\b/m,
    "ADIF has the new mode under its name: $_" for map { "$file.$_" } qw(modes mode);
unlike QSOsync::Front::read_file($_), qr/<QSL_SENT_VIA:\d+>(?!E)|APP_QSOSYNC_MODE/,
    "ADIF has a choice without a standard value in a field of QSOsync's own: $_" for map { "$file.$_" } qw(modes mode);
my $partner = $service->add_member('26AT102', locator => 'IO91wm');
for my $case (['00', 'RTTY', 1], ['10', 'DIGITAL', 0], ['20', 'USB', 0], ['30', undef, 1]) {
    my ($minute, $theirs, $is_confirmed) = @$case;
    my @two = map { qso(qsoAt => "2026-05-20T10:$minute:00Z", mode => $_->[0], callsignWorked => $_->[1]) }
        ['RTTY', '26AT102'], [$theirs, '21SD333'];
    $service->post_batch([$two[0]]);
    $service->post_batch([$two[1]], key => $partner->{write_key});
    my ($stored) = grep { $_->{clientId} eq $two[0]{clientId} } $service->download;
    is defined $stored->{crossConfirmedAt} || 0, $is_confirmed,
        'RTTY and ' . ($theirs // 'no mode') . ($is_confirmed ? ' confirm' : ' do not confirm') . ' each other';
}
my ($count) = grep { ($_->{mode} // '') eq 'RTTY' } @{$me->get('awards')->json->{modes}};
is_deeply $count->{divisions}, { worked => 1, confirmed => 1 }, 'the awards count the new mode';
is_deeply [uniq map { $_->{mode} } @{$me->get('qsos?mode=RTTY&limit=200')->json->{items}}], ['RTTY'],
    'Logbook filters by the new mode';
$service->post_spots(map { qso(mode => $_, callsignWorked => "26AT7$_", sendSpot => JSON::PP::true()) } qw(FM RTTY));
my $spots = $service->request('GET', '', raw_path => '/cluster/spots?mode=RTTY')->json;
is_deeply [map { $_->{spotted} } @$spots], ['26AT7RTTY'], 'spots have the new mode, and the cluster filters by it';

# The app and Logbook show the new parts.
SKIP: {
    skip QSOsync::Browser::is_missing(), 1 if QSOsync::Browser::is_missing();
    QSOsync::Browser::run($service, 'new-parts.js', QSOSYNC_CALLSIGN => $me->{callsign},
        QSOSYNC_PASSWORD => $me->{password});
}
is $service->admin('check'), '', 'the logbook passes the check';

# A property of a field's row and a line in a group map the field to a standard field of ADIF.
my $plain_row = qq("label": "Weather",);
edit('schema/fields.json', $plain_row, qq($plain_row "adif": ["MY_CITY", "text"],));
like build_said('adif-rows'), qr/fields\.json: weather: MY_CITY is not a standard field of ADIF/,
    'the build names a standard field that is in no group';
my $group = '["antenna", "MY_ANTENNA *"]';
edit('schema/fields.json', $group, qq($group, ["city", "MY_CITY *"]));
$output = output_of("cd '$copy' && make -s -j2 qsosync-admin clients/qsosync.py");
is $? >> 8, 0, 'the copy builds with the ADIF field' or diag $output;
$service->admin('export', '21SD333', "$file.standard");
like QSOsync::Front::read_file("$file.standard"), qr/<MY_CITY:3>Fog(?!.*APP_QSOSYNC_WEATHER.*<EOR>$)/m,
    'ADIF has the new field in the standard field only';
my $all = $service->sqlite("SELECT count(*) FROM qsos JOIN members m ON m.id = member_id WHERE callsign = '21SD333'");
like +($service->admin_try('import', '21SD333', "$file.standard"))[1], qr/^unchanged $all$/m,
    'an import reads the standard field';
is +(kit($kit, 'pull', "$file.city"))[0], 0, 'the kit writes a file with the standard field';
like QSOsync::Front::read_file("$file.city"), qr/<MY_CITY:3>Fog /, "the kit's file has the standard field";
edit('schema/fields.json', '["MY_CITY", "text"]', '["MY_CITY", "txet"]');
isnt system("cd '$copy' && make -s qsosync-admin >'$copy/said' 2>&1"), 0,
    'an unknown kind of an ADIF field does not build';
like QSOsync::Front::read_file("$copy/said"), qr/txet/i, 'the build names the unknown kind';

# A new route needs a file and a line in its program's list (and Makefile.am, and a test). In a copy with both, the
# program serves the route. A route without a line in the list does not build.
{
    local ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD) = ($source, $build);
    my $folder = tempdir(CLEANUP => 1);
    QSOsync::Variant::run("cp -R '$source/src' '$folder/src'");

    sub write_source {
        my ($name, $text) = @_;
        QSOsync::Front::write_file("$folder/src/$name", $text);
    }

    # Adds a route to a list, whose lines end with a backslash.
    sub add_to_list {
        my ($header, $macro, $name) = @_;
        my $text = QSOsync::Front::read_file("$folder/src/$header");
        $text =~ s/(#define \Q$macro\E\(ONE\)\s*\\\n)/$1    ONE($name) \\\n/ or die "no $macro in $header";
        write_source($header, $text);
    }

    sub compiles {
        my ($name) = @_;
        my $output =
            `cc -std=gnu11 -D_GNU_SOURCE -I'$folder/src' -I'$build' -c \\
                -o '$folder/${\($name =~ tr{/}{-}r)}.o' '$folder/src/$name.c' 2>&1`;
        return ($? == 0, $output);
    }

    # Links the program with the new route and the changed list, and returns its output as a plain CGI program.
    sub ask {
        my ($program, $layer, $name, $path) = @_;
        QSOsync::Variant::link_program($program, "$folder/$program", map({ "$folder/$layer-$_.o" } 'main', $name),
            { without => "$layer/main" });
        local %ENV = (%ENV, GATEWAY_INTERFACE => 'CGI/1.1', REQUEST_METHOD => 'GET', REMOTE_ADDR => '127.0.0.1',
            QSOSYNC_SANDBOX => 0,
            QSOSYNC_RATE_LIMIT => 0, QSOSYNC_DB => "$folder/none.db", %$path);
        return scalar `'$folder/$program' </dev/null 2>/dev/null`;
    }

    my @cases = (
        ['qsosync-site.fcgi', 'site', 'site/public/routes.h', 'PUBLIC_ROUTES',
        { SCRIPT_NAME => '', PATH_INFO => '/cluster/weather' }, <<'END'],
#include "site/public/routes.h"

static const struct error *answer(struct exchange *exchange)
{
    buffer_append_string(&exchange->response->body, "{\"weather\":\"fine\"}");
    return NULL;
}

ROUTE(weather) = {.method = METHOD_GET, .path = "/cluster/weather", .status = 200, .answer = answer};
END
        ['qsosync.fcgi', 'api', 'api/endpoint.h', 'API_ENDPOINTS',
            { SCRIPT_NAME => '/api/v1', PATH_INFO => '/weather' },
        <<'END'],
#include "api/endpoint.h"

static const struct error *answer(struct exchange *exchange)
{
    buffer_append_string(&exchange->response->body, "{\"weather\":\"fine\"}");
    return NULL;
}

ROUTE(weather) = {.method = METHOD_GET, .path = "/weather", .status = 200, .answer = answer};
END
    );
    for my $case (@cases) {
        my ($program, $layer, $header, $macro, $request, $text) = @$case;
        write_source("$layer/weather.c", $text);
        my ($good, $output) = compiles("$layer/weather");
        ok !$good, "$program: a route that the list lacks does not build";
        like $output, qr/ROUTE_NUMBER_weather/, "$program: the compiler names the missing route";
        add_to_list($header, $macro, 'weather');
        ($good, $output) = compiles("$layer/$_") and ok($good, "$program: $_ builds with the route in the list")
            || diag $output
            for qw(weather main);
        my $answer = ask($program, $layer, 'weather', $request);
        like $answer, qr/^Status: 200\b.*\{"weather":"fine"\}\z/s, "$program serves the new route" or diag $answer;
    }
}

done_testing;
