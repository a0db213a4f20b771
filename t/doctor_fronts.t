use QSOsync::Test fronts => 'none', slow => 15;
use QSOsync::Doctor;
use QSOsync::OwnMachine;
use IO::Socket::INET;

# The doctor examines the web server. If root runs the doctor, the doctor finds the web server's faults and leaves no
# file. If the service's user runs the doctor, the report names what this user cannot see.
enter_own_machine();
plan skip_all => 'nginx is not installed' if !-x '/usr/sbin/nginx' || !-d '/etc/nginx/sites-enabled';
install_service();
my $site = '/etc/nginx/sites-enabled/qsosync-site.conf';
my $shared = '/usr/local/share/qsosync';
$ENV{FRONT} = 'nginx';
$ENV{QSOSYNC_KEY} = '';
must("mkdir -p $shared/pages $shared/app && echo page > $shared/pages/front.js && chmod -R a+rX $shared && "
    . 'systemctl start everything && '
    . "$shared/service/put-site nginx $host && runuser -u qsosync -- qsosync-admin backup /var/backups/qsosync/"
    . 'qsosync-2026-01-01T030000Z.db');
my @as_user = qw(runuser -u qsosync --);
sub finds { my ($who, @what) = @_; QSOsync::Doctor::finds(@what, QSOsync::Doctor::run($who, 'doctor')) }
sub is_well {
    my ($name, @who) = @_;
    my ($status, $report) = QSOsync::Doctor::run(\@who, 'doctor');
    is "$status $report->{status}", '0 ok', $name or diag $report->{text};
}
sub pasted { ok run_line($_[0]{fix}), 'the printed fix succeeds' or diag QSOsync::Front::read_file("$place/run.log") }
is_well('the doctor finds no fault on a correct machine');

# Only root can learn why a web server does not start.
must("systemctl stop nginx; cp $site $place/site; openssl genpkey -algorithm ed25519 -out /etc/ssl/other.key");
must("sed -i 's|^\\( *ssl_certificate_key \\).*|\\1/etc/ssl/other.key;|' $site");
finds([], "a key that does not fit, if root runs the doctor", 'trouble',
    'web server', qr/nginx -t reports: .*key values mismatch/,
    qr/\Afix the reported error, then systemctl restart nginx\z/);
ok !-e '/run/nginx.pid', 'the doctor leaves no nginx.pid if root runs the doctor';
finds(\@as_user, 'a key that does not fit, if a user runs the doctor', 'trouble',
    'web server', qr/only root can find out why/,
    qr/\Aas root: qsosync-admin doctor\z/);
must("cp $place/site $site");
{
    my $other = IO::Socket::INET->new(LocalPort => 443, Listen => 1, ReuseAddr => 1) or die;
    finds($_->[1], "another program uses port 443, with $_->[0]", 'trouble', 'web server',
        qr/port 443 is used by another program/, qr/\Astop that program/)
    for ["root's doctor", []], ["a user's doctor", \@as_user];
}
must('systemctl start nginx; chmod 600 /run/nginx.pid');
for my $who (['root', []], ['a user', \@as_user]) {
    my (undef, $report) = QSOsync::Doctor::run($who->[1], 'doctor');
    is_deeply [grep { $_->{check} eq 'web server' } @{$report->{checks}}], [],
        "nginx counts as running with an unreadable pid file: $who->[0]" or diag $report->{text};
}

# The doctor examines sites and their files.
chmod 0600, $site or die;
is_well('root can read a site with mode 600');
finds(\@as_user, 'a site that this user cannot read', 'warning', 'web server', qr/cannot read \Q$site\E/,
    qr/\Aas root: qsosync-admin doctor\z/);
unlink $site or die;
must('systemctl restart nginx');
pasted(finds([], 'a missing site', 'trouble', 'web server', qr{\Anginx has no QSOsync site in },
    qr{\A\Q$shared\E/service/put-site nginx \Q$host\E\z}));
is_well('the fix restores the site');
for my $case (['the folder of our files', $shared, 0700, 'enter'],
    ['a file of the pages', "$shared/pages/front.js", 0600, 'read']) {
    my ($name, $path, $mode, $what) = @$case;
    chmod $mode, $path or die;
    pasted(finds([], "$name without rights for other users", 'trouble', 'web server',
        qr/as www-data, may not $what \Q$path\E /,
        qr/\Achmod -R a\+rX \Q$shared\E\z/));
    is_well("the fix opens $name");
}
QSOsync::Front::write_file('/etc/nginx/conf.d/broken.conf', "nonsense;\n");
finds([], 'a running web server with broken files', 'warning', 'web server',
    qr/still runs with an old configuration .* nginx -t reports: .*nonsense/,
    qr/\Afix the reported error, then systemctl/);
unlink '/etc/nginx/conf.d/broken.conf';

# certbot does not renew the operator's own certificate, even in certbot's folder.
sub certificate_expires {
    my ($name, $fix) = @_;
    must('systemctl restart nginx');
    QSOsync::Doctor::finds($name, 'trouble', 'tls', qr/is not trusted.*expired/, $fix,
        QSOsync::Doctor::run([], 'doctor', "https://$host/api/v1"));
}
must('certbot expired');
certificate_expires('an expired certificate from certbot', qr/\Acertbot renew && systemctl reload nginx\z/);
must("rm /etc/letsencrypt/renewal/$host.conf");
certificate_expires("the operator's own certificate in certbot's folder",
    qr{\Areplace /etc/letsencrypt/live/$host/fullchain\.pem with });
must("certbot certonly -d $host; systemctl restart nginx");

# The units have faults.
must('systemctl mask qsosync.service');
pasted(finds([], 'a masked unit', 'trouble', 'units', qr/masked, .*: qsosync\.service\z/,
    qr/\Asystemctl unmask qsosync\.service && systemctl enable --now qsosync\.service\z/));
is_well('the fix unmasks the unit');
must('systemctl disable qsosync.service');
is_well('the doctor finds no fault if only the socket is enabled, because the socket starts the service');
must('systemctl disable qsosync.socket');
pasted(finds([], 'units that are not enabled', 'warning', 'units',
    qr/not enabled, .*: qsosync\.socket qsosync\.service\z/,
    qr/\Asystemctl enable qsosync\.socket qsosync\.service\z/));
is_well('the fix enables the units');
must('systemctl stop qsosync.service; touch /run/units/qsosync.service.failed');
finds([], 'a unit that cannot start', 'trouble', 'socket', qr/nothing is listening/,
    qr/\Afix what journalctl -u qsosync\.service -n 20 reports, then systemctl restart /);
must('systemctl start qsosync.service');

# A masked timer makes no backups.
{
    my $old = POSIX::strftime('%Y-%m-%dT%H:%M:%S.000Z', gmtime time - 5 * 86_400);
    QSOsync::Front::write_file('/var/lib/qsosync/logbook.db-last-backup',
        "$old /var/backups/qsosync/qsosync-2026-01-01T030000Z.db\n");
    must('systemctl mask qsosync-backup.timer');
    pasted(finds([], 'a masked timer', 'warning', 'backup', qr/5 days old/,
        qr/\Asystemctl unmask qsosync-backup\.timer qsosync-backup\.service && systemctl enable --now qsosync-backup/));
    is_well('the fix makes a backup');
}

# The logbook's folder is empty, and the backups are elsewhere.
must('systemctl stop qsosync.service qsosync-site.service; '
    . 'mkdir /var/lib/moved; mv /var/lib/qsosync/* /var/lib/moved/');
finds([], 'a logbook that is gone with all files in its folder', 'trouble', 'database',
    qr/does not exist; restore returns to the backup of 20\S+Z, and everything saved later is lost\z/,
    qr{\Afind out where the logbook is now, .*qsosync-admin --db \S+ restore --newest /var/backups/qsosync\z});
must('mv /var/lib/moved/* /var/lib/qsosync/; systemctl start qsosync.service qsosync-site.service');

# A file system is read-only, as after an error of the disk. Workers that start in this state stay read-only.
must('systemctl stop qsosync.service qsosync-site.service; cp -a /var/lib/qsosync /var/lib/moved/; '
    . 'mount -t tmpfs -o mode=750 tmpfs /var/lib/qsosync && chown qsosync: /var/lib/qsosync && '
    . 'cp -a /var/lib/moved/qsosync/. /var/lib/qsosync/ && mount -o remount,ro /var/lib/qsosync; '
    . 'systemctl start qsosync.service qsosync-site.service');
pasted(finds([], 'a file system that is read-only', 'trouble', 'folder', qr/mounted read-only/,
    qr{\Amount -o remount,rw .* && systemctl restart qsosync\.service qsosync-site\.service\z}));
is_well('the fix lets the workers write');

{
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8) or die;
    my $port = $listener->sockport;
    my $pid = fork // die;
    exec "qsosync-admin doctor http://127.0.0.1:$port/api/v1 > /dev/null 2>&1" if !$pid;
    my $asked = $listener->accept or die;
    my $client = sprintf '%04X', $asked->peerport;
    my ($uid) = QSOsync::Front::read_file('/proc/net/tcp')
        =~ /^ *\d+: \w+:$client \w+:@{[sprintf '%04X', $port]} 01 \S+ \S+ \S+ +(\d+) /m;
    is $uid, (stat '/var/lib/qsosync')[4],
        "if root runs the doctor, requests are sent with the rights of the logbook's owner";
    close $_ for $asked, $listener;
    waitpid $pid, 0;
}

must('systemctl stop everything');
done_testing;
