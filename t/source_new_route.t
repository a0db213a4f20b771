use QSOsync::Test fronts => 'none', suite => 'all';
use File::Temp qw(tempdir);
use JSON::PP ();
use QSOsync::Variant;

# What a new route costs: a file and a line in its program's list (and Makefile.am, and a test). It is tried on a copy:
# with both the program serves it, and a row that the list lacks does not build.
plan skip_all => QSOsync::Variant::missing() if QSOsync::Variant::missing();
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
my $folder = tempdir(CLEANUP => 1);
QSOsync::Variant::run("cp -R '$source/src' '$folder/src'");

sub write_source {
    my ($name, $text) = @_;
    QSOsync::Front::write_file("$folder/src/$name", $text);
}

# The lines of a list end with a backslash each.
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

# The program with the new object and a table that has its row, asked as a plain CGI program.
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
    ['qsosync-site.fcgi', 'site', 'site/routes.h', 'SITE_ROUTES',
    { SCRIPT_NAME => '', PATH_INFO => '/cluster/weather' }, <<'END'],
#include "site/routes.h"

static const struct error *answer(struct exchange *exchange)
{
    buffer_append_string(&exchange->response->body, "{\"weather\":\"fine\"}");
    return NULL;
}

ROUTE(weather) = {.method = METHOD_GET, .path = "/cluster/weather", .status = 200, .answer = answer};
END
    ['qsosync.fcgi', 'api', 'api/endpoint.h', 'API_ENDPOINTS', { SCRIPT_NAME => '/api/v1', PATH_INFO => '/weather' },
    <<'END'],
#include "api/endpoint.h"

static const struct error *answer(struct exchange *exchange)
{
    buffer_append_string(&exchange->response->body, "{\"weather\":\"fine\"}");
    return NULL;
}

ENDPOINT(weather) = {
    .route = {.method = METHOD_GET, .path = "/weather", .status = 200, .answer = answer},
    .operation_id = "getWeather",
    .summary = "The weather",
    .description = "As it is.",
    .success = "The weather.",
};
END
);
for my $case (@cases) {
    my ($program, $layer, $header, $macro, $request, $text) = @$case;
    write_source("$layer/weather.c", $text);
    my ($good, $output) = compiles("$layer/weather");
    ok !$good, "$program: a row that the list lacks does not build";
    like $output, qr/ROUTE_NUMBER_weather/, "$program: the compiler names it";
    add_to_list($header, $macro, 'weather');
    ($good, $output) = compiles("$layer/$_") and ok($good, "$program: $_ builds with it in the list") || diag $output
        for qw(weather main);
    my $answer = ask($program, $layer, 'weather', $request);
    like $answer, qr/^Status: 200\b.*\{"weather":"fine"\}\z/s, "$program serves the new route" or diag $answer;
}
my $description = ask('qsosync.fcgi', 'api', 'weather', { SCRIPT_NAME => '/api/v1', PATH_INFO => '/openapi.json' });
my ($body) = $description =~ /\r\n\r\n(.*)\z/s;
is(JSON::PP->new->utf8->decode($body)->{paths}{'/weather'}{get}{operationId}, 'getWeather',
    'the description has the new endpoint');

done_testing;
