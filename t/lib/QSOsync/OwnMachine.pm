# Simulates a separate machine for a test: name spaces with Debian's folders, so that no file of this machine changes.
# The separate machine has this machine's web servers, an authority in place of Let's Encrypt, and certbot for that
# authority.
#
#   use QSOsync::OwnMachine;
#   enter_own_machine();            # first; skips the test if such a machine is impossible
#   install_service();              # if the test needs the units and a logbook
#   must("put-site ...");           # a line of root's shell; $place has its log
package QSOsync::OwnMachine;
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use Test::More;
use QSOsync::Doctor;
use QSOsync::Front;

our @EXPORT = qw($host $place enter_own_machine install_service must program run_line);
our $host = 'log.example.org';
our $place;

sub run_line { system("{ $_[0]\n} > $place/run.log 2>&1") == 0 }
sub must { run_line($_[0]) or die "$_[0]: " . QSOsync::Front::read_file("$place/run.log") }
sub program {
    QSOsync::Front::write_file("$place/bin/$_[0]", $_[1] =~ /\A#!/ ? $_[1] : "#!/bin/sh\n$_[1]");
    chmod 0755, "$place/bin/$_[0]" or die;
}

# The shell is the first process in the name spaces, and collects web servers that end.
sub enter_spaces {
    QSOsync::Front::end_leak_detector() if !$ENV{QSOSYNC_OWN_SPACES};
    plan skip_all => 'needs root, for name spaces and the files of the web servers' if $> != 0;
    return if $ENV{QSOSYNC_OWN_SPACES};
    plan skip_all => 'needs permission to unshare'
        if system('unshare', '-m', '-n', '-p', '-f', '--mount-proc', 'true') != 0;
    $ENV{QSOSYNC_OWN_SPACES} = 1;
    exec 'unshare', '-m', '-n', '-p', '-f', '--kill-child', '--mount-proc', 'sh', '-c', '"$@"; exit $?', 'sh', $^X,
        map({ "-I$_" } @INC), $0;
}

sub mount_places {
    my $source = $QSOsync::Front::SOURCE;
    for my $folder ('etc', 'var', 'usr/local') {
        my $upper = $place . '/' . $folder =~ tr{/}{-}r;
        must("mkdir -p $upper/upper $upper/work");
        plan skip_all => 'this machine cannot mount overlays'
            if !run_line("mount -t overlay overlay -o lowerdir=/$folder,upperdir=$upper/upper,workdir=$upper/work "
            . "/$folder");
    }
    must('mount -t tmpfs tmpfs /run && mkdir -p /run/qsosync /run/lock /run/apache2 /var/log/nginx /var/log/apache2 '
        . '/var/lib/nginx /var/cache/apache2 /var/backups /var/www/html');
    plan skip_all => 'the installation has another prefix'
        if index(QSOsync::Front::read_file($QSOsync::Doctor::PROGRAM), '/usr/local/share/qsosync/service/put-site') < 0;
    must('rm -rf /usr/local/share/qsosync && mkdir -p /usr/local/share/qsosync /usr/local/libexec && cp -r '
        . "$source/nginx $source/apache $source/src/service /usr/local/share/qsosync/ && "
        . "echo '127.0.0.1 $host' >> /etc/hosts");
}

# The programs of both workers and qsosync-admin are in $place/bin, which is the first folder in PATH.
sub enter_own_machine {
    enter_spaces();
    $place = tempdir(TMPDIR => 1);
    chmod 0755, $place or die;
    plan skip_all => 'needs openssl and ip' if !run_line('openssl version && ip link set lo up');
    mount_places();
    mkdir "$place/bin" or die;
    $ENV{PATH} = "$place/bin:/usr/sbin:/sbin:$ENV{PATH}";
    put_certbot();
    must("mkdir -p /etc/letsencrypt/live && rm -rf /etc/letsencrypt/live/* && cp $QSOsync::Doctor::PROGRAM "
        . "$place/bin/qsosync-admin && certbot certonly -d $host");
    $QSOsync::Doctor::PROGRAM = "$place/bin/qsosync-admin";
    must('cp ' . QSOsync::Front::worker_program() . ' ' . QSOsync::Front::site_program() . " $place/bin/");
    $ENV{CURL_CA_BUNDLE} = "$place/ca.pem";
}

# Installs the shipped units, which t/systemctl starts, with their user, and enables them. Creates a logbook with a
# member and the club's address.
sub install_service {
    my ($uid, $gid) = (getpwnam 'daemon')[2, 3];
    my $units = '/usr/local/lib/systemd/system';
    program('systemctl', QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/systemctl"));
    $ENV{PROGRAMS} = "$place/bin";
    must("grep -q ^qsosync: /etc/passwd || echo 'qsosync:x:$uid:$gid\::/:/bin/false' >> /etc/passwd; "
        . "rm -rf /var/lib/qsosync $units /etc/systemd/system/*qsosync*; mkdir -p $units /run/systemd/system && "
        . "cp /usr/local/share/qsosync/service/qsosync*.s* /usr/local/share/qsosync/service/qsosync*.timer $units && "
        . 'install -d -o qsosync -m 750 /var/lib/qsosync /var/backups/qsosync');
    for my $unit ('qsosync', 'qsosync-site') {
        my $sandbox = join '', map { "Environment=$_\n" } join '=', QSOsync::Front::sandbox_setting();
        must("mkdir -p /etc/systemd/system/$unit.service.d");
        QSOsync::Front::write_file("/etc/systemd/system/$unit.service.d/test.conf", "[Service]\n"
            . "Environment=QSOSYNC_RATE_LIMIT=9000\n" . ($sandbox =~ /=\w/ ? $sandbox : ''));
    }
    must("runuser -u qsosync -- $place/bin/qsosync-admin --db /var/lib/qsosync/logbook.db $_")
        for 'init', 'member add 21SD333 --locator JO59', "club set --address https://$host";
    must('for unit in qsosync.socket qsosync.service qsosync-site.socket qsosync-site.service qsosync-cluster.socket; '
        . 'do systemctl enable $unit; done; mkdir -p /etc/apache2/sites-enabled /etc/nginx/sites-enabled; '
        . 'rm -f /etc/nginx/sites-enabled/* /etc/nginx/conf.d/* /etc/apache2/sites-enabled/*');
}

sub put_certbot {
    must("openssl req -x509 -newkey ed25519 -nodes -days 30 -subj '/CN=Test authority' -keyout $place/ca.key -out "
        . "$place/ca.pem");
    program('certbot', <<"END");
make() {
    mkdir -p /etc/letsencrypt/live/\$1 /etc/letsencrypt/renewal
    touch /etc/letsencrypt/renewal/\$1.conf
    cd /etc/letsencrypt/live/\$1
    openssl req -newkey ed25519 -nodes -subj /CN=site -keyout privkey.pem -out $place/site.csr
    echo "subjectAltName=DNS:\$1" > $place/site.ext
    openssl x509 -req -in $place/site.csr -CA $place/ca.pem -CAkey $place/ca.key -CAcreateserial \\
        -days \${2:-60} -extfile $place/site.ext -out fullchain.pem
}
case \$1 in
renew) for folder in /etc/letsencrypt/live/*/; do make "\$(basename "\$folder")"; done ;;
certonly) while [ "\$1" != -d ]; do shift; done; make "\$2" ;;
expired) make $host -1 ;;
other) make other.example.org; mkdir -p /etc/letsencrypt/live/$host
    cp /etc/letsencrypt/live/other.example.org/* /etc/letsencrypt/live/$host/
    rm -r /etc/letsencrypt/live/other.example.org ;;
esac
END
}

1;
