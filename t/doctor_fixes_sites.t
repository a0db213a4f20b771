use QSOsync::Test fronts => 'none', slow => 95, suite => 'all';
use QSOsync::Doctor;
use QSOsync::OwnMachine;

# Sites of nginx and Apache are broken on purpose, with their files in Debian's folders. The test pastes the doctor's
# fix into root's shell, and the doctor then finds no fault. The test has its own name spaces, so this machine stays
# unchanged.
enter_own_machine();
my $source = $QSOsync::Front::SOURCE;

# Replaces systemctl, because the name space has no systemd.
program('systemctl', <<'END');
stop() {
    pid=$(cat "$1" 2> /dev/null) || return 0
    kill "$pid" 2> /dev/null
    for i in $(seq 200); do kill -0 "$pid" 2> /dev/null || return 0; sleep 0.05; done
}
case "$*" in
is-active*nginx) kill -0 "$(cat /run/nginx.pid)" ;;
is-active*apache2) kill -0 "$(cat /run/apache2/apache2.pid)" ;;
reload*nginx)
    pid=$(cat /run/nginx.pid 2> /dev/null)
    workers() {
        grep -al '^nginx: worker process[^ ]*$' $(grep -lx "PPid:.$pid" /proc/[0-9]*/status | sed 's/status/cmdline/')
    }
    former=$(workers)
    kill -HUP "$pid" 2> /dev/null || exec nginx
    for i in $(seq 40); do workers | grep -qxF "$former" || exit 0; sleep 0.05; done ;;
*nginx) stop /run/nginx.pid; nginx ;;
*apache2) stop /run/apache2/apache2.pid; apache2ctl start ;;
restart*qsosync*.service*) start-units ;;
esac
END
# Starts the workers as their units do: two sockets, with two workers per socket.
program('start-units', <<'END' =~ s/PLACE/$place/gr);
for pid in $(cat /run/qsosync/pids 2> /dev/null); do kill "$pid" 2> /dev/null; done
rm -f /run/qsosync/worker.sock /run/qsosync/site.sock
settings=$(cat /run/workers-environment
    sed -n 's/^Environment=//p' /etc/systemd/system/qsosync.service.d/*.conf 2> /dev/null)
exec perl -MIO::Socket::UNIX -MPOSIX -e '
    my ($user, $group) = (getpwnam "daemon")[2, 3];
    open my $pids, ">", "/run/qsosync/pids" or die;
    for my $unit (["worker", "qsosync.fcgi"], ["site", "qsosync-site.fcgi"]) {
        my ($name, $program) = @$unit;
        my $socket = IO::Socket::UNIX->new(Local => "/run/qsosync/$name.sock", Listen => 64) or die "$name.sock: $!";
        chmod 0666, "/run/qsosync/$name.sock" or die;
        for (1 .. 2) {
            my $pid = fork // die;
            print {$pids} "$pid\n" and next if $pid;
            POSIX::dup2(fileno($socket), 0);
            open STDOUT, ">", "/dev/null";
            open STDERR, ">>", "PLACE/workers.log";
            exec "setpriv", "--reuid", $user, "--regid", $group, "--clear-groups", "env",
                "QSOSYNC_DB=/var/lib/qsosync/logbook.db", @ARGV, "PLACE/bin/$program";
        }
    }' $settings
END
# Creates a logbook with a member, a key and a backup.
must('rm -rf /var/lib/qsosync && install -d -o daemon -m 750 /var/lib/qsosync && qsosync-admin init && qsosync-admin '
    . "member add 21SD333 --locator JO59 && qsosync-admin club set --address https://$host");
chomp(my $key = `qsosync-admin key add 21SD333 --name test --scope READ`);
must('qsosync-admin backup /var/backups/copy.db');
# Starts the workers with these settings, in addition to the settings in the units.
sub start_workers {
    my (%environment) = (QSOsync::Front::sandbox_setting(), @_);
    QSOsync::Front::write_file('/run/workers-environment', join '', map { "$_=$environment{$_}\n" }
        sort keys %environment);
    must('systemctl restart qsosync.socket qsosync.service');
}
my %many = (QSOSYNC_RATE_LIMIT => 900);

$ENV{QSOSYNC_KEY} = $key;

# examine runs the doctor on the current state; doctor first restarts the workers and clears the request counts.
sub examine { my (@arguments) = @_; QSOsync::Doctor::run([], @arguments, 'doctor', "https://$host") }
sub doctor {
    must('rm -f /var/lib/qsosync/*-limits');
    start_workers(%many);
    return examine();
}
# Changes the site's file, restarts the web server, and checks the doctor's finding and fix.
my ($server, $site, $shipped);
sub broken {
    my ($cause, $check, $pattern, $change, %option) = @_;
    local $_ = $shipped;
    $change->();
    QSOsync::Front::write_file($site, $_);
    must("systemctl restart $server") if !$option{stopped};
    my $found = QSOsync::Doctor::finds("$server: $cause", $option{level} || 'trouble', $check, $pattern, undef,
        doctor()) or return;
    return like $found->{fix}, $option{advice},
        "$server: $cause: the fix does not change the operator's own lines"
        if $option{advice};
    ok run_line($found->{fix}), "$server: $cause: the fix can be pasted" or diag $found->{fix},
        QSOsync::Front::read_file("$place/run.log");
    my ($status, $report) = doctor();
    is "$status $report->{status}", '0 ok', "$server: $cause: the pasted line fixes the fault" or diag $found->{fix},
        $report->{text}, QSOsync::Front::read_file("$place/run.log");
    must("rm -rf /var/backups/qsosync-site-*");
}
sub inlined {
    my ($text, $line, $file) = @_;
    my $content = QSOsync::Front::read_file($file);
    $text =~ s/\A(.*)^ *\Q$line\E$/$1$content/ms or die "$line is not there";
    return $text;
}
my $passwords = '/var/lib/qsosync/logbook.db-logins'; # the password file of sites that earlier versions created
sub replace { my ($from, $to) = @_; s/$from/$to/ or die "$from is not there" }

SKIP: {
    skip 'nginx is not installed', 1 if !-x '/usr/sbin/nginx' || !-d '/etc/nginx/sites-enabled';
    must('rm -f /etc/nginx/sites-enabled/* /etc/nginx/conf.d/*');
    ($server, $site) = ('nginx', '/etc/nginx/sites-enabled/qsosync-site.conf');
    $shipped = inlined(QSOsync::Front::read_file("$source/nginx/qsosync-site.conf"),
        'include /usr/local/share/qsosync/nginx/qsosync-api.con[f];', "$source/nginx/qsosync-api.conf");
    $shipped = inlined($shipped, 'include /usr/local/share/qsosync/nginx/qsosync-worker.conf;',
        "$source/nginx/qsosync-worker.conf");
    $shipped = inlined($shipped, 'include /usr/local/share/qsosync/nginx/qsosync-pages.con[f];',
        "$source/nginx/qsosync-pages.conf");
    my $own = QSOsync::Front::read_file("$source/nginx/qsosync-site-worker.conf");
    $shipped =~ s{^ *include /usr/local/share/qsosync/nginx/qsosync-site-worker\.conf;}{$own}mg;
    broken('a welcome page', 'address', qr/something other/, sub {
        $_ =
            "server { listen 443 ssl; server_name $host;
ssl_certificate /etc/letsencrypt/live/$host/fullchain.pem; ssl_certificate_key /etc/letsencrypt/live/$host/privkey.pem;
location / { return 200 welcome; } }\n" });
    broken('the API is left out', 'address', qr/status 404/, sub {
        replace(qr/location \^~ \/api\/v1/, 'location ^~ /elsewhere');
    });
    broken('a body limit of 1 MB', 'body', qr/2 MiB does not arrive/, sub {
        replace(qr/client_max_body_size 8m/, 'client_max_body_size 1m');
    });
    broken('CORS headers that are stripped', 'cors', qr/lack Access-Control-Allow-Origin/, sub {
        replace(qr/add_header Access-Control-Allow-Origin.*/, '');
    });
    broken('CORS headers that are sent twice', 'cors', qr/twice/, sub {
        replace(qr/(add_header Access-Control-Allow-Origin.*)/,
            "\$1\nadd_header Access-Control-Allow-Origin * always;");
        s/\$1/add_header Access-Control-Allow-Origin \$qsosync_allow_origin always;/;
    });
    broken('preflights that do not allow a key', 'cors', qr/OPTIONS/, sub {
        replace(qr/add_header Access-Control-Allow-Headers.*/, '');
    });
    broken('Authorization that is stripped', 'authorization', qr/strips the Authorization header/, sub {
        replace(qr/fastcgi_keep_conn on;/, "fastcgi_keep_conn on;\nfastcgi_param HTTP_AUTHORIZATION '';");
    });
    broken("the site's own login", 'address', qr/asks for a login/, sub {
        replace(qr/fastcgi_keep_conn on;/, "fastcgi_keep_conn on;\nauth_basic club; auth_basic_user_file /etc/passwd;");
    });
    broken('an address that is denied', 'address', qr/refuses the address/, sub {
        replace(qr/fastcgi_keep_conn on;/, "fastcgi_keep_conn on;\ndeny all;");
    });
    broken('headers of the limit that are stripped', 'limit', qr/lack RateLimit/, sub {
        replace(qr/fastcgi_keep_conn on;/, "fastcgi_keep_conn on;\nfastcgi_hide_header RateLimit-Limit;");
    }, level => 'warning', advice => qr/check whether QSOSYNC_RATE_LIMIT is 0/);
    broken('the login left by an older version', 'sign-in', qr/asks for its own login/, sub {
        s/^(location [^\n]*profile\/[^\n]* \{)/$1\nauth_basic QSOsync; auth_basic_user_file $passwords;\n/mg or die;
        s/^fastcgi_param REQUEST_SCHEME/fastcgi_param QSOSYNC_LOGIN 1;\n$&/mg or die;
    });
    broken('cookies that are removed', 'sign-in', qr/strips the Cookie or Set-Cookie header/, sub {
        s/^fastcgi_param REQUEST_SCHEME/fastcgi_param HTTP_COOKIE '';\n$&/mg or die;
    });
    broken('cookies that are not set', 'sign-in', qr/strips the Cookie or Set-Cookie header/, sub {
        s/^fastcgi_param REQUEST_SCHEME/fastcgi_hide_header Set-Cookie;\n$&/mg or die;
    });
    broken('an address that is set, and a request for another name',
        'own address', qr/own address is https:..club/, sub {
        must('qsosync-admin club set --address https://club.example.org');
    }, level => 'warning', advice => qr{\Aqsosync-admin doctor https://club\.example\.org\z});
    is `qsosync-admin club show` =~ m{https://club}, 1, 'the fix keeps the address that was set';
    must("qsosync-admin club set --address https://$host");
    broken('no own address', 'own address', qr/own address is not set/, sub {
        must("qsosync-admin club set --address ''");
    }, level => 'warning');
    broken('no TLS', 'tls', qr/no TLS connection/, sub { s/listen (.*)443 ssl http2/listen ${1}443/g });
    broken('an expired certificate', 'tls', qr/expired/, sub { must('certbot expired') });
    broken('a certificate for another name', 'tls', qr/no alternative certificate subject name/, sub {
        must('certbot other');
    });
    broken('a web server that is stopped', 'web server', qr/\Anginx is not running\z/, sub {
        must('nginx -s stop; for i in $(seq 200); do test -e /run/nginx.pid || break; sleep 0.05; done');
    }, stopped => 1);

    # The workers have faults.
    sub unit {
        must('mkdir -p /etc/systemd/system/qsosync.service.d');
        QSOsync::Front::write_file('/etc/systemd/system/qsosync.service.d/test.conf', "[Service]\n$_[0]\n");
    }
    sub fixed {
        my ($cause, $level, $check, $pattern, @arguments) = @_;
        my $found = QSOsync::Doctor::finds("workers: $cause", $level, $check, $pattern, undef, examine(@arguments))
            or return;
        return if $found->{fix} !~ /\A(?:systemctl|qsosync-admin) /; # the operator must decide about other fixes
        ok run_line($found->{fix}), "workers: $cause: the fix can be pasted" or diag $found->{fix},
            QSOsync::Front::read_file("$place/run.log");
        return if $found->{fix} =~ / doctor(?: https:|\z)/; # this fix only repeats the doctor (t/doctor_pairs.t)
        my ($status, $report) = examine(@arguments);
        is "$status $report->{status}", '0 ok',
            "workers: $cause: the pasted line fixes the fault" or diag $found->{fix},
            $report->{text};
    }
    doctor();
    must('kill $(cat /run/qsosync/pids); rm /run/qsosync/worker.sock');
    fixed('no worker is running', 'trouble', 'address', qr/no worker answers/);
    must("cp $source/src/service/qsosync.service /etc/systemd/system/");
    unit('Environment=QSOSYNC_RATE_LIMIT=0');
    must('systemctl restart qsosync.socket qsosync.service');
    fixed('no request limit is set', 'warning', 'limit', qr/there is no request limit/);
    must('rm -r /etc/systemd/system/qsosync*; systemctl restart qsosync.socket qsosync.service');
    must('install -d -o daemon -m 750 /var/lib/other && qsosync-admin --db /var/lib/other/logbook.db init && '
        . 'qsosync-admin --db /var/lib/other/logbook.db member add 26AT101 --locator JO59');
    must('systemctl restart nginx'); # the limit also counts the doctor's earlier requests
    {
        chomp(
            local $ENV{QSOSYNC_KEY} =
                `qsosync-admin --db /var/lib/other/logbook.db key add 26AT101 --name test --scope READ`);
        fixed('the workers serve another logbook', 'trouble', 'authorization', qr/the service uses another logbook/,
            '--db', '/var/lib/other/logbook.db');
    }
    must('systemctl restart qsosync.socket qsosync.service');

    # The package's site is a link and must remain a link.
    my $available = '/etc/nginx/sites-available/qsosync.conf';
    must("rm $site; mkdir -p /etc/nginx/sites-available; ln -s $available /etc/nginx/sites-enabled/qsosync.conf");
    $site = $available;
    broken("a body limit of 1 MB in the package's site", 'body', qr/2 MiB does not arrive/, sub {
        replace(qr/client_max_body_size 8m/, 'client_max_body_size 1m');
    });
    is readlink('/etc/nginx/sites-enabled/qsosync.conf'), $available, "the fix keeps the package's link";
    is_deeply [map { s{.*/}{}r } glob '/etc/nginx/sites-enabled/*'], ['qsosync.conf'],
        'the fix creates no second file for the site';
    QSOsync::Front::write_file($site, $shipped);
    QSOsync::Front::write_file('/etc/nginx/conf.d/broken.conf', "nonsense;\n");
    ok !run_line("/usr/local/share/qsosync/service/put-site nginx $host"),
        "put-site fails if nginx rejects the package's site";
    is QSOsync::Front::read_file($available), $shipped,
        "put-site restores the package's site if nginx rejects the shipped file";
    must("rm /etc/nginx/conf.d/broken.conf /etc/nginx/sites-enabled/* $available");
    $site = '/etc/nginx/sites-enabled/qsosync-site.conf';

    # nginx refuses to reload if the key of a zone has changed, and reports the refusal only in the error log.
    my $put = '/usr/local/share/qsosync/service/put-site nginx';
    my $serve = sub {
        my ($text, $key) = @_;
        QSOsync::Front::write_file('/etc/nginx/conf.d/zone.conf', "limit_req_zone $key zone=club:1m rate=1r/s;\n"
            . "server { listen 127.0.0.1:8099; return 200 $text; }\n");
    };
    must("rm -rf /var/backups/qsosync-site-*; $put $host");
    for my $line ("$put --renew", "$put $host") {
        $serve->('former', '$binary_remote_addr');
        must('systemctl restart nginx');
        $serve->('present', '$binary_remote_addr$host');
        must("touch $site; systemctl reload nginx");
        is `curl -s http://127.0.0.1:8099/`, 'former', 'a reload that nginx refuses keeps the old configuration';
        must($line);
        is `curl -s http://127.0.0.1:8099/`, 'present', "\"$line\" restarts nginx after a refused reload";
    }
    my $process = QSOsync::Front::read_file('/run/nginx.pid');
    $serve->('reloaded', '$binary_remote_addr$host');
    must("$put --renew");
    is `curl -s http://127.0.0.1:8099/`, 'reloaded', 'put-site reloads nginx';
    is QSOsync::Front::read_file('/run/nginx.pid'), $process, 'put-site does not restart nginx after a reload';
    must('rm /etc/nginx/conf.d/zone.conf');

    # HTTP/2 is switched on in the syntax of the installed nginx.
    my $former = QSOsync::Front::read_file($site);
    like $former, qr/^    listen 443 ssl http2;\n    listen \[::\]:443 ssl http2;\n/m,
        'HTTP/2 is a parameter before nginx 1.25.1';
    my $of_club = $former =~ s/server_name \K/blog./gr;
    QSOsync::Front::write_file('/etc/nginx/sites-enabled/club.conf', $of_club);
    program('nginx', "test \$1 != -v || { echo 'nginx version: nginx/1.26.3' >&2; exit; }\nexit 1\n");
    for (1 .. 2) {
        ok !run_line("$put --renew"), 'put-site fails if nginx rejects the files';
        like QSOsync::Front::read_file("$place/run.log"), qr/nginx does not accept its files/,
            'put-site reports files that nginx rejects';
        like QSOsync::Front::read_file($site),
            qr/^    listen 443 ssl;\n    listen \[::\]:443 ssl;\n    http2 on;\n    server_name/m,
            'HTTP/2 is a directive from nginx 1.25.1 on, even in an older site';
    }
    is QSOsync::Front::read_file('/etc/nginx/sites-enabled/club.conf'), $of_club,
        "put-site keeps another program's site";
    must("rm $place/bin/nginx /etc/nginx/sites-enabled/club.conf");
    QSOsync::Front::write_file($site, $former);

    # put-site keeps or restores these files.
    QSOsync::Front::write_file($site, $shipped =~ s/server_name \K(?=log)/blog.example.org /gr);
    ok !run_line("/usr/local/share/qsosync/service/put-site nginx $host"),
        'put-site refuses a file that serves another name';
    like QSOsync::Front::read_file("$place/run.log"), qr/also serves other names: blog\.example\.org/,
        'put-site prints further names in the file';
    QSOsync::Front::write_file($site,
        $shipped =~ s/fastcgi_keep_conn on;/fastcgi_keep_conn on;\nfastcgi_param QSOSYNC_CLUB "My club";/r);
    ok !run_line("/usr/local/share/qsosync/service/put-site nginx $host"),
        "put-site refuses a file with the operator's settings";
    like QSOsync::Front::read_file("$place/run.log"), qr/has settings of your own \(QSOSYNC_CLUB \)/,
        "put-site prints the operator's settings";
    my $club = "server {\n    listen 80;\n    server_name $host;\n    root /var/www/html;\n}\n";
    must("rm $site");
    QSOsync::Front::write_file('/etc/nginx/sites-enabled/club.conf', $club);
    ok !run_line("/usr/local/share/qsosync/service/put-site nginx $host"),
        "put-site refuses to replace a club's own site";
    like QSOsync::Front::read_file("$place/run.log"), qr{club\.conf serves \Q$host\E and is not a file of QSOsync},
        "put-site reports the club's own site";
    is QSOsync::Front::read_file('/etc/nginx/sites-enabled/club.conf'), $club, "put-site keeps the club's own site";
    must('rm /etc/nginx/sites-enabled/club.conf');
    QSOsync::Front::write_file($site, $shipped);
    QSOsync::Front::write_file('/etc/nginx/conf.d/broken.conf', "nonsense;\n");
    ok !run_line("/usr/local/share/qsosync/service/put-site nginx $host"),
        'put-site fails if nginx rejects its configuration';
    is QSOsync::Front::read_file($site), $shipped,
        'put-site restores the previous file if nginx rejects the new file';
    must('rm /etc/nginx/conf.d/broken.conf; nginx -s stop; for i in $(seq 200); do test -e /run/nginx.pid || break; '
        . 'sleep 0.05; done');
}

# Two clubs on one server have their own logbooks, workers and sites. The doctor finds no fault in either club, and each
# club works without the other club. Apache cannot be reloaded in this test, so Apache is restarted.
must("sed 's|/run/qsosync/|/run/qsosync-north/|g; s|/var/lib/qsosync/|/var/lib/qsosync-north/|g; "
    . "s/daemon/qsosync-north/' $place/bin/start-units > $place/bin/start-north; chmod 755 $place/bin/start-north; "
    . "echo '127.0.0.1 north.example.org' >> /etc/hosts; cp $QSOsync::Front::BUILD/service/*\@* "
    . '/usr/local/share/qsosync/service/; mkdir -p /run/systemd/system /run/qsosync-north /etc/systemd/system; '
    . "install $QSOsync::Doctor::PROGRAM /usr/local/bin/qsosync-admin; "
    . "echo 'case \"\$*\" in enable*north*) start-north ;; esac' >> $place/bin/systemctl");
sub instance {
    my ($line) = @_;
    local $ENV{QSOSYNC_DB} = '/var/lib/qsosync/logbook.db'; # the command must not use the first club's logbook
    my $done = run_line("qsosync-admin instance $line");
    return ($done, QSOsync::Front::read_file("$place/run.log"));
}
sub stop_server {
    must($_[0] eq 'nginx' ? 'nginx -s stop; for i in $(seq 200); do test -e /run/nginx.pid || break; sleep 0.05; done'
        : 'apache2ctl stop; for i in $(seq 200); do test -e /run/apache2/apache2.pid || break; sleep 0.05; done');
}
# Returns the HTTP status of an answer to curl with these arguments.
sub answers { return `curl -s -o /dev/null -w '%{http_code}' @_` }
for my $server ('nginx', 'apache2') {
    next if !-x "/usr/sbin/$server" || !-d "/etc/$server/sites-enabled";
    my $kind = $server =~ s/2//r;
    my $put = "/usr/local/share/qsosync/service/put-site $kind";
    must("rm -rf /etc/$server/sites-enabled/* /etc/letsencrypt/live/north.example.org && $put $host");
    my $first = "/etc/$server/sites-enabled/qsosync-" . ($kind eq 'nginx' ? 'site' : 'proxy-fcgi') . '.conf';
    my $north = $first =~ s/\.conf/-north.conf/r;
    for my $turn ('for the first time', 'for the second time') {
        my ($done, $said) = instance('add north --address https://north.example.org/');
        ok $done, "$kind: one command adds a club, $turn" or diag $said;
        like $said, qr{cluster at port 7301, its logbook in /var/lib/qsosync-north},
            'instance add prints the port and the logbook';
    }
    my @stat = stat '/var/lib/qsosync-north/logbook.db';
    is getpwuid $stat[4], 'qsosync-north', "the second club's user owns the club's logbook";
    like QSOsync::Front::read_file('/etc/systemd/system/qsosync-cluster-north@.service'),
        qr{^Environment=QSOSYNC_DB=/var/lib/qsosync-north/.*^User=qsosync-north$}ms,
        "the second club's cluster uses the club's logbook";
    start_workers(%many);
    my ($status, $report) = examine();
    is "$status $report->{status}", '0 ok',
        "$kind, two clubs: the doctor finds no fault in the first club" or diag $report->{text};
    {
        local @ENV{qw(QSOSYNC_INSTANCE QSOSYNC_KEY)} = ('north', '');
        must('qsosync-admin member list | grep -q 21NO1 || qsosync-admin member add 21NO1 --locator JO59');
        chomp($ENV{QSOSYNC_KEY} = `qsosync-admin key add 21NO1 --name test-$kind --scope READ`);
        ($status, $report) = QSOsync::Doctor::run([], 'doctor', 'https://north.example.org');
        is "$status $report->{status}", '0 ok', "$kind, two clubs: the doctor finds no fault in the second club"
            or diag $report->{text};
    }
    # The operator removes the first club's site by hand and then restores the site.
    must("mv $first /run/kept; systemctl restart $server");
    is answers('https://north.example.org/healthz'), 200,
        "$kind: the second club is served without the first club's site";
    must("mv /run/kept $first; systemctl restart $server");
    # The second club is removed.
    for my $turn ('for the first time', 'for the second time') {
        my ($done, $said) = instance('remove north');
        ok $done, "$kind: one command removes the club, $turn" or diag $said;
        like $said, qr{Its logbook stays in /var/lib/qsosync-north, },
            'instance remove prints the path of the logbook';
    }
    ok !-e $north && !glob('/etc/systemd/system/qsosync-cluster-north*'),
        "$kind: instance remove deletes site and units";
    ok -s '/var/lib/qsosync-north/logbook.db', 'instance remove keeps the logbook';
    is answers("https://$host/healthz"), 200, 'the first club is served after the removal of the second club';
    # Behind a proxy, the sites of both clubs listen on the same port.
    must("$put $host --proxy 127.0.0.1");
    my ($done, $said) = instance('add north --address https://north.example.org --proxy 127.0.0.1');
    ok $done, "$kind: a removed club can be added again, behind a proxy" or diag $said;
    is answers('-H "Host: north.example.org" http://127.0.0.1:8080/healthz'), 200, 'the club behind a proxy answers';
    must("rm $first; systemctl restart $server");
    is answers('-H "Host: north.example.org" http://127.0.0.1:8080/healthz'), 200,
        "$kind: the club behind a proxy answers without the first club's site";
    ok !run_line("qsosync-admin instance remove north --delete-logbook </dev/null"),
        'deleting a logbook without --yes is refused';
    ok -s '/var/lib/qsosync-north/logbook.db' && -e $north, 'a refused removal changes nothing';
    # If a step fails, the command prints the next step.
    if ($kind eq 'nginx') {
        QSOsync::Front::write_file('/etc/nginx/conf.d/broken.conf', "nonsense;\n");
        ($done, $said) = instance('add north --address https://north.example.org --proxy 127.0.0.2');
        ok !$done, 'a failing step ends instance add';
        like $said, qr{stopped at the site in nginx\. .* or remove the club: qsosync-admin instance remove north\n},
            'instance add prints how to continue or undo';
        must('rm /etc/nginx/conf.d/broken.conf');
    }
    must("kill \$(cat /run/qsosync-north/pids)");
    ($done, $said) = instance('remove north --delete-logbook --yes');
    ok $done, "$kind: --delete-logbook --yes removes a club with its logbook" or diag $said;
    ok !-e '/var/lib/qsosync-north' && !getpwnam 'qsosync-north', 'no folder or user of the club remains';
    ok !(instance('remove north'))[0], 'removing an unknown club is refused';
    must("rm -rf /etc/$server/sites-enabled/* /var/backups/qsosync-site-*");
    stop_server($kind);
}
for my $wrong (['add site --address https://site.example.org', qr/not be "site"/],
    ['add North --address https://a.b', qr/a club.s name must have/],
    ['add south --address http://south.example.org', qr/--address must be https/],
    ['add south --address https://a.b/c', qr/--address must be/])
{
    my ($done, $said) = instance($wrong->[0]);
    ok !$done, "instance $wrong->[0] is refused";
    like $said, $wrong->[1], 'a refused instance command gives the reason';
}
ok !getpwnam 'qsosync-south', 'a refused instance command creates no user';

# A proxy terminates TLS. Another site of the same nginx acts as the proxy. For a fault of the proxy, the doctor prints
# the line that corrects the proxy's site. Other faults are fixed on this server.
SKIP: {
    skip 'nginx is not installed', 1 if !-x '/usr/sbin/nginx' || !-d '/etc/nginx/sites-enabled';
    must('rm -rf /etc/nginx/sites-enabled/* /etc/nginx/conf.d/* /var/backups/qsosync-site-* && certbot renew');
    my $right = "client_max_body_size 8m;\nproxy_http_version 1.1;\nproxy_set_header Host \$http_host;\n"
        . "proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;\n"
        . "proxy_set_header X-Forwarded-Proto \$scheme;\nproxy_pass http://127.0.0.1:8080;\n";
    my $outer = sub {
        QSOsync::Front::write_file('/etc/nginx/conf.d/outer.conf', "proxy_cache_path /run/cache keys_zone=kept:1m;
server { listen 443 ssl; server_name $host; ssl_certificate /etc/letsencrypt/live/$host/fullchain.pem;
ssl_certificate_key /etc/letsencrypt/live/$host/privkey.pem;\nlocation / {\n$_[0]} }\n");
        must('systemctl restart nginx');
    };
    my $put = "/usr/local/share/qsosync/service/put-site nginx $host";
    must("$put --proxy 127.0.0.1; rm -rf /var/backups/qsosync-site-*");
    $outer->($right);
    my @all = doctor();
    is "$all[0] $all[1]{status}", '0 ok', 'the doctor finds no fault behind a correct proxy'
        or diag $all[1]{text};
    is_deeply [grep { /clients/ } map { $_->{check} } @{$all[1]{checks}}], ['clients'],
        'the doctor examines the path through the proxy';
    # Breaks the proxy's site. Checks the doctor's finding, and that the line in the fix corrects the proxy's site.
    my $faulty = sub {
        my ($cause, $check, $pattern, $level, $change) = @_;
        local $_ = $right;
        $change->();
        $outer->($_);
        my $found = QSOsync::Doctor::finds("the proxy: $cause", $level, $check, $pattern,
            qr/; in nginx: \S.*;\z/, doctor()) or return;
        my ($line) = $found->{fix} =~ /in nginx: (.*)\z/ or return;
        my ($directive) = $line =~ /\A(proxy_set_header \S+|\S+)/;
        s/^\Q$directive\E .*\n//m;
        $outer->("$_$line\n");
        my ($status, $report) = doctor();
        is "$status $report->{status}", '0 ok', "the proxy: $cause: the pasted line fixes the fault"
            or diag $line, $report->{text};
    };
    $faulty->('a body limit', 'body', qr/2 MiB does not get through the proxy.*413/, 'trouble', sub {
        replace(qr/client_max.*\n/, '');
    });
    $faulty->('Authorization that is stripped', 'authorization', qr/the proxy strips the Auth/, 'trouble', sub {
        $_ .= "proxy_set_header Authorization '';\n";
    });
    $faulty->('no address of the client', 'clients', qr/share one request limit.*sees 127\.0\.0\.1/, 'trouble', sub {
        replace(qr/.*X-Forwarded-For.*\n/, '');
    });
    # The server behind the proxy has faults.
    my $here = sub {
        my ($cause, $check, $pattern, $fix) = @_;
        my $found = QSOsync::Doctor::finds("behind a proxy: $cause", 'trouble', $check, $pattern, $fix, doctor())
            or return;
        ok run_line($found->{fix}), "behind a proxy: $cause: the fix can be pasted" or diag $found->{fix},
            QSOsync::Front::read_file("$place/run.log");
        my ($status, $report) = doctor();
        is "$status $report->{status}", '0 ok', "behind a proxy: $cause: the pasted line fixes the fault"
            or diag $report->{text};
        must('rm -rf /var/backups/qsosync-site-*');
    };
    $outer->($right);
    must("$put --proxy 192.0.2.10");
    $here->('a proxy that the site does not name', 'clients', qr/share one request limit.*sees 127\.0\.0\.1/,
        qr/put-site nginx \Q$host\E --also-proxy 127\.0\.0\.1\z/);
    like QSOsync::Front::read_file('/etc/nginx/sites-enabled/qsosync-site.conf'),
        qr/set_real_ip_from 192\.0\.2\.10;\n\s*set_real_ip_from 127\.0\.0\.1;/,
        'the fix keeps the named proxies';
    must("qsosync-admin club set --address http://$host");
    $here->('an address without TLS', 'own address', qr{uses the address http://\Q$host\E, so .* keys unencrypted},
        qr/club set --address/);
    must("qsosync-admin club set --address '' && $put --proxy 127.0.0.1");
    $outer->($right =~ s/.*X-Forwarded-Proto.*\n//r);
    $here->('no address, and no X-Forwarded-Proto', 'own address', qr{uses the address http://},
        qr/club set --address/);
    if (-x '/usr/sbin/apache2' && -d '/etc/apache2/sites-enabled') {
        must("rm -f /etc/nginx/sites-enabled/* /etc/apache2/sites-enabled/*; a2dismod -qf ssl remoteip");
        $outer->($right);
        must("/usr/local/share/qsosync/service/put-site apache $host --proxy 127.0.0.1");
        my ($status, $report) = doctor();
        is "$status $report->{status}", '0 ok', "the doctor finds no fault in Apache's site behind a proxy"
            or diag $report->{text};
        must('apache2ctl stop; for i in $(seq 200); do test -e /run/apache2/apache2.pid || break; sleep 0.05; done; '
            . 'rm -f /etc/apache2/sites-enabled/*');
    }
    must('nginx -s stop; for i in $(seq 200); do test -e /run/nginx.pid || break; sleep 0.05; done; '
        . 'rm -f /etc/nginx/sites-enabled/* /etc/nginx/conf.d/*');
}

SKIP: {
    skip 'Apache is not installed', 1 if !-x '/usr/sbin/apache2' || !-d '/etc/apache2/sites-enabled';
    must('rm -f /etc/apache2/sites-enabled/* && certbot renew && a2enmod -q proxy_fcgi buffer headers rewrite alias '
        . 'deflate ssl auth_basic authn_file authz_user remoteip');
    ($server, $site) = ('apache2', '/etc/apache2/sites-enabled/qsosync-proxy-fcgi.conf');
    $shipped = inlined(QSOsync::Front::read_file("$source/apache/qsosync-proxy-fcgi.conf"),
        'IncludeOptional /usr/local/share/qsosync/apache/qsosync-common.conf', "$source/apache/qsosync-common.conf");
    $shipped = inlined($shipped, 'IncludeOptional /usr/local/share/qsosync/apache/qsosync-workers.conf',
        "$source/apache/qsosync-workers.conf");
    broken('a welcome page', 'address', qr/something other/, sub {
        $_ =
            "<VirtualHost *:443>\nServerName $host\nSSLEngine on\nSSLCertificateFile "
            . "/etc/letsencrypt/live/$host/fullchain.pem\nSSLCertificateKeyFile "
            . "/etc/letsencrypt/live/$host/privkey.pem\nDocumentRoot /var/www/html\n</VirtualHost>\n" });
    broken('CORS headers that are stripped', 'cors', qr/lack Access-Control-Allow-Origin/, sub {
        replace(qr/Header always set Access-Control-Allow-Origin.*/, '');
    });
    broken('preflights that do not allow a key', 'cors', qr/OPTIONS/, sub {
        replace(qr/Header always set Access-Control-Allow-Headers.*/, '');
    });
    broken('Authorization that is stripped', 'authorization', qr/strips the Authorization header/, sub {
        replace(qr/enablereuse=off\K/, "\nRequestHeader unset Authorization");
    });
    broken("the site's own login", 'address', qr/asks for a login/, sub {
        replace(qr/enablereuse=off.*?\KRequire all granted/s,
            "AuthType Basic\nAuthName club\nAuthUserFile /etc/passwd\nRequire valid-user");
    });
    broken('an address that is denied', 'address', qr/refuses the address/, sub {
        replace(qr/enablereuse=off.*?\KRequire all granted/s, 'Require all denied');
    });
    broken('the login left by an older version', 'sign-in', qr/asks for its own login/, sub {
        replace(qr{</VirtualHost>}, "<LocationMatch ^/profile/>\nAuthType Basic\nAuthName QSOsync\nAuthUserFile "
            . "$passwords\nRequire valid-user\n</LocationMatch>\n</VirtualHost>");
    });
    broken('cookies that are removed', 'sign-in', qr/strips the Cookie or Set-Cookie header/, sub {
        replace(qr{</VirtualHost>}, "RequestHeader unset Cookie\n</VirtualHost>");
    });
    broken('cookies that are not set', 'sign-in', qr/strips the Cookie or Set-Cookie header/, sub {
        replace(qr{</VirtualHost>}, "Header always unset Set-Cookie\nHeader unset Set-Cookie\n</VirtualHost>");
    });
    broken('an expired certificate', 'tls', qr/expired/, sub { must('certbot expired') });

    # Port 80 redirects to https, except for certbot's answers, and no log contains a token.
    must('mkdir -p /var/www/html/.well-known/acme-challenge && echo proof > /var/www/html/.well-known/acme-challenge/x '
        . '&& systemctl restart apache2');
    is `curl -s http://$host/.well-known/acme-challenge/x`, "proof\n", "apache2: certbot's answer is served on port 80";
    for my $path (qw(/ /profile/?a=b%2Fc&d=%3f /api/v1/logs/a%2Fb /x%3fy?z /cloudlog/qsosyncup_secret11/x?y=z)) {
        is `curl -s -o $place/body -w '%{http_code} %{redirect_url}' 'http://$host$path'`,
            "308 https://$host$path", "apache2: http://NAME$path redirects to https";
    }
    ok !run_line('grep -r secret11 /var/log/apache2'), 'apache2: no log contains a token sent to port 80';

    # Apache starts the workers itself.
    if (-e '/etc/apache2/mods-available/fcgid.load') {
        must("a2enmod -q fcgid cgid && rm $site && install -m 755 $place/bin/qsosync.fcgi $place/bin/qsosync-site.fcgi "
            . "/usr/local/libexec/ && chown -R www-data: /var/lib/qsosync");
        $site = '/etc/apache2/sites-enabled/qsosync-fcgid.conf';
        $shipped = QSOsync::Front::read_file("$source/apache/qsosync-fcgid.conf");
        broken("mod_fcgid's own body limit", 'body', qr/2 MiB does not arrive/, sub {
            replace(qr/FcgidMaxRequestLen .*/, '');
        });
    }
    must('apache2ctl stop; for i in $(seq 200); do test -e /run/apache2/apache2.pid || break; sleep 0.05; done');
}
run_line('kill $(cat /run/qsosync/pids)');
chdir '/';
run_line("umount /etc /var /usr/local /run; rm -rf $place/*"); # the name space ends with this process
rmdir $place;
done_testing;
