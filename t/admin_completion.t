use QSOsync::Test fronts => 'none';

# Bash completes the commands of qsosync-admin. The test calls the completion function as bash does.
plan skip_all => 'bash is not installed' if system('bash -c : 2> /dev/null') != 0;
my $service = QSOsync::Service->start;
$service->add_member('21SD777');
my $script = "$QSOsync::Front::SOURCE/src/admin/completion/qsosync-admin";
my $asks = '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _qsosync_admin; printf "%s\n" "${COMPREPLY[@]}"';

sub completes {
    my ($typed, @expected) = @_;
    my @words = length $typed ? split(/ /, $typed, -1) : '';
    open my $bash, '-|', 'bash', '-c', $asks, 'bash', $script, "$QSOsync::Front::BUILD/qsosync-admin", @words
        or die "bash: $!";
    my @found = grep { length } map { chomp; $_ } <$bash>;
    is_deeply [sort @found], [sort @expected], "completion of '$typed' offers '@expected'";
}

my %help;
for (split /\n/, $service->admin('--help')) {
    next unless /^  ([a-z][a-z-]*) ?([a-z][a-z-]*|)/;
    my ($word, $next) = ($1, $2);
    my $others = $help{$word} ||= [];
    push @$others, $next if $next && !grep { $_ eq $next } @$others;
}
completes('', keys %help);
completes("$_ ", @{$help{$_}}) for grep { @{$help{$_}} } sort keys %help;
# Completion offers every option of every command in the help, and every word that such an option accepts. If a command
# has several forms, completion before the arguments offers the options of all forms.
my (%forms, %choices);
for (split /\n/, $service->admin('--help')) {
    my ($words, $usage) = /^  ((?:[a-z][a-z-]* ?)+)(.*?)(?:   .*)?$/ or next;
    $words =~ s/ \z//;
    my @options = $usage =~ /(--[a-z-]+)/g;
    my @arguments = grep { !/\A--/ } split ' ', $usage =~ s/--[a-z-]+ [A-Za-z0-9|]+(?=\]|$| )//gr =~ tr/[]|/   /r;
    my $typed = grep { $usage !~ /\|/ && $usage !~ /\[\Q$_\E/ } @arguments;
    push @{$forms{$words}}, { options => \@options, arguments => scalar @arguments, typed => $typed };
    push @{$choices{"$words@{[' x' x $typed]} $1"}}, split /\|/, $2
        while $usage =~ /(--[a-z-]+) ([A-Za-z0-9]+(?:\|[A-Za-z0-9]+)+)/g;
}
for my $words (sort keys %forms) {
    for my $form (@{$forms{$words}}) {
        my %option = map { $_ => 1 } '--db', '--help',
            map { @{$_->{options}} } grep { $_->{arguments} >= $form->{typed} } @{$forms{$words}};
        completes("$words@{[' x' x $form->{typed}]} --", sort keys %option);
    }
}
completes("$_ ", @{$choices{$_}}) for sort keys %choices;
completes('mem', 'member');
completes('member dis', 'disable');
completes('key add 21SD333 --n', '--name');
completes('key add 21SD333 --name x --scope ', 'READ', 'WRITE');
completes('key add 21SD333 --scope = W', 'WRITE');
completes('member list --j', '--json');
completes('--db ' . $service->db . ' member disable 21sd', '21SD333', '21SD777');
completes('--db ' . $service->directory . '/da', $service->directory . '/data');
completes('backup ' . $service->db, glob $service->db . '*');
completes('--db ' . $service->db . ' restore FILE --member 26', ());
completes('--db ' . $service->db . ' restore FILE --member 21sd7', '21SD777');
completes('member list ');

done_testing;
