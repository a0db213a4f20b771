use QSOsync::Test fronts => 'none';
use QSOsync::English;

# The manual pages match the programs: every setting with its range and default, every command with its options, and
# every line of a worker's log.
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);

# Returns the labelled paragraphs of a manual page as [label, text, section], without roff.
sub plain {
    my ($text) = @_;
    return QSOsync::English::without_fonts($text) =~ s/^\.[A-Z]+\b *//gmr =~ s/\s+/ /gr;
}
sub paragraphs {
    my ($page) = @_;
    my ($section, @found);
    for my $part (split /^\.(?=TP|SH|SS|PP)/m, QSOsync::Front::read_file("$source/src/manual/$page")) {
        my ($label, $text) = $part =~ /\ATP\n([^\n]*)\n(.*)/s;
        $section = $1 if $part =~ /\ASH ([^\n]*)/;
        if (defined $label) { push @found, [plain($label), plain($text), $section] }
        elsif (@found && $part =~ /\APP\n(.*)/s) { $found[-1][1] .= plain(" $1") }
    }
    return @found;
}
my %pages = map { ($_ => [paragraphs("$_.8")]) }
    qw(qsosync.fcgi qsosync-site.fcgi qsosync-cluster qsosync-admin);

# Settings: the table is the output of --help.
my $help = `'$build/qsosync.fcgi' --help`;
my @settings = $help =~ /^  (QSOSYNC_\w+)[^\n]*\n +default ([^\n]*)/gm;
cmp_ok @settings / 2, '>', 5, 'the help lists the settings';
while (my ($name, $bounds) = splice @settings, 0, 2) {
    my ($default, $least, $most) = $bounds =~ /\A([^,]*)(?:, (\d+) to (\d+))?\z/;
    my ($paragraph) = grep { $_->[0] eq $name && /\S/ && $_->[1] !~ /\AAs in / } map { @$_ }
        @pages{'qsosync.fcgi', 'qsosync-site.fcgi', 'qsosync-cluster'};
    ok $paragraph, "a manual page explains $name" or next;
    next if $name eq 'QSOSYNC_DB'; # its default is chosen when the program is built
    like $paragraph->[1], $most == 1 ? qr/\b0\b.*\b1\b|\b1\b.*\b0\b/ : qr/\b$least to $most\b/,
        "the manual gives the range of $name" if defined $most;
    like $paragraph->[1], qr/\b\Q$default\E\b/, "the manual gives the default of $name" if length $default;
}

# Commands: their names, and every option with its value, in both directions.
my $option = qr/--[a-z-]+(?: (?:[A-Z][A-Z|]*|11m\|pmr446|adif\|csv|on\|off)(?![\w]))?/;
my %options_of;
my $commands = `'$build/qsosync-admin' --help` =~ s/\n\n  --db.*//sr;
for my $line (grep { /\A  [a-z]/ } split /\n/, $commands) {
    my ($words, $rest) = $line =~ /\A  ([a-z-]+(?: [a-z][a-z-]*\b)?)(?=  | [A-Z\[]| --|\z)(.*?)(?:   .*)?\z/ or next;
    $options_of{$words}{$_} = 1 for $rest =~ /$option/g;
    $options_of{$words} //= {};
}
cmp_ok keys %options_of, '>', 20, 'the help lists the commands';
for my $words (sort keys %options_of) {
    my @labels = grep { /(?:\A|\| ?)\Q$words\E(?: |\z|\[|\|)/ } map { $_->[0] } @{$pages{'qsosync-admin'}};
    ok @labels, "the manual has a paragraph for $words";
    my %written = map { ($_ => 1) } map { /$option/g } @labels;
    is join(' ', sort keys %written), join(' ', sort keys %{$options_of{$words}}),
        "the manual names the options of $words, and no others";
}

# Lines of the log. Messages that only commands of qsosync-admin print go to the person who runs the command.
my %only_commands = map { ("store/$_.c" => 1) } qw(backup backup_note candidate check restore restore_member);
my @headings = map { $_->[0] } grep { $_->[2] eq 'DIAGNOSTICS' } @{$pages{'qsosync.fcgi'}};
for my $path (map { glob "$source/src/$_/*.c" } qw(base http store worker api site feed)) {
    my ($name) = $path =~ m{src/(.*)};
    next if $only_commands{$name} || $name eq 'base/log.c';
    my $code = QSOsync::Front::read_file($path);
    my %macros = $code =~ /^#define (\w+) ("[^"\n]*")/gm;
    # A reason, "why", becomes part of a line before it is logged.
    for my $format ($code =~ /\b(?:log_line\(|buffer_print\(why,)\s*((?:"(?:\\.|[^"\\])*"|[A-Z_]+|\s+)+)/g) {
        my $line = join '', map { s{^"|"$}{}gr } map { $macros{$_} // $_ } $format =~ /"(?:\\.|[^"\\])*"|[A-Z_]+/g;
        next if $line =~ /cannot copy it, to bring/; # for a file that is only read
        next if $line eq '%.*s';                    # a reason
        $line =~ s/%(?:\.\*s|s)/GENERIC.INTERNAL_ERROR/g;
        $line =~ s/%(?:ll|z)?[du]/7/g;
        my @explained =
            grep { my $pattern = quotemeta($_) =~ s/\b(?:FILE|ACTION|REASON|NUMBER|NAME|FIELD|N|M|A|B)\b/.+/gr;
            $pattern =~ s/\\\.\\\.\\\./.*/; $line =~ /\A$pattern\z/ } @headings;
        ok @explained, "qsosync.fcgi(8) explains the line \"$line\" of $name";
    }
}

# The shipped configurations leave signing in to the program. They do not ask for a password, read a password file or
# pass a login to the program. A front server that did so would hide the sign-in page.
{
    my $source = $QSOsync::Front::SOURCE;
    my @files = grep { -f } map { glob "$source/$_/*" } qw(nginx apache src/service src/debian);
    cmp_ok scalar(@files), '>', 20, 'the configurations are found';
    my $obsolete = qr/auth_basic|authn_file|authz_user|\bAuth(?:Type|Name|UserFile|BasicProvider)\b|valid-user
        |REMOTE_USER|QSOSYNC_LOGIN|[a-z]-logins\b|member\ password/ix;
    # (put-site and the doctor contain these words, because they fix old configurations.)
    my @said = grep { -f && !/put-site\z/ } @files, "$source/README",
        glob "$source/src/manual/*.[78] $source/src/manual/papers/*";
    for my $path (@said) {
        my @lines = grep { /$obsolete/ } split /\n/, QSOsync::Front::read_file($path);
        is "@lines", '', substr($path, length "$source/") . ' leaves signing in to the program';
    }

    # No configuration removes, changes or logs cookies.
    for my $path (@files) {
        my @lines = grep { /cookie/i && !/^\s*#/ } split /\n/, QSOsync::Front::read_file($path);
        is "@lines", '', substr($path, length "$source/") . ' passes cookies on unchanged';
    }

    # nginx refuses to reload if a zone has another key than before, so the name of a zone contains its key. (nginx
    # accepts another size or rate, and any change of other kinds of zones.)
    my $zones = 0;
    for my $path (grep { -f } glob "$source/nginx/* $source/src/container/*.conf") {
        for my $line (grep { !/^\s*#/ && /\bzone |zone=|shared:/ } split /\n/, QSOsync::Front::read_file($path)) {
            my ($key, $name) = $line =~ /^limit_(?:conn|req)_zone (\S+) zone=(\w+):/;
            next if $line =~ /^\s*(?:limit_req zone=|ssl_session_cache shared:)/;
            my $by = join '_', ($key // '') =~ /\$qsosync_(\w+?)(?=\$|\z)/g;
            like $name // $line, qr/^qsosync_[a-z]+_by_\Q$by\E\z/,
                'the name of a zone contains the variables of its key';
            $zones++;
        }
    }
    is $zones, 3, 'all zones are found';

    # Every place that makes the folder of the logbook opens it only to its own user.
    for my $path ("$source/README", grep { -f } map { glob "$source/src/$_/*" }
        qw(service debian manual manual/papers)) {
        my $text = QSOsync::Front::read_file($path);
        my @modes = ($text =~ m{chmod (7\d\d) \S*var/lib/qsosync}g, $text =~ m{StateDirectoryMode=0(\d+)}g,
            $text =~ m{^d /var/lib/qsosync 0(\d+)}mg);
        is join(' ', grep { !/0\z/ } @modes), '', substr($path, length "$source/") . ' opens the folder to nobody else';
    }
}

# An upgrade runs the commands that NEWS asks operators to run once, because nobody reads both.
{
    my $source = $QSOsync::Front::SOURCE;
    my ($demands) = QSOsync::Front::read_file("$source/src/manual/NEWS") =~ /^  When you upgrade[^\n]*\n(.*?)\n\n/ms;
    my ($package) = QSOsync::Front::read_file("$source/README") =~ /^Upgrade\n-+\n(.*?)^\S+[^\n]*\n---/ms;
    my ($built) = QSOsync::Front::read_file("$source/src/manual/papers/install.txt")
        =~ /^## Upgrade from source\n(.*?)^## /ms;
    my @blocks = map { /((?:^    [^\n]+\n)+)/mg } $package, $built;
    my @commands = $demands =~ /\bRun (qsosync-admin [a-z]+)/g;
    is scalar @blocks, 2, 'the package and an installation from source each have an upgrade';
    isnt scalar @commands, 0, 'NEWS asks for a command';
    for my $command (@commands) {
        like $blocks[$_], qr/\Q$command\E$/m, "upgrade " . ($_ + 1) . " runs $command"
            for 0 .. $#blocks;
        my ($line) = $blocks[1] =~ /(.*)\Q$command\E/s;
        like $line, qr/systemctl restart qsosync/, "the new workers run before $command upgrades the logbook";
    }
    like $package, qr/repeat the commands there, up to the one with "init"/, 'an upgrade on a shared host runs init';
}

done_testing;
