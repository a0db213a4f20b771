use QSOsync::Test fronts => 'none';
use POSIX ();

# qsosync-admin backup --to DIR --thin keeps fewer copies of older backups. The command does not keep a copy that equals
# the previous copy.
my $service = QSOsync::Service->start;
$service->post_batch([map { full_qso() } 1 .. 20]);
sub is_refused {
    my ($expected, $pattern, @arguments) = @_;
    my ($status, $output, $errors) = $service->admin_try('backup', @arguments);
    is "$status $output", "$expected ", "'backup @arguments' is refused";
    like $errors, qr/\Aqsosync-admin: $pattern[^\n]*\n\z/, "'backup @arguments' prints the reason in one line";
}

my $folder = $service->directory . '/thinned';
mkdir $folder or die;
my $thin = sub { [$service->admin_try('backup', '--to', $folder, '--thin')] };
my $files = sub { [map { m{([^/]+)\z} } sort glob "$folder/*"] };
my $now = time;
my $empty = pack 'a16 n x10 N x480', "SQLite format 3", 512, 1; # enough bytes to look complete
my $name = sub { POSIX::strftime('qsosync-%Y-%m-%dT%H%M%SZ.db', gmtime $_[0]) };
# Depending on the age, only the newest copy of each ten minutes, hour, day or month stays. The test itself calculates
# which copies in a random series over two years must stay.
my $seed = $ENV{QSOSYNC_TEST_SEED} // int rand 1e6;
diag "QSOSYNC_TEST_SEED=$seed";
srand $seed;
my %group_of;
my $step = sub { 1 + int rand($_[0] < 86_400 ? 400 : $_[0] < 8 * 86_400 ? 2_000 : 40_000) };
for (my $age = 120; $age < 2 * 366 * 86_400; $age += $step->($age)) {
    my $made = $now - $age;
    # near these limits, the result depends on the machine's speed
    next if grep { abs($age - $_ * 86_400) < 60 } 1, 7, 31, 366;
    my $text = POSIX::strftime('%Y-%m-%dT%H%M', gmtime $made);
    my $of = $age < 86_400 ? 14 : $age < 7 * 86_400 ? 13 : $age < 31 * 86_400 ? 10 : $age < 366 * 86_400 ? 7 : 0;
    QSOsync::Front::write_file("$folder/" . $name->($made), $empty);
    $group_of{$name->($made)} = [$of, substr($text, 0, $of)];
}
my @names = sort keys %group_of;
my @expected = grep {
    my ($one, $next) = @names[$_, $_ + 1];
    my ($of, $group) = @{$group_of{$one}};
    $of && (!$next || substr($next =~ s/\Aqsosync-//r, 0, $of) ne $group);
} 0 .. $#names;
is $thin->()->[0], 0, 'a copy is added to a folder with many copies';
my @left = @{$files->()};
my $new = pop @left;
ok $new ge $name->($now) && -s "$folder/$new", 'the new copy is the newest';
# The other copies are at least two minutes old. The previous copy can be from the same ten minutes as the new copy.
my @wanted = @names[@expected];
pop @wanted if substr($wanted[-1], 0, 22) eq substr($new, 0, 22);
is_deeply \@left, \@wanted,
    'the newest copy of each ten minutes, hour, day and month stays, and no copy older than a year';
sleep 1;
my ($status, $said) = @{$thin->()};
is "$status " . scalar(@{$files->()}), '0 ' . (@left + 1), 'a copy that equals the previous copy is not kept';
$service->post_batch([qso(callsignWorked => '26AT9')]);
sleep 1;
is $thin->()->[0], 0, 'a backup after a write succeeds';
my $last = $files->()->[-1];
isnt $last, $new, 'a backup after a write adds a copy';
is `sqlite3 '$folder/$last' "SELECT count(*) FROM qsos WHERE callsign_worked = '26AT9'"`, "1\n",
    'the new copy contains the write';
my $made = JSON::PP::decode_json($service->admin('status', '--json'))->{lastBackup};
ok $made, 'status reports a last backup';
is_refused(2, 'backup takes either --keep N or --thin', '--to', $folder, '--thin', '--keep', '3');
is_refused(2, 'option --thin needs --to DIR', "$folder/x.db", '--thin');

done_testing;
