use QSOsync::Test fronts => 'none', slow => 65, suite => 'all';
use QSOsync::Doctor;
use QSOsync::OwnMachine;

# The test draws two faults at once from the list. Running the doctor and pasting its lines ends within five rounds,
# with "ok" or with advice that has no line. No line loses, adds or changes anything that was right.
# QSOSYNC_DOCTOR_PAIRS is the number of pairs per web server (by default 6 for nginx and 2 for Apache). "all" tests each
# fault on its own and then all pairs, and "alone" tests no pairs. QSOSYNC_DOCTOR_PART=0/3 with QSOSYNC_TEST_SEED
# selects the first third of all pairs, and QSOSYNC_DOCTOR_SERVER selects one web server.
my $rounds_max = 5;
enter_own_machine();
drawn_seed();
my ($db, $backups) = ('/var/lib/qsosync/logbook.db', '/var/backups/qsosync');
program('timedatectl', "exit 0\n");

# The machine has no fault at first.
install_service();
sub admin { must("runuser -u qsosync -- $place/bin/qsosync-admin --db $db $_[0]") }
chomp(my $key = `runuser -u qsosync -- $place/bin/qsosync-admin --db $db key add 21SD333 --name test --scope WRITE`);
QSOsync::Front::write_file("$place/log.adi", "<eoh>\n" . join '', map {
    "<call:7>21AT10$_ <qso_date:8>20260101 <time_on:4>120$_ <band:3>11m <freq:6>27.555 <mode:3>SSB <eor>\n" } 1 .. 9);
admin("import 21SD333 $place/log.adi || true");
admin("backup $backups/qsosync-2026-01-01T030000Z.db");
admin("backup $backups/qsosync-2026-01-02T030000Z.db");
my $content = content($db);
like $content, qr/21AT109/, 'the logbook has QSOs';
must("openssl req -x509 -newkey ed25519 -nodes -days 30 -subj /CN=$host -addext subjectAltName=DNS:$host -keyout "
    . "/etc/ssl/own.key -out /etc/ssl/own.pem && cp $place/ca.pem /etc/ssl/our-authority.pem");
$ENV{QSOSYNC_KEY} = $key;

# Returns the members, keys and QSOs in a copy of the logbook, without values that a restore changes.
sub content {
    my ($file) = @_;
    must("rm -f $place/copy*; cp $file $place/copy; ! test -e $file-wal || cp $file-wal $place/copy-wal");
    return `sqlite3 $place/copy 'SELECT callsign, active FROM members ORDER BY callsign;
        SELECT hex(fingerprint), revoked_at FROM api_keys ORDER BY 1;
        SELECT hex(client_id), callsign_worked, qso_at FROM qsos ORDER BY 1' 2>&1`;
}
# Returns the checksums of the logbooks and of the operator's files, by path.
my @places = ('/var/lib', '/var/backups', '/etc/ssl/own.pem', '/etc/ssl/own.key', '/etc/nginx', '/etc/apache2',
    '/etc/systemd/system');
sub files {
    my $passing = join ' ', map { "! -name '*-$_'" } qw(limits shm wal gate guesses rejections);
    return map { chomp; my ($sum, $name) = split /  /, $_, 2; ($name => $sum) }
        `find @places -type f ! -path '/var/lib/[!q]*' $passing -exec md5sum {} +`;
}
my @kept = qw(/var/lib/qsosync /var/backups /etc/nginx/sites-enabled /etc/nginx/conf.d /etc/apache2/sites-enabled
    /etc/apache2/mods-enabled /etc/systemd/system /etc/letsencrypt);
my @others; # programs that cause a fault
sub reset_machine {
    for my $pid (splice @others) { kill 'KILL', $pid; waitpid $pid, 0 }
    must('chmod 755 /usr/local/share/qsosync; systemctl stop everything; rm -rf /run/qsosync /run/units; '
        . join '; ', map { "rm -rf $_; cp -a $place/kept/$_ $_" } @kept);
    must('systemctl start everything');
}

# Each of these faults changes one thing.
my $server; # nginx or apache2
sub other_program {
    my ($code) = @_;
    pipe my $ready, my $begun or die;
    my $pid = fork // die;
    if (!$pid) {
        open STDIN, '<', '/dev/null';
        exec $^X, '-MIO::Socket::INET', '-MPOSIX', '-e', "\$0 = 'other'; my \$to = shift; $code; "
            . 'open my $pipe, ">&=", $to; syswrite $pipe, "."; sleep 600', fileno $begun
            if fcntl $begun, 2, 0;
        die;
    }
    close $begun;
    sysread $ready, my $byte, 1 or die 'the other program does not start';
    push @others, $pid;
}
sub listens { "my \$s = IO::Socket::INET->new(LocalPort => $_[0], Listen => 1, ReuseAddr => 1) or die" }
sub replace_in { my ($file, $from, $to) = @_;
    local $_ = QSOsync::Front::read_file($file);
    s/$from/$to/ or die "$file has no $from";
    QSOsync::Front::write_file($file, $_);
}
sub site { $server eq 'nginx' ? '/etc/nginx/sites-enabled/qsosync-site.conf'
        : '/etc/apache2/sites-enabled/qsosync-proxy-fcgi.conf' }
sub drop_in {
    QSOsync::Front::write_file('/etc/systemd/system/qsosync.service.d/zz.conf', "[Service]\nEnvironment=$_[0]\n");
    must('systemctl restart qsosync.service || true');
}
sub broken_configuration {
    QSOsync::Front::write_file($server eq 'nginx' ? '/etc/nginx/conf.d/broken.conf'
        : '/etc/apache2/sites-enabled/broken.conf', "nonsense;\n");
}
my %faults = (
    '/run/qsosync is missing' => sub { must('rm -r /run/qsosync') },
    '/run/qsosync is closed' => sub { must('chmod 700 /run/qsosync') },
    'a socket is closed' => sub { must('chmod 600 /run/qsosync/worker.sock; chown root: /run/qsosync/worker.sock') },
    'workers do not run' => sub { must('systemctl stop qsosync.service') },
    'a masked unit' => sub { must('systemctl mask qsosync.service') },
    'masked units' => sub {
        must('systemctl mask qsosync.service qsosync.socket qsosync-site.service qsosync-site.socket');
    },
    'units that are not enabled' => sub {
        must('systemctl disable qsosync.service qsosync.socket qsosync-site.service qsosync-site.socket');
    },
    "users cannot read the pages' files" => sub { must('chmod 700 /usr/local/share/qsosync') },
    'a site that is gone' => sub { unlink site() or die; must("systemctl restart $server || true") },
    'workers of the pages do not run' => sub { must('systemctl stop qsosync-site.service') },
    'a damaged logbook' => sub {
        chomp(my $page = `sqlite3 $db "SELECT rootpage FROM sqlite_schema WHERE name = 'qsos_by_change'"`);
        must('systemctl stop qsosync.service; systemctl stop qsosync-site.service');
        QSOsync::Front::overwrite($db, "\xff" x 4096, 4096 * ($page - 1));
        run_line('systemctl start qsosync.service; systemctl start qsosync-site.service');
    },
    'a newest backup that is cut short' => sub { truncate "$backups/qsosync-2026-01-02T030000Z.db", 8192 },
    'a backup that is gone' => sub { unlink "$backups/qsosync-2026-01-02T030000Z.db" },
    'an empty logbook' => sub {
        run_line("systemctl stop qsosync.service; systemctl stop qsosync-site.service; rm -f $db-wal $db-shm; : > $db; "
            . 'systemctl start qsosync.service; systemctl start qsosync-site.service');
    },
    'a logbook that is gone' => sub {
        run_line('systemctl stop qsosync.service; systemctl stop qsosync-site.service; '
            . "mv $db /var/lib/qsosync/moved.db; rm -f $db-wal $db-shm; "
            . 'systemctl start qsosync.service; systemctl start qsosync-site.service');
    },
    'a mistyped QSOSYNC_DB' => sub { drop_in('QSOSYNC_DB=/var/lib/qsosync/logbok.db') },
    'a wrong setting' => sub { drop_in('QSOSYNC_WRITE_WAIT_MS=ten') },
    'a logbook of root' => sub { chown 0, 0, $db; chmod 0600, $db },
    'a folder of root' => sub { chown 0, 0, '/var/lib/qsosync'; chmod 0755, '/var/lib/qsosync' },
    'a logbook that all may read' => sub { chmod 0644, $db },
    "somebody's sqlite3 that writes" => sub {
        my $pid = open my $shell, '|-', 'exec sqlite3 ' . $db . " > $place/shell 2>&1" or die;
        syswrite $shell, "BEGIN IMMEDIATE;\n.print begun\n";
        until_true(sub { -s "$place/shell" });
        push @others, $pid;
        our @shells = (@main::shells, $shell);
    },
    'the web server is not running' => sub { must("systemctl stop $server") },
    'a broken configuration' => sub { broken_configuration(); must("systemctl stop $server") },
    'a broken configuration, not read yet' => \&broken_configuration,
    '443 is taken' => sub { must("systemctl stop $server"); other_program(listens(443)) },
    '7300 is taken' => sub { must('systemctl stop qsosync-cluster.socket'); other_program(listens(7300)) },
    'no API in the site' => sub {
        replace_in(site(), qr/(?m)^.*qsosync-(?:api\.con|workers\.conf).*$/, '');
        must("systemctl restart $server || true");
    },
    'an expired certificate' => sub { must("certbot expired; systemctl restart $server || true") },
    'an own certificate that has expired' => sub {
        must("cd /etc/ssl && openssl req -newkey ed25519 -nodes -subj /CN=site -keyout own.key -out $place/own.csr && "
            . "echo subjectAltName=DNS:$host > $place/own.ext && openssl x509 -req -in $place/own.csr -CA "
            . "$place/ca.pem -CAkey $place/ca.key -CAcreateserial -days -1 -extfile $place/own.ext -out own.pem");
        replace_in(site(), qr{/etc/letsencrypt/live/\Q$host\E/fullchain\.pem}, '/etc/ssl/own.pem');
        replace_in(site(), qr{/etc/letsencrypt/live/\Q$host\E/privkey\.pem}, '/etc/ssl/own.key');
        must("systemctl restart $server || true");
    },
    'no address' => sub { run_line("$place/bin/qsosync-admin --db $db club set --address ''") },
    'another address' => sub {
        run_line("$place/bin/qsosync-admin --db $db club set --address https://club.example.org");
    },
    'a member who is disabled' => sub { run_line("$place/bin/qsosync-admin --db $db member disable 21SD333") },
    'an address without TLS' => sub { },
    'proxy_fcgi is off' => sub {
        must('rm /etc/apache2/mods-enabled/proxy_fcgi.load; systemctl restart apache2 || true');
    },
);
my %only = ('proxy_fcgi is off' => 'apache2');
# The tests with Apache use only these faults.
my @of_apache = ('proxy_fcgi is off', 'the web server is not running', 'a broken configuration',
    'a broken configuration, not read yet', '443 is taken', 'no API in the site', 'an expired certificate',
    'an own certificate that has expired', 'an address without TLS', '/run/qsosync is closed', 'workers do not run',
    'a mistyped QSOSYNC_DB');

# The test runs the doctor, pastes its lines, and runs the doctor again.
sub lines_of { map { $_->{fix} } grep { defined $_->{fix} && QSOsync::Doctor::is_line($_->{fix}) } @{$_[0]{checks}} }

# Runs the doctor without and with the address. Returns the findings and the lines to paste. A line that runs the doctor
# again is followed at once.
sub ask {
    my ($url) = @_;
    my (@lines, @said, %asked);
    my @questions = (['doctor'], ['doctor', $url]);
    for (my $i = 0; $i < @questions && $i < 6; $i++) {
        next if $asked{"@{$questions[$i]}"}++;
        my ($status, $report) = QSOsync::Doctor::run([], @{$questions[$i]});
        push @said, map { "$_->{level} $_->{check}: " . QSOsync::Doctor::line($_) } grep { $_->{level} ne 'ok' }
            @{$report->{checks}};
        push @said, "no report: $report->{text}" if $report->{status} eq 'none';
        for my $line (lines_of($report)) {
            if ($line =~ m{\A(?:runuser -u \S+ -- )?qsosync-admin ((?:--db \S+ )?doctor(?: \S+)?)\z}) {
                push @questions, [split ' ', $1];
            } else { push @lines, $line }
        }
    }
    my %once;
    return (\@said, [grep { !$once{$_}++ } @lines]);
}
sub answers {
    return `curl -s -o /dev/null -m 20 -w '%{http_code}' -H 'Authorization: Bearer $key' https://$host/api/v1/me`;
}

# The doctor's lines may change these files: the sites of QSOsync, Apache's list of modules, the logbook's own files,
# certbot's certificate, backups, and copies that restore and put-site keep.
my $may_change = qr{\A(?:/etc/nginx/sites-enabled/qsosync-site|/etc/apache2/(?:sites-enabled/qsosync-proxy|mods-)
    |/var/lib/qsosync/logbook\.db|/etc/letsencrypt)}x;
my $may_come = qr{\A(?:/etc/(?:nginx|apache2)/sites-enabled/qsosync-|/var/backups/qsosync-site-
    |/var/backups/qsosync/qsosync-|/var/lib/qsosync/logbook\.db[.-]|/etc/apache2/mods-)}x;
my %figures = (pairs => 0, ok => 0, words => 0, rounds => 0);
sub try_pair {
    my @names = @_;
    my $what = "$server: " . join ' + ', @names;
    reset_machine();
    my $is_plain = grep { $_ eq 'an address without TLS' } @names;
    my $url = ($is_plain ? 'http' : 'https') . "://$host";
    my $by_program = qr/address|disabled/; # these faults need a working command, so they are tested first
    for my $name (sort { ($a !~ $by_program) <=> ($b !~ $by_program) } @names) {
        die $@ if !eval { $faults{$name}->(); 1 } && @names == 1; # a fault can prevent another fault
    }
    my %before = files();
    my ($before_address) = address();
    my (@told, $said, $lines);
    my $round = 0;
    while (1) {
        ($said, $lines) = ask($url);
        push @told, "round $round:", map { "    $_" } @$said;
        last if !@$lines || $round >= $rounds_max;
        $round++;
        for my $line (@$lines) {
            run_line("timeout 60 sh -c " . quote($line));
            my $log = QSOsync::Front::read_file("$place/run.log") =~ s/^/        | /gmr;
            push @told, "    \$ $line", $log;
        }
    }
    my @broken = (@$lines ? "lines remain after $rounds_max rounds: @$lines" : ());
    my $is_damage = grep { /damaged|empty logbook/ } @names;
    my ($file) = grep { -s } $db, '/var/lib/qsosync/moved.db';
    my $now = $file ? content($file) : '';
    my $expected = $content;
    $expected =~ s/^21SD333\|1$/21SD333|0/m if grep { /disabled/ } @names;
    push @broken, 'the content has changed'
        if $now ne $expected && !($is_damage && (!-s $db || $now eq $content || @$said));
    my %after = files();
    push @broken, map { !exists $after{$_} ? "$_ is gone" : "$_ has changed" }
        grep { ($after{$_} // '') ne $before{$_} && $_ !~ $may_change } sort keys %before;
    push @broken, map { "$_ is new" } grep { !exists $before{$_} && $_ !~ $may_come } sort keys %after;
    push @broken, 'the site no longer has its own certificate'
        if (grep { /own certificate/ } @names) && QSOsync::Front::read_file(site()) !~ m{/etc/ssl/own\.pem};
    push @broken, "the address has changed to $_" for grep { $before_address ne '' && $_ ne $before_address } address();
    push @broken, 'the doctor finds no fault, but a request with the key fails: ' . answers()
        if !@$said && answers() ne '200';
    $figures{pairs}++;
    $figures{@$said ? 'words' : 'ok'}++;
    $figures{rounds} = $round if $round > $figures{rounds};
    ok !@broken, "$what: " . (@$said ? 'ends with advice' : 'ends with ok') . ", after $round rounds"
        or diag join "\n", @broken, @told;
}
sub quote { "'" . $_[0] =~ s/'/'\\''/gr . "'" }
sub address {
    return '' if !-s $db;
    return `$place/bin/qsosync-admin --db $db club show 2>/dev/null` =~ m{^address +(https?://\S+)}mi ? $1 : '';
}

for my $of (['nginx', '/usr/sbin/nginx'], ['apache2', '/usr/sbin/apache2']) {
    ($server, my $program) = @$of;
    next if !-x $program || ($ENV{QSOSYNC_DOCTOR_SERVER} // $server) ne $server;
    reset_machine() if -d "$place/kept";
    must('rm -f /etc/nginx/sites-enabled/* /etc/apache2/sites-enabled/*; rm -rf /var/backups/qsosync-site-*; '
        . ($server eq 'apache2' ? 'a2enmod -q proxy_fcgi buffer headers rewrite alias deflate ssl; ' : '')
        . "/usr/local/share/qsosync/service/put-site " . ($server =~ s/2//r) . " $host; systemctl stop everything; "
        . "rm -rf $place/kept; mkdir $place/kept; for i in @kept; do mkdir -p \$(dirname $place/kept/\$i); "
        . "cp -a \$i $place/kept/\$i; done");
    $ENV{FRONT} = $server;
    reset_machine();
    my ($said, $lines) = ask("https://$host");
    is_deeply $said, [], "$server: the doctor finds no fault on an intact machine";
    my @names = $server eq 'nginx' ? grep { !$only{$_} } sort keys %faults : @of_apache;
    for my $name (@names) { try_pair($name) if ($ENV{QSOSYNC_DOCTOR_PAIRS} // '') =~ /\A(?:all|alone)\z/ }
    my @pairs = map { my $i = $_; map { [$names[$i], $names[$_]] } $i + 1 .. $#names } 0 .. $#names;
    @pairs = sort { $a->[2] <=> $b->[2] } map { [@$_, rand] } @pairs;
    my $asked = $ENV{QSOSYNC_DOCTOR_PAIRS} // ($server eq 'nginx' ? 6 : 2);
    my ($part, $parts) = split m{/}, $ENV{QSOSYNC_DOCTOR_PART} // '0/1';
    @pairs = @pairs[grep { $_ % $parts == $part } 0 .. $#pairs] if $asked eq 'all';
    splice @pairs, $asked eq 'alone' ? 0 : $asked if $asked ne 'all';
    try_pair(@$_[0, 1]) for @pairs;
}
reset_machine();
must('systemctl stop everything');
note "$figures{pairs} pairs: $figures{ok} end in ok, $figures{words} in words, after $figures{rounds} rounds at most";
chdir '/';
run_line("umount /etc /var /usr/local /run; rm -rf $place/*"); # the name space ends with this process
rmdir $place;
done_testing;
