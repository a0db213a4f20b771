use QSOsync::Test fronts => 'none';

# The shipped configurations leave signing in to the program: they ask for no password, read no file of passwords, and
# tell the program of no login. A front server that did so would hide the page for signing in.
my $source = $QSOsync::Front::SOURCE;
my @files = grep { -f } map { glob "$source/$_/*" } qw(nginx apache src/service src/debian);
cmp_ok scalar(@files), '>', 20, 'the configurations are there';
my $former = qr/auth_basic|authn_file|authz_user|\bAuth(?:Type|Name|UserFile|BasicProvider)\b|valid-user
    |REMOTE_USER|QSOSYNC_LOGIN|[a-z]-logins\b|member\ password/ix;
# (put-site and the doctor know what they are to mend.)
my @said = grep { -f && !/put-site\z/ } @files, "$source/README", glob "$source/src/manual/*.[78]";
for my $path (@said) {
    my @lines = grep { /$former/ } split /\n/, QSOsync::Front::read_file($path);
    is "@lines", '', substr($path, length "$source/") . ' leaves signing in to the program';
}

# No configuration takes cookies away, changes them or writes them into a log.
for my $path (@files) {
    my @lines = grep { /cookie/i && !/^\s*#/ } split /\n/, QSOsync::Front::read_file($path);
    is "@lines", '', substr($path, length "$source/") . ' lets cookies through as they are';
}

# nginx refuses to reload where a zone of the same name has another key than before: the name says by what it counts.
# (Another size or rate it takes.) Other kinds of zones it takes as they are.
my $zones = 0;
for my $path (grep { -f } glob "$source/nginx/* $source/src/container/*.conf") {
    for my $line (grep { !/^\s*#/ && /\bzone |zone=|shared:/ } split /\n/, QSOsync::Front::read_file($path)) {
        my ($key, $name) = $line =~ /^limit_(?:conn|req)_zone (\S+) zone=(\w+):/;
        next if $line =~ /^\s*(?:limit_req zone=|ssl_session_cache shared:)/;
        my $by = join '_', ($key // '') =~ /\$qsosync_(\w+?)(?=\$|\z)/g;
        like $name // $line, qr/^qsosync_[a-z]+_by_\Q$by\E\z/, 'the name of a zone says by which variables it counts';
        $zones++;
    }
}
is $zones, 3, 'the zones are there';

# The folder of the logbook is for its user alone, wherever one is made.
for my $path ("$source/README", grep { -f } map { glob "$source/src/$_/*" } qw(service debian manual)) {
    my $text = QSOsync::Front::read_file($path);
    my @modes = ($text =~ m{chmod (7\d\d) \S*var/lib/qsosync}g, $text =~ m{StateDirectoryMode=0(\d+)}g,
        $text =~ m{^d /var/lib/qsosync 0(\d+)}mg);
    is join(' ', grep { !/0\z/ } @modes), '', substr($path, length "$source/") . ' opens it to nobody else';
}

done_testing;
