use QSOsync::Test fronts => 'nginx', suite => 'all', slow => 30;
use QSOsync::Kit;
use File::Temp qw(tempdir);

# Authors install the client kit as a package, from its file and without a network, and use it as the package's README
# describes. The test runs the README's own lines.
my $source = $QSOsync::Front::SOURCE;
my $build = $QSOsync::Front::BUILD;
my $place = tempdir(CLEANUP => 1);
sub run_line { return system('bash', '-c', "cd $place && { $_[0]\n} >$place/said 2>&1") == 0 }
sub said { return QSOsync::Front::read_file("$place/said") }
my ($version) = QSOsync::Front::read_file("$source/configure.ac") =~ /^AC_INIT\(\[qsosync\], \[([^\]]+)\]/m;
plan skip_all => 'needs ./bootstrap --browser, python3-setuptools and python3-wheel'
    if !run_line("npm --version && test -x $source/t/browser/node_modules/.bin/tsc"
        . " && /usr/bin/python3 -c 'import setuptools, wheel'");

my $pack = "$source/src/build/client-packages $source $build/clients $version 1700000000";
ok run_line("$pack first && TZ=Asia/Tokyo umask 077 && $pack second"), 'the kit is built into packages' or diag said();
my ($module, $wheel) = ("first/qsosync-$version.tgz", "first/qsosync-$version-py3-none-any.whl");
ok -s "$place/$_", "$_ has the version in configure.ac" for $module, $wheel;
ok run_line('for file in first/*; do cmp "$file" "second/${file#first/}" || exit; done'),
    'the same version always gives the same bytes' or diag said();

my $service = QSOsync::Service->start;
sub run_client {
    my ($environment, @command) = @_;
    my $key = $service->write_key;
    return QSOsync::Kit::run("$place/log.txt", { QSOSYNC_URL => $service->base_url, QSOSYNC_KEY => $key,
        HOME => $place, %$environment }, 'sh', '-c', 'cd "$0" && exec "$@"', $place, @command);
}
sub lines_of {
    my ($language, $readme) = @_;
    my ($lines) = $readme =~ /^```$language\n(.*?)^```$/ms or die "the README has no lines in $language";
    return $lines;
}
# The time of the program's QSO, which differs in each run.
my $count = 0;
sub time_of_run { return sprintf '2026-05-17T19:%02d:00.000Z', $count++ }
sub is_stored {
    my ($time, $rule) = @_;
    is scalar(grep { $_->{qsoAt} eq $time && $_->{band} eq 'PMR446' && $_->{channel} == 8 } $service->download), 1,
        $rule;
}

# JavaScript.
QSOsync::Front::write_file("$place/package.json", '{"type": "module", "private": true}');
ok run_line("npm_config_cache=$place/cache npm install ./$module --offline --no-audit --no-fund"),
    'npm installs the package from its file, without a network' or diag said();
my $program = lines_of('js', QSOsync::Front::read_file("$place/node_modules/qsosync/README.md"));
cmp_ok scalar(grep { /\S/ } split /\n/, $program), '<=', 12, 'the README needs at most ten lines and two imports';
for my $run (1, 2) {
    my $time = time_of_run();
    QSOsync::Front::write_file("$place/logger.js", $program =~ s/new Date\(\)\.toISOString\(\)/"$time"/r);
    my ($status, $output) = run_client({}, 'node', 'logger.js');
    is $status, 0, "the README's JavaScript runs: run $run" or diag $output;
    like $output, qr/^done$/m, "the README's JavaScript synchronises: run $run";
    is scalar(() = $output =~ /^2026-05-17/mg), $run, "the file keeps the log between two runs: run $run";
    is_stored($time, "the service has the QSO of the README's JavaScript: run $run");
}
my ($status, $output) = run_client({ QSOSYNC_URL => 'http://127.0.0.1:9/api/v1' }, 'node', 'logger.js');
like $output, qr/^no answer\n(waits 2026-05-17T19:01:00\.000Z undefined\n)?2026/m,
    'the log on the disk remains if the service does not answer';

# A program that logs until somebody kills it. Each printed clientId was saved.
QSOsync::Front::write_file("$place/log.mjs", <<'END');
import { LocalLog, Log } from "qsosync";
import { FileStorage } from "qsosync/file";
import { writeSync } from "node:fs";
const log = new LocalLog(new FileStorage("killed.qsosync"));
const service = new Log(process.env.QSOSYNC_URL, process.env.QSOSYNC_KEY);
if (process.env.ROUND)
  for (let number = 0; ; number++) {
    const notes = `${process.env.ROUND} ${number}`;
    writeSync(1, `${await log.save({ band: "PMR446", channel: 1, qsoAt: "2026-05-18T10:00:00Z", notes })}\n`);
    if (number % 10 === 9) await log.synchronise(service);
  }
console.log(await log.synchronise(service));
END
my @saved;
for my $round (1 .. 5) {
    QSOsync::Kit::run_and_kill("$place/log.txt", { QSOSYNC_URL => $service->base_url,
        QSOSYNC_KEY => $service->write_key, ROUND => $round }, 0.3 + 0.2 * $round, 'sh', '-c',
        'cd "$0" && exec node log.mjs', $place);
    push @saved, QSOsync::Front::read_file("$place/log.txt") =~ /^([0-9a-f-]{36})$/mg;
}
cmp_ok scalar(@saved), '>', 5, 'the killed program saved QSOs';
($status, $output) = run_client({}, 'node', 'log.mjs');
is $output, "done\n", 'a program that was killed synchronises at its next start';
my %stored = map { $_->{clientId} => $_ } $service->download;
is join(' ', grep { !$stored{$_} } @saved), '', 'every QSO that a killed program saved is in the log';
my %notes;
$notes{$_->{notes}}++ for grep { defined $_->{notes} } values %stored;
is join(' ', grep { $notes{$_} > 1 } keys %notes), '', 'no QSO of a killed program is in the log twice';

# TypeScript.
QSOsync::Front::write_file("$place/logger.ts", "declare const process: { env: Record<string, string> };\n$program"
    . "const qsos = await readLog(storage);\nconst time: string = qsos[0].qsoAt;\nconsole.log(time);\n");
my $compile = "$source/t/browser/node_modules/.bin/tsc --strict --noEmit --target es2022 --module nodenext"
    . " --typeRoots $place/none --lib es2022,dom logger.ts";
ok run_line($compile), "the README's lines are correct TypeScript with the package's types" or diag said();
QSOsync::Front::write_file("$place/logger.ts", "$program\nlog.save(1);\n");
ok !run_line($compile), "the package's types reject a wrong argument";

# Python.
ok run_line("python3 -m pip install --no-index --no-deps --disable-pip-version-check --target python $wheel"),
    'pip installs the wheel from its file, without a network' or diag said();
my $python = { PYTHONPATH => "$place/python", PYTHONDONTWRITEBYTECODE => 1 };
$program = lines_of('python', QSOsync::Front::read_file("$source/src/clients/packages/python.md"));
my $time = time_of_run();
QSOsync::Front::write_file("$place/logger", $program =~ s/2026-05-17T19:42:00Z/$time/r);
($status, $output) = run_client($python, 'python3', 'logger');
is $status, 0, "the README's Python runs" or diag $output;
is_stored($time, "the service has the QSO of the README's Python");
unlike $output, qr/refused/, 'the service rejects no correct QSO';
QSOsync::Front::write_file("$place/refused.py", $program =~ s/"channel": 8/"channel": 99/r);
($status, $output) = run_client($python, 'python3', 'refused.py');
like $output, qr/^refused CHANNEL_OUT_OF_RANGE \{.*'channel': 99/m, 'sync returns the QSOs that the service rejects';
($status, $output) = run_client($python, 'python3', '-c',
    'import qsosync; print(qsosync.__version__, *sorted(qsosync.__all__))');
is $output, "$version LocalLog Service ServiceError\n", 'the module states its version and its names';
($status, $output) = run_client($python, 'python3', '-m', 'qsosync', '--help');
like $output, qr/sync FOLDER/, 'the package is also a command';
for my $command (qw(qsosync qsosync-check-client qsosync-udp-bridge)) {
    ($status, $output) = run_client($python, "$place/python/bin/$command", '--help');
    is $status, 0, "the wheel installs the command $command" or diag $output;
}
SKIP: {
    skip 'mypy is installed by ./bootstrap --browser', 1 if system('mypy --version >/dev/null 2>&1') != 0;
    ok run_line("MYPYPATH=python mypy --strict --cache-dir /dev/null --follow-imports silent logger"),
        "the README's lines are correct with the wheel's types" or diag said();
}
$service->stop;

done_testing;
