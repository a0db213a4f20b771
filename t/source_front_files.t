use QSOsync::Test fronts => 'none';

# Only the program signs members in. The shipped configurations do not request a password, read a password file or pass
# a login to the program. A front server with its own login would hide the sign-in page.
my $source = $QSOsync::Front::SOURCE;
my @files = grep { -f } map { glob "$source/$_/*" } qw(nginx apache src/service src/debian);
cmp_ok scalar(@files), '>', 20, 'there are more than 20 configuration files';
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
    is "@lines", '', substr($path, length "$source/") . ' does not mention cookies';
}

# nginx refuses to reload if the key of a zone has changed, so the name of a zone contains its key. (nginx accepts
# another size or rate, and any change of other kinds of zones.)
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
is $zones, 3, 'three zones are found';

# Every place that creates the logbook's folder gives no access to users outside the folder's group.
for my $path ("$source/README", grep { -f } map { glob "$source/src/$_/*" }
    qw(service debian manual manual/papers)) {
    my $text = QSOsync::Front::read_file($path);
    my @modes = ($text =~ m{chmod (7\d\d) \S*var/lib/qsosync}g, $text =~ m{StateDirectoryMode=0(\d+)}g,
        $text =~ m{^d /var/lib/qsosync 0(\d+)}mg);
    is join(' ', grep { !/0\z/ } @modes),
        '', substr($path, length "$source/") . ' gives other users no access to the folder of the logbook';
}

done_testing;
