use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# The statistics of the whole log name the QSOs that were new, as t/data/log_news.tsv lists them. The app follows the
# same list (t/browser/app-logbook.js).
my $service = QSOsync::Service->start(site => 1);
my $table = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/log_news.tsv");
my ($head, @rows) = map { [split /\t/, $_, -1] } split /\n/, $table;
my @cases = map { my %row; @row{@$head} = map { $_ eq '' ? undef : $_ } @$_; \%row } @rows;
my @pmr = (frequencyMhz => undef, channel => 8);
my @qsos = map { my %qso = %$_; delete $qso{new}; qso(%qso, $qso{band} eq 'PMR446' ? @pmr : ()) } @cases;
my $me = QSOsync::Profile->log_in($service, '21SD333');

sub kinds_by_client {
    my $news = $me->get('statistics')->json->{news};
    my %kind_of = map { my $kind = $_; map { $_ => $kind } @{$news->{$kind}} } keys %$news;
    my @items = @{$me->get('qsos?limit=200')->json->{items}};
    return {map { $_->{clientId} => $kind_of{$_->{id}} // '' } @items};
}

is_deeply [grep { $_->{error} } @{$service->post_batch(\@qsos)->json->{results}}], [], 'the QSOs are saved';
my $kinds = kinds_by_client();
is $kinds->{$qsos[$_]{clientId}}, $cases[$_]{new} // '', "the QSO at $cases[$_]{qsoAt} is new as listed"
    for 0 .. $#qsos;
ok !exists $me->get('statistics?band=PMR446')->json->{news}, 'the statistics of a part of the log name no new QSOs';

# Editing and deleting QSOs changes which QSOs are new.
$service->post_batch([{%{$qsos[0]}, callsignWorked => '30SD1'}]);
$kinds = kinds_by_client();
is_deeply [map { $kinds->{$qsos[$_]{clientId}} } 0, 1], ['division', 'division'],
    'if the first QSO of a division gets another division, the next QSO is the first';

# The map marks the places of the latest new divisions.
sub new_callsigns { [map { $_->{callsign} } @{$me->get('statistics')->json->{newPlaces}}] }
$service->post_batch([qso(callsignWorked => '43AT1', dxLocator => 'QF22', qsoAt => '2026-03-01T10:00:00Z'),
    qso(callsignWorked => '19AT1', dxLocator => 'JO21', qsoAt => '2026-02-01T10:00:00Z'),
    qso(callsignWorked => '2AT1', dxLocator => undef, qsoAt => '2026-03-02T10:00:00Z')]);
is_deeply new_callsigns(), ['43AT1', '19AT1'],
    'the new places are those of the divisions of the last thirty days with a known place, the latest first';
my ($place) = @{$me->get('statistics')->json->{newPlaces}};
my @points = @{$me->get('map')->json->{points}};
ok scalar(grep { ($_->[5] // '') eq $place->{callsign} && "@$_[0, 1]" eq "@$place{qw(lat lng)}" } @points),
    'a new place is a point of the map';
ok !exists $me->get('statistics?band=PMR446')->json->{newPlaces},
    'the statistics of a part of the log name no new places';
$service->stop;
done_testing;
