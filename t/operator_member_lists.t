use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;

# An operator pastes a list of 300 members at once. The list's ten faults are reported with their lines, and no member
# is added. Without faults, all members are added, invited and exported.
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }

my $service = QSOsync::Service->start(site => 4);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($true, $false) = (JSON::PP::true(), JSON::PP::false());

sub send_list { my ($list, $dry) = @_; $operator->post('members', { list => $list, dryRun => $dry ? $true
    : $false }) }
sub members { $service->sqlite('SELECT count(*) FROM members') }

my @good = map { sprintf '13TH%03d, JO%02d', $_, $_ % 100 } 1 .. 290;
my %fault = (3 => 'NOLOCATOR', 17 => '13TH900, JO5', 18 => ', JO59', 40 => '13-TH-001, JO59',
    77 => '21 SD 333, JO59',
    100 => '13TH901, JO59, more', 101 => "13TH90\x{7}2, JO59", 200 => 'X' x 21 . ', JO59', 299 => '13TH903, ZZ99',
    300 => '13th002, JO59');
my @rest = @good;
my @lines = map { $fault{$_} // shift @rest } 1 .. 300;
for my $wrong (1, 'true', undef) {
    my $answer = $operator->post('members', { list => '13TH001, JO59', dryRun => $wrong });
    is $answer->status, 400, 'a dryRun that is neither true nor false is refused';
}
is members(), 1, 'a refused list adds no member';
is scalar @rest, 0, 'the list has 290 valid and ten invalid lines';
my $list = join "\n", @lines;

for my $dry (1, 0) {
    my $answer = send_list($list, $dry);
    is $answer->status, 200, 'a list with invalid lines gets a report';
    my $found = $answer->json;
    is_deeply [map { $_->{line} } grep { $_->{fault} } @{$found->{lines}}], [sort { $a <=> $b } keys %fault],
        'each fault is reported with its line';
    is_deeply [$found->{faults}, $found->{added}], [10, 0], 'a list with faults adds no member';
    is members(), 1, 'a list with faults changes nothing' . ($dry ? ' in a dry run' : ' outside a dry run');
    is_deeply [map { $_->{fault} } grep { $_->{fault} } @{$found->{lines}}],
        [qw(missing locator callsign twice exists more callsign callsign locator twice)],
            'each fault has its code';
    is scalar(grep { $_->{fault} && length($_->{reason}) } @{$found->{lines}}), 10, 'each fault is explained in words';
}
my $good = join "\r\n", @good;
is_deeply [@{send_list($good, 1)->json}{qw(faults added)}], [0, 0],
    'a dry run of valid lines reports no added member';
is members(), 1, 'a dry run of valid lines changes nothing';
is_deeply [@{send_list($good, 0)->json}{qw(faults added)}], [0, 290], 'valid lines are added';
is members(), 291, 'each valid line is a member';
is_deeply [@{send_list($good, 0)->json}{qw(faults added)}], [290, 0], 'adding the same list again adds no member';
is_deeply [@{send_list($_, 0)->json}{qw(faults added)}], [0, 0], 'an empty list adds nothing' for '', "\n \n";
is $operator->post('members', $_)->status, 400, 'a body without a list is refused' for {}, { list => 7 };
is $service->sqlite("SELECT count(*) FROM operator_log WHERE operator = '21SD333' AND act = 'member add'"), 290,
    'each added member is logged';

my $callsigns = join "\n", map { /^([^,]+)/ } @good;
my $invited = $operator->post('invitations', { list => $callsigns })->json;
is scalar @{$invited->{items}}, 290, 'all members can be invited at once';
my %link = map { $_->{link} => 1 } @{$invited->{items}};
is scalar keys %link, 290, 'each member has their own link';
my @table = split /\r\n/, $operator->get('members.csv')->body;
is scalar @table, 292, 'the table contains all members';
is scalar(grep { /,\d{4}-\d\d-\d\d\z/ } @table), 290, 'the table contains the last day of each invitation';

done_testing;
