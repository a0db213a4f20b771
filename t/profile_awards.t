use QSOsync::Test fronts => 'nginx', slow => 27;
use feature 'fc';
use Unicode::Normalize 'NFC';
use QSOsync::Profile;
use List::Util qw(uniq);

# For a log with the callsigns in t/data/divisions.tsv, the service's awards must equal those of a model, even after
# confirmations, changes, deletions and an undo. The app must get the same counts from the same log.
drawn_seed();
sub any { return $_[rand @_] }

my $service = QSOsync::Service->start(site => 1);
my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/divisions.tsv");
utf8::decode($text) if !utf8::is_utf8($text);
my (%division, %special);
for (map { [split /\t/] } grep { !/\A#/ } split /\n/, $text) {
    my $call = $_->[0] =~ s/\A\s+|\s+\z//gr;
    ($division{$call}, $special{$call}) = @{$_}[1, 2];
}
my @calls = sort keys %division;
my $facts = JSON::PP->new->utf8->decode(QSOsync::Front::read_file("$QSOsync::Front::SOURCE/schema/fields.json"));
my %choices = map { my $field = $_; $field->{name} => [map { $_->[0] } @{$field->{choices}}] }
    grep { $_->{choices} } @{$facts->{fields}};

my %partner = map { $_ => $service->add_member($_, locator => 'IO91wm') } '26AT101', '1/21SD333';
my $me = QSOsync::Profile->log_in($service, '21SD333');
is_deeply [@{$me->get('awards')->json}{qw(qsos confirmed unknownQsos divisions squares special years)}],
    [0, 0, 0, [], [], [], []], 'an empty log has no awards';

my $at = 1_640_995_200; # 2022
sub random_qso {
    my $call = $_[0];
    my $pmr = rand() < 0.3;
    return qso(callsignWorked => $call, qsoAt => iso_time($at += 3_600 * (1 + int rand 120)),
        band => $pmr ? 'PMR446' : 'ELEVEN_METERS', $pmr ? (channel => 8) : (),
        mode => any(undef, @{$choices{mode}}),
        dxLocator => any(undef, undef, map { ('JO' . (10 + int rand 30)) . any('', 'ab') } 1 .. 3),
        qsoStatus => any(undef, undef, 'WKD', 'HRD'), @_[1 .. $#_]);
}
sub post {
    my ($qsos, %option) = @_;
    my @rest = @$qsos;
    while (my @batch = splice @rest, 0, 200) {
        my $results = $service->post_batch(\@batch, %option)->json->{results};
        is_deeply [grep { $_->{error} } @$results], [], 'the QSOs are saved';
    }
}

# Returns a callsign in the form in which the model compares callsigns: without separators and in one case. The dotless
# i has no case pair.
sub normal { return join "\x{131}", map { NFC(uc fc $_) } split /\x{131}/, $_[0] =~ s{[ .-]}{}gr, -1 }

# Returns the subjects and names for which a QSO counts.
sub counts_for {
    my ($qso) = @_;
    my $call = $qso->{callsignWorked} // '';
    my @subjects;
    push @subjects, ['divisions', $division{$call}] if $division{$call};
    push @subjects, ['special', normal($call)] if $special{$call};
    push @subjects, ['squares', uc substr $qso->{dxLocator}, 0, 4] if $qso->{dxLocator};
    return @subjects;
}

sub first_of {
    my ($first) = sort { $a->{qsoAt} cmp $b->{qsoAt} || $a->{id} <=> $b->{id} } @_;
    return { id => "$first->{id}", qsoAt => $first->{qsoAt},
        callsign => normal($first->{callsignWorked} // '') || undef };
}
sub cells_of {
    my ($field, @qsos) = @_;
    my %has = map { (($_->{$field} // '') => 1) } @qsos;
    return [grep { $has{$_} } @{$choices{$field}}];
}

sub model {
    my (@log) = grep { ($_->{qsoStatus} // '') ne 'HRD' } @_;
    my (%found, %totals, %items, %years, %bands);
    for my $qso (@log) { push @{$found{$_->[0]}{$_->[1]}}, $qso for counts_for($qso) }
    for my $subject (qw(divisions squares special)) {
        my $names = $found{$subject} || {};
        $totals{$subject} = { worked => scalar keys %$names,
            confirmed => scalar grep { grep { $_->{crossConfirmedAt} } @$_ } values %$names };
        for my $name (keys %$names) {
            my @qsos = @{$names->{$name}};
            my @confirmed = grep { $_->{crossConfirmedAt} } @qsos;
            $items{$subject}{$name} = { qsos => scalar @qsos, confirmed => scalar @confirmed,
                bands => cells_of('band', @qsos), modes => cells_of('mode', @qsos), first => first_of(@qsos),
                @confirmed ? (confirmedBands => cells_of('band', @confirmed),
                    confirmedModes => cells_of('mode', @confirmed), firstConfirmed => first_of(@confirmed),
                    confirmedAt => (sort map { $_->{crossConfirmedAt} } @confirmed)[0]) : () };
            my $first_year = substr first_of(@qsos)->{qsoAt}, 0, 4;
            $years{$first_year}{$subject}{first}++;
            $years{$_}{$subject}{worked}++ for uniq map { substr $_->{qsoAt}, 0, 4 } @qsos;
            $years{$_}{$subject}{confirmed}++ for uniq map { substr $_->{qsoAt}, 0, 4 } @confirmed;
            $bands{$_}{$subject}{worked}++ for @{cells_of('band', @qsos)};
            $bands{$_}{$subject}{confirmed}++ for @{cells_of('band', @confirmed)};
        }
    }
    my $confirmed = grep { $_->{crossConfirmedAt} } @log;
    my @none = grep { !$division{$_} } map { $_->{callsignWorked} // '' } @log;
    return { qsos => scalar @log, confirmed => $confirmed, totals => \%totals, items => \%items, years => \%years,
        bands => \%bands, unknownQsos => scalar(grep { normal($_) =~ /\A[0-9]/ } @none),
        withoutNumber => scalar(grep { normal($_) !~ /\A[0-9]/ } @none) };
}

# Returns the service's answer in the model's format.
sub said {
    my ($answer) = @_;
    my (%items, %years, %bands);
    for my $subject (qw(divisions squares special)) {
        for (@{$answer->{$subject}}) {
            my %item = %$_;
            my $name = delete $item{name};
            delete @item{qw(country iso)};
            $items{$subject}{$name} = \%item;
        }
        for (@{$answer->{years}}) {
            my %counts = %{$_->{$subject}};
            delete $counts{$_} for grep { !$counts{$_} } keys %counts;
            $years{$_->{year}}{$subject} = \%counts if %counts;
        }
        for (@{$answer->{bands}}) {
            my %counts = %{$_->{$subject}};
            delete $counts{$_} for grep { !$counts{$_} } keys %counts;
            $bands{$_->{band}}{$subject} = \%counts if %counts;
        }
    }
    return { (map { $_ => $answer->{$_} } qw(qsos confirmed totals unknownQsos withoutNumber)), items => \%items,
        years => \%years, bands => \%bands };
}

# Returns the counts and the table that the app's modules compute from the QSOs.
my $has_node = system('node --version >/dev/null 2>&1') == 0;
sub counted_by_app {
    my (@log) = @_;
    my $folder = $service->directory;
    QSOsync::Front::write_file("$folder/qsos.json", JSON::PP->new->utf8->encode(\@log));
    my $modules = "$QSOsync::Front::BUILD/app";
    my $status = system('node', '--input-type=module', '-e', <<'END', $modules, $folder);
import { readFileSync, writeFileSync } from "node:fs";
const [modules, folder] = process.argv.slice(1);
const { Counts } = await import(`${modules}/award-counts.js`);
const { formatCsv } = await import(`${modules}/award-table.js`);
const counts = new Counts();
for (const qso of JSON.parse(readFileSync(`${folder}/qsos.json`, "utf8"))) counts.add(qso);
const awards = counts.end();
writeFileSync(`${folder}/counts.json`, JSON.stringify({ awards, table: formatCsv(awards) }));
END
    is $status, 0, "the app's modules run";
    return JSON::PP->new->utf8->decode(QSOsync::Front::read_file("$folder/counts.json"));
}
sub compare_with_app {
    my ($name, $query, @log) = @_;
    my $app = counted_by_app(@log);
    is_deeply $app->{awards}, $me->get("awards$query")->json, "$name: the app and the service have the same counts";
    my $table = $me->get("awards.csv$query")->body;
    utf8::decode($table);
    is $app->{table}, $table, "$name: the app and the service have the same table";
}

sub compare {
    my ($name) = @_;
    my @log = $service->download;
    compare_with_app($name, '', @log) if $has_node;
    is_deeply said($me->get('awards')->json), model(@log), "$name: the counts equal the model";
    my ($year, $band) = (2022 + int rand 3, any('ELEVEN_METERS', 'PMR446'));
    my $query = "?year=$year&band=$band&mode=USB";
    my @part = grep { $_->{qsoAt} =~ /\A$year/ && $_->{band} eq $band && ($_->{mode} // '') eq 'USB' } @log;
    is_deeply said($me->get("awards$query")->json), model(@part),
        "$name: the counts of a year, a band and a mode equal the model";
    compare_with_app("part of $name", $query, @part) if $has_node;
}

my @ten = map { random_qso($_) } @calls[0 .. 9];
post(\@ten);
compare('ten QSOs');
my @all = (@ten, map { random_qso($_) } @calls[10 .. $#calls]);
post([@all[10 .. $#all]]);
compare('all callsigns');

my @confirmable = map { my $call = $_;
    map { qso(callsignWorked => $call, qsoAt => iso_time($at += 86_400), mode => 'USB',
        dxLocator => any('IO91', 'IO92')) } 1 .. 3 } sort keys %partner;
post(\@confirmable);
for my $call (sort keys %partner) {
    post([map { { %$_, clientId => uuid(), callsignWorked => '21SD333' } }
        grep { $_->{callsignWorked} eq $call } @confirmable], key => $partner{$call}{write_key});
}
compare('confirmed by other members');
cmp_ok $me->get('awards')->json->{confirmed}, '==', @confirmable, 'all QSOs that other members also have are confirmed';

my $key = $service->admin('key', 'add', '21SD333', '--name', 'tablet', '--scope', 'WRITE');
my @changed = map { { %$_, callsignWorked => any(@calls), mode => 'AM', dxLocator => 'JN58' } }
    @all[20 .. 80], $confirmable[0];
post(\@changed, key => $key);
compare('changed');
$service->delete_qso($_->{clientId}) for @all[90 .. 120], $confirmable[1];
compare('deleted');
$service->admin('undo', '21SD333', '--by', 'tablet', '--since', '2020-01-01T00:00:00Z');
compare('undone');
cmp_ok $me->get('awards')->json->{confirmed}, '==', @confirmable - 1, 'undoing a change confirms the changed QSO again';

# The answer also lists missing divisions, thresholds and unknown callsigns.
my $answer = $me->get('awards')->json;
my %is_worked = map { $_->{name} => 1 } @{$answer->{divisions}};
my %is_missing = map { $_->{number} => 1 } @{$answer->{missing}};
my @abolished = (7, 46, 87, 139, 166, 179, 292, 295, 322, 324, 326);
is_deeply [sort { $a <=> $b } keys %{{ %is_worked, %is_missing, map { $_ => 1 } @abolished }}], [1 .. 352],
    'each division is worked, missing or abolished';
is_deeply [grep { $is_missing{$_} } keys %is_worked, @abolished], [], 'a worked or abolished division is not missing';
my ($germany) = grep { $_->{name} eq '13' } @{$answer->{divisions}};
is "$germany->{country} $germany->{iso}", 'Germany DE', 'a division has its country';
my @first = sort map { $_->{first}{qsoAt} } @{$answer->{divisions}};
for my $threshold (grep { $_->{subject} eq 'divisions' } @{$answer->{thresholds}}) {
    is $threshold->{workedAt}, $first[$threshold->{items} - 1],
        "the threshold of $threshold->{items} divisions has the date of the QSO that reached it";
    is $threshold->{confirmedAt}, undef, "the threshold of $threshold->{items} divisions is not confirmed";
}
is_deeply [map { $_->{name} } grep { $_->{name} =~ /\A26AT101/ } @{$answer->{unknown}}], [],
    'a known division is not listed as unknown';
ok((grep { $_->{name} eq '999AT999' } @{$answer->{unknown}}) || (grep { ($_->{callsignWorked} // '') eq '999AT999'
    && ($_->{qsoStatus} // '') eq 'HRD' } $service->download), 'an unknown division is listed as unknown');

post([qso(callsignWorked => '46AT1', qsoAt => '1989-05-01T10:00:00Z')]);
my ($abolished) = grep { $_->{name} eq '46' } @{$me->get('awards')->json->{divisions}};
is $abolished->{country}, 'East Germany', 'a worked abolished division counts';
my %missing = map { (split /,/)[1, 0] } grep { /,missing\r?\z/ } split /\n/, $me->get('awards.csv')->body;
is_deeply [grep { $missing{$_} } @abolished], [], 'the table lists no abolished division as missing';
cmp_ok scalar keys %missing, '>', 10, 'the table lists the missing divisions';

my $other = QSOsync::Profile->log_in($service, '26AT101');
is $other->get('awards')->json->{qsos}, 3, 'another member gets counts of their own log';
is $service->request('GET', '', raw_path => '/profile/data/awards')->status, 401, 'a visitor gets no counts';
is $me->get('awards?band=10m')->status, 400, 'an unknown band is refused';

# With these QSOs, the log reaches all thresholds and has many unknown callsigns. The log is compared as a whole, and by
# band, mode and year. Four of six QSOs are confirmed.
post([map { random_qso((1 + $_ % 500) . any('AT7', 'AT/DX'), qsoStatus => 'WKD',
    dxLocator => sprintf('J%s%02d', chr(ord('A') + $_ / 100), $_ % 100)) } 0 .. 1799]);
$service->sqlite('UPDATE qsos SET confirmed_by = id + 1 - 2 * (id % 2), paired_at = qso_at + id * 60000
    WHERE id / 2 % 3 < 2 AND id > (SELECT max(id) - 1798 FROM qsos)');
my @large = $service->download;
compare_with_app('a large log', '', @large) if $has_node;
is_deeply [grep { !$_->{workedAt} || !$_->{confirmedAt} } @{$me->get('awards')->json->{thresholds}}], [],
    'a large log reaches all thresholds';
for my $band (@{$choices{band}}) {
    for my $mode (@{$choices{mode}}, 'none') {
        my $year = 2022 + int rand 8;
        my @part = grep { $_->{qsoAt} =~ /\A$year/ && $_->{band} eq $band && ($_->{mode} // 'none') eq $mode } @large;
        compare_with_app("$year, $band, $mode", "?year=$year&band=$band&mode=$mode", @part) if $has_node;
    }
}
$service->stop;

done_testing;
