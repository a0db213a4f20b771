use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# Whoever may not open the logbook is told by every command whose it is, and the line that fixes it.
plan skip_all => 'needs root, to be two users' if $> != 0;
my @owner = getpwnam 'daemon';
my @stranger = getpwnam 'nobody';
plan skip_all => 'needs the users daemon and nobody' if !@owner || !@stranger;
my $program = QSOsync::Front::program('qsosync-admin');
my $copy = tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $copy or die;
system('install', '-m', '755', $program, "$copy/qsosync-admin") == 0 or die;

# As a user; the exit status and what is said.
sub run_as {
    my ($user, @arguments) = @_;
    open my $output, '-|', 'setpriv', '--reuid', $user->[2], '--regid', $user->[3], '--clear-groups', 'sh', '-c',
        '"$@" 2>&1 < /dev/null',
        'sh', "$copy/qsosync-admin", @arguments or die "setpriv: $!";
    my $said = join '', <$output>;
    close $output;
    return ($? >> 8, $said);
}

my $folder = "$copy/data";
mkdir $folder or die;
chown @owner[2, 3], $folder or die;
my $db = "$folder/logbook.db";
is +(run_as(\@owner, '--db', $db, 'init'))[0], 0, 'the owner makes a logbook';
is +(run_as(\@owner, '--db', $db, 'backup', "$folder/copy.db"))[0], 0, 'the owner makes a backup';
chmod 0700, $folder or die;

# Every command that the help lists, with whatever it needs.
my %word = (CALLSIGN => 'A', NEW => 'B', NUMBER => 1, LOCATOR => 'JO59', NAME => "it's mine", DIR => $copy,
    'READ|WRITE' => 'READ');
my %needs = (restore => ["$folder/copy.db"], backup => ['/tmp/never.db'], import => ['A', '/dev/null'],
    'member delete' => ['A', '--yes'], undo => ['A', '--act', 1]);
my @commands = map {
    my ($words, $usage) = /\A((?:[a-z][a-z-]* ?)+)(.*)\z/;
    $words =~ s/ \z//;
    1 while $usage =~ s/\[[^][]*\]//;
    [split(/ /, $words), $needs{$words} ? @{$needs{$words}} : map { $word{$_} // $_ } split ' ', $usage];
} grep { !/\A(?:doctor|instance) / } map { /^  ([a-z].*?)(?:   *|$)/ ? $1 : () } split /\n/, `$program --help`;
cmp_ok scalar @commands, '>', 20, 'the help lists the commands';
for my $case ([$folder, 0700], [$db, 0711]) {
    my ($refusing, $mode) = @$case;
    chmod $mode, $folder or die;
    for (@commands) {
        my @line = ('--db', $db, @$_);
        my ($status, $said) = run_as(\@stranger, @line);
        is $status, 1, sprintf "folder of mode %o: '@$_' of a stranger is refused", $mode;
        my $words = join ' ', map { /\A[\w\-.\/]+\z/ ? $_ : "'" . s/'/'\\''/gr . "'" } @line;
        is $said, "qsosync-admin: $refusing belongs to daemon; run: runuser -u daemon -- qsosync-admin $words\n",
            "'@$_' says whose the logbook is, and the command to run";
    }
}
for my $case ([$folder, 0700], [$db, 0711]) {
    my ($refusing, $mode) = @$case;
    chmod $mode, $folder or die;
    my ($status, $said) = run_as(\@stranger, '--db', $db, 'doctor');
    is $status, 1, sprintf 'folder of mode %o: the doctor is no use to a stranger', $mode;
    my $doctor = "qsosync-admin --db $db doctor";
    like $said,
        qr/^trouble  database      \Q$refusing belongs to daemon; fix: runuser -u daemon -- $doctor\E$/m,
        'the doctor says in its own form whose the logbook is, and the command to run';
}
chmod 0711, $folder or die;
my (undef, $said) = run_as(\@stranger, '--db', $db, 'member', 'add', 'A', '--locator', 'JO59');
my ($line) = $said =~ /run: (.*)/;
is system('sh', '-c', "PATH=$copy:\$PATH $line"), 0, 'the line works when root pastes it';
chmod 0711, $folder or die;
like +(run_as(\@owner, '--db', $db, 'member', 'list'))[1], qr/^A /m, 'the pasted line does what was wanted';

done_testing;
