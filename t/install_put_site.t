use QSOsync::Test fronts => 'none';
use QSOsync::Doctor;
use QSOsync::OwnMachine;

# put-site works on machines with and without IPv6. The test needs nginx at Debian's paths.
enter_own_machine();
plan skip_all => 'needs nginx' if !-x '/usr/sbin/nginx' || !-d '/etc/nginx/sites-enabled';
my $site = '/etc/nginx/sites-enabled/qsosync-site.conf';
must('rm -f /etc/nginx/sites-enabled/* /etc/nginx/conf.d/*');
program('systemctl', <<'END');
case "$*" in
is-active*nginx) kill -0 "$(cat /run/nginx.pid)" ;;
*nginx) kill "$(cat /run/nginx.pid)" 2> /dev/null && sleep 0.3; nginx ;;
esac
END

my $put = '/usr/local/share/qsosync/service/put-site nginx';
sub listens { return [QSOsync::Front::read_file($site) =~ /^ *listen (\S+?)(?: .*)?;/mg] }
sub status { chomp(my $status = `curl -s -o /dev/null -w '%{http_code}' $_[0]`); return $status }

for my $case (['a machine with IPv6', '', ['80', '[::]:80', '443', '[::]:443'], ['8080', '[::]:8080']],
    ['a machine without IPv6', QSOsync::Front::build_preload($place, 't/faults/no_ipv6.c'), ['80', '443'], ['8080']]) {
    my ($name, $preload, $own, $proxied) = @$case;
    local $ENV{LD_PRELOAD} = $preload;
    ok run_line("$put $host"), "$name: put-site writes the site" or diag QSOsync::Front::read_file("$place/run.log");
    is_deeply listens(), $own, "$name: the site listens on all address families of the machine";
    is status("http://127.0.0.1/ -H 'Host: $host'"), 308, "$name: nginx redirects a request over HTTP";
    ok run_line("$put $host --proxy 192.0.2.1"), "$name: put-site writes the site for a proxy on another machine"
        or diag QSOsync::Front::read_file("$place/run.log");
    is_deeply listens(), $proxied,
        "$name: the site for a proxy on another machine listens on the same address families";
    must("rm -r $site /var/backups/qsosync-site-*; kill \$(cat /run/nginx.pid); sleep 0.3");
}

done_testing;
