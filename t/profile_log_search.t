use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use utf8;

# The search and the filter of Logbook find the QSOs that t/data/searches.json lists.
my $service = QSOsync::Service->start(site => 1);
my $table = JSON::PP->new->utf8->decode(QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/searches.json"));
my %qsos = map { $_ => qso(%{$table->{qsos}{$_}}) } keys %{$table->{qsos}};
my %name_of = map { $qsos{$_}{clientId} => $_ } keys %qsos;
is_deeply [grep { $_->{error} } @{$service->post_batch([values %qsos])->json->{results}}], [], 'the QSOs are saved';

my $me = QSOsync::Profile->log_in($service, '21SD333');
for (@{$table->{cases}}) {
    my ($text, $found, $why) = @$_;
    my @items = @{$me->get('qsos?limit=200&text=' . QSOsync::Profile::escape($text))->json->{items}};
    is join(' ', sort map { $name_of{$_->{clientId}} } @items), join(' ', sort @$found), "a search finds $why";
}
for (@{$table->{filters}}) {
    my ($wish, $found, $why) = @$_;
    my $query = join '&', map { "$_=$wish->{$_}" } sort keys %$wish;
    my @items = @{$me->get("qsos?limit=200&$query")->json->{items}};
    is join(' ', sort map { $name_of{$_->{clientId}} } @items), join(' ', sort @$found), "a filter finds $why";
    is $me->get("statistics?$query")->json->{qsos}, @$found, "the statistics count $why";
}
$service->stop;
done_testing;
