# Starts real front servers with the configurations that the project ships. Only paths, ports and the user are changed.
package QSOsync::Front;
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Socket::UNIX;
use POSIX ();

our $SOURCE = $ENV{QSOSYNC_SRCDIR} || abs_path(dirname(__FILE__) . '/../../..');
our $BUILD = $ENV{QSOSYNC_BUILDDIR} || (-e 'config.status' ? getcwd : $SOURCE);
our $NGINX = $ENV{QSOSYNC_NGINX} || '/usr/sbin/nginx';
my $APACHE = $ENV{QSOSYNC_APACHE} || '/usr/sbin/apache2';
my $MODULES = '/usr/lib/apache2/modules';

# The fronts that reach the workers through the workers' own socket.
my %HAS_SOCKET = (nginx => 1, proxy_fcgi => 1);

sub has_socket { $HAS_SOCKET{$_[0]} }

sub worker_program { $ENV{QSOSYNC_TEST_WORKER} || program('qsosync.fcgi') }
sub site_program { program('qsosync-site.fcgi') }

# Returns the path of a built program that every user can start. If root's checkout is in a private folder (/root), this
# program is a copy.
my $copies;
sub program {
    my ($name) = @_;
    return "$BUILD/$name" if $> != 0 || !closed_folder($BUILD);
    if (!$copies) {
        $copies = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
        chmod 0755, $copies;
    }
    if (!-e "$copies/$name") {
        copy("$BUILD/$name", "$copies/$name") or die "$BUILD/$name: $!";
        chmod 0755, "$copies/$name";
    }
    return "$copies/$name";
}

# Compiles a source file into a library for LD_PRELOAD in the folder, and returns the library's path.
sub build_preload {
    my ($folder, $source) = @_;
    my $library = "$folder/" . $source =~ s{.*/(\w+)\.c\z}{$1.so}r;
    my $output = `cc -D_GNU_SOURCE -O1 -shared -fPIC -o '$library' '$SOURCE/$source' -ldl 2>&1`;
    die "$library: $output" if $? != 0;
    return $library;
}

# Returns whether the worker was built with sanitizers, which need additional memory and their own folders.
my %is_sanitized; # by program, because each program is megabytes large
sub is_sanitized {
    my $program = worker_program();
    return $is_sanitized{$program} //= read_file($program) =~ /__asan_init/ ? 1 : 0;
}

# The leak detector fails in a program that has changed its user.
sub end_leak_detector { $ENV{ASAN_OPTIONS} = join ':', grep { defined } $ENV{ASAN_OPTIONS}, 'detect_leaks=0' }

# Sanitizers and coverage open files when a program ends. The worker's sandbox forbids this, so it is disabled.
sub is_instrumented { read_file(worker_program()) =~ /__asan_init|__gcov_|__llvm_profile_/ ? 1 : 0 }
sub sandbox_setting { is_instrumented() ? (QSOSYNC_SANDBOX => 0) : () }

# Returns whether the kernel has Landlock, and no filter of system calls blocks it, as the filter of systemd-nspawn
# does. The call is landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION), whose number is the same on every
# processor.
sub has_landlock { my $version = syscall 444, 0, 0, 1; return $version > 0 }

sub read_file {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!";
    local $/;
    return scalar <$file>;
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>:raw', $path or die "$path: $!";
    print {$file} $text or die "$path: $!";
    close $file or die "$path: $!";
}

# Writes into a file at this offset, in place, so that programs that have the file open see the change.
sub overwrite {
    my ($path, $bytes, $offset) = @_;
    open my $file, '+<:raw', $path or die "$path: $!";
    seek $file, $offset, 0;
    print {$file} $bytes or die "$path: $!";
    close $file or die "$path: $!";
}

# Replaces the content of a file in place.
sub replace_content {
    my ($path, $bytes) = @_;
    truncate $path, 0 or die "$path: $!";
    overwrite($path, $bytes, 0);
}

# Returns a shipped file with the installation's paths changed to those of this run.
sub shipped {
    my ($name, $run) = @_;
    my $text = read_file("$SOURCE/$name");
    $text =~ s{/run/(?:qsosync|\$\{QSOSYNC_INSTANCE\})/(\w+)\.sock}{$run->{directory}/$1.sock}g;
    $text =~ s{/usr/local/share/qsosync}{$run->{directory}/share}g;
    $text =~ s{/usr/local/libexec/qsosync\.fcgi}{$run->{program}}g;
    $text =~ s{/usr/local/libexec/qsosync-site\.fcgi}{@{[site_program()]}}g;
    $text =~ s{/var/lib/qsosync/logbook\.db}{$run->{db}}g;
    $text =~ s{/var/log/(?:apache2/qsosync|nginx/access)\.log}{$run->{directory}/access.log}g;
    # nginx's own limit is above the worker's limit of 300. A run with a higher limit, or without a limit, omits nginx's
    # limit.
    my $limit = $run->{environment}{QSOSYNC_RATE_LIMIT};
    $text =~ s/^\s*(?:limit_req zone=|limit_conn qsosync).*\n//mg if defined $limit
        && $limit !~ /\A(?:[1-9]\d?|[12]\d\d|300)\z/;
    return $text;
}

# Starts a program in the background with its output in a file.
sub spawn {
    my ($log, $environment, $input, @command) = @_;
    # Between fork and exec, Perl would delay a signal until one of its handlers can run. exec removes the handlers, so
    # the signal would be lost.
    my ($ends, $previous) = (POSIX::SigSet->new(POSIX::SIGINT(), POSIX::SIGTERM()), POSIX::SigSet->new);
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $ends, $previous);
    my $pid = fork;
    if (defined $pid && !$pid) { $SIG{$_} = 'DEFAULT' for qw(INT TERM) }
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $previous);
    die "fork: $!" unless defined $pid;
    return $pid if $pid;
    POSIX::setsid();
    %ENV = (PATH => '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', %$environment);
    open STDIN, '<', '/dev/null' or POSIX::_exit(127);
    POSIX::dup2(fileno($input), 0) if $input;
    open STDOUT, '>>', $log or POSIX::_exit(127);
    open STDERR, '>&', \*STDOUT or POSIX::_exit(127);
    no warnings 'exec';
    exec { $command[0] } @command;
    POSIX::_exit(127);
}

# Starts workers on one socket, which this process holds, as systemd would.
sub start_workers {
    my ($run) = @_;
    $run->{socket} = listen_at("$run->{directory}/worker.sock");
    start_worker($run) for 1 .. $run->{workers};
    return unless $run->{site};
    $run->{site_socket} = listen_at("$run->{directory}/site.sock");
    start_site_worker($run) for 1 .. $run->{site};
}

sub listen_at {
    my ($path) = @_;
    my $socket = IO::Socket::UNIX->new(Local => $path, Listen => 512) or die "$path: $!";
    chmod 0666, $path;
    return $socket;
}

sub start_site_worker {
    my ($run) = @_;
    my $pid = spawn("$run->{directory}/worker.log", $run->{environment}, $run->{site_socket}, site_program());
    push @{$run->{site_pids}}, $pid;
    return $pid;
}

sub start_worker {
    my ($run) = @_;
    my $pid = spawn("$run->{directory}/worker.log", $run->{environment}, $run->{socket},
        $run->{program});
    push @{$run->{worker_pids}}, $pid;
    return $pid;
}

# Copies the files that browsers load, from the sources and the build, as they are installed. The folder contains pages
# and app, directly and below the name of the version. The files are links to one copy, so never write into them.
# t/check makes the copy for all tests of a build. If a test runs alone, the test's first service makes the copy.
my %copies = split /\n/, $ENV{QSOSYNC_TEST_FILES} // ''; # build folder => copy of the folder's files
sub gather_files {
    my ($folder) = @_;
    my $from = $copies{$BUILD} ||= copy_files(tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1));
    my $gather = sub {
        my $to = $folder . substr $_, length $from;
        -d ? make_path($to) : -e $to || link($_, $to) || copy($_, $to) || die "$to: $!";
    };
    find({ no_chdir => 1, wanted => $gather }, $from);
}

# Returns the folder with the files.
sub copy_files {
    my ($folder) = @_;
    my ($version) = read_file("$BUILD/pages/version.inc") =~ /"(\w+)"/ or die 'no version of the pages';
    copy_part("$folder/pages", "$folder/pages/files-$version/pages", grep { /\.(?:html|css|js|svg|json)\z/ }
        glob "$SOURCE/src/web/{shared,pages/*}/*.svg $BUILD/pages/*");
    copy_part("$folder/app", "$folder/pages/files-$version/app",
        grep({ /\.(?:html|css|webmanifest|png)\z/ } glob "$SOURCE/src/web/app/*"), glob "$BUILD/app/*.{js,html}");
    return $folder;
}

# If two files have the same name, the last file is copied. (One process that copies all files costs a fraction of
# File::Copy.)
sub copy_part {
    my ($folder, $versioned, @files) = @_;
    my %file = map { s{.*/}{}r => $_ } @files;
    make_path($folder, $versioned);
    system('cp', values %file, $folder) == 0 or die "$folder: cp fails";
    for my $name (grep { !/\.html\z/ } keys %file) {
        link "$folder/$name", "$versioned/$name" or die "$versioned/$name: $!";
    }
}

sub start {
    my ($run) = @_;
    gather_files("$run->{directory}/share");
    start_workers($run) if $HAS_SOCKET{$run->{front}};
    my @command = $run->{front} eq 'nginx' ? nginx_command($run) : apache_command($run);
    own($run) if $> == 0;
    $run->{front_pid} = spawn("$run->{directory}/front.log", $run->{environment}, undef, @command);
}

# Apache does not serve as root, so Apache's user owns the files that Apache must read and write.
sub own {
    my ($run) = @_;
    my (undef, undef, $user, $group) = getpwnam 'www-data';
    chmod 0755, $run->{directory};
    return if $run->{front} eq 'nginx';
    find({ no_chdir => 1, wanted => sub { chown $user, $group, $_ unless -l $_ } }, $run->{directory}, $run->{data});
}

my %APACHE_MODULES = (
    fcgid => [qw(fcgid cgid)],
    proxy_fcgi => [qw(proxy proxy_fcgi buffer)],
    cgi => [qw(cgid)],
    htaccess => [qw(fcgid cgid dir)],
);

# mod_cgid's daemon creates its socket as root and then gives it to Apache's user. The daemon starts at the same time as
# the processes that serve requests, so a process that is ready first cannot use the socket.
sub is_ready_for_cgi {
    my ($run) = @_;
    return 1 if $> != 0 || !grep { $_ eq 'cgid' } @{$APACHE_MODULES{$run->{front}} || []};
    return grep { (stat)[4] == getpwnam 'www-data' } glob "$run->{directory}/cgid.sock*";
}

sub has_apache { -x $APACHE && -e "$MODULES/mod_fcgid.so" }

# Returns the outermost folder on the path to this folder that Apache's user may not enter, if there is such a folder.
sub closed_folder {
    my ($folder) = @_;
    my (undef, undef, $user, $group) = getpwnam 'www-data';
    return if !defined $user;
    local ($), $>) = ("$group $group", $user);
    my @names = split m{/}, $folder;
    my @way = map { join('/', @names[0 .. $_]) || '/' } 0 .. $#names;
    return (grep { !-x $_ } @way)[0];
}

# Returns the start time of a process, in clock ticks since the boot, which is unique in combination with the process's
# number. Returns '' if the process does not exist.
sub started_at {
    my ($pid) = @_;
    my $status = eval { read_file("/proc/$pid/stat") } // '';
    return $status =~ /\) (?:\S+ ){19}(\d+) / ? $1 : '';
}

# Configures HTTP/2 on a separate socket. From version 1.25.1 on, nginx warns about the syntax that older versions need.
sub http2_lines {
    my ($socket) = @_;
    my ($major, $minor, $patch) = qx('$NGINX' -v 2>&1) =~ m{nginx/(\d+)\.(\d+)\.(\d+)};
    return sprintf('%03d%03d%03d', $major // 0, $minor // 0, $patch // 0) lt '001025001' ? "listen unix:$socket http2;"
        : "listen unix:$socket;\n        http2 on;";
}

sub nginx_command {
    my ($run) = @_;
    my $directory = $run->{directory};
    make_path("$directory/share/nginx");
    write_file("$directory/share/nginx/qsosync-$_.conf", shipped("nginx/qsosync-$_.conf", $run))
        for qw(http api pages worker site-worker);
    my $user = $> == 0 ? 'user root;' : '';
    my $paths = join '', map { "${_}_temp_path $directory/$_;\n" }
        qw(client_body fastcgi proxy uwsgi scgi);
    write_file("$directory/nginx.conf", <<"END");
daemon off;
$user
worker_processes 2;
pid $directory/front.pid;
error_log $directory/front.log warn;
events { worker_connections 512; }
http {
    access_log $directory/access.log;
    default_type text/plain;
    $paths
    @{[$run->{has_proxy} ? behind_proxy($run, 'nginx/qsosync-behind-proxy.conf') : <<"SERVER"]}
    include $directory/share/nginx/qsosync-http.conf;
    server {
        listen 127.0.0.1:$run->{port};
        @{[$run->{tls} ? "listen 127.0.0.1:$run->{tls_port} ssl;
        ssl_certificate $run->{tls}.pem;
        ssl_certificate_key $run->{tls}.key;" : '']}
        @{[http2_lines("$directory/http2.sock")]}
        include $directory/share/nginx/qsosync-api.conf;
        include $directory/share/nginx/qsosync-pages.conf;
    }
SERVER
}
END
    return ($NGINX, '-p', $directory, '-c', "$directory/nginx.conf", '-e', "$directory/front.log");
}

sub apache_command {
    my ($run) = @_;
    my $directory = $run->{directory};
    my $load = join '', map { "LoadModule ${_}_module $MODULES/mod_$_.so\n" }
        qw(mpm_event authn_core authz_core alias headers rewrite setenvif mime env filter deflate remoteip),
        $run->{tls} ? 'ssl' : (), grep { $_ ne ($run->{without_module} // '') } @{$APACHE_MODULES{$run->{front}}};
    my $user = $> == 0 ? "User www-data\nGroup www-data\n" : '';
    make_path("$directory/share/apache");
    copy_errors("$directory/share/apache");
    write_file("$directory/share/apache/qsosync-$_.conf", shipped("apache/qsosync-$_.conf", $run))
        for qw(common pages workers proxied);
    make_path("$directory/empty");
    my $site = $run->{front} eq 'htaccess' ? shared_host($run) : site($run);
    my @ports = ($run->{has_proxy} ? () : $run->{port}, $run->{tls_port} // ());
    my $listens = join "\n", map { "Listen 127.0.0.1:$_" } @ports;
    write_file("$directory/apache.conf", <<"END");
ServerRoot $directory
ServerName 127.0.0.1
PidFile $directory/front.pid
ErrorLog $directory/front.log
LogLevel error
LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
$listens
$load$user
TypesConfig /dev/null
<IfModule mod_fcgid.c>
    FcgidIPCDir $directory/fcgid
    FcgidProcessTableFile $directory/fcgid.table
</IfModule>
<IfModule mod_cgid.c>
    ScriptSock $directory/cgid.sock
</IfModule>
<Directory />
    AllowOverride None
    Require all denied
</Directory>
DocumentRoot $directory/empty
<Directory $directory/empty>
    Require all granted
</Directory>
$site
END
    return ($APACHE, '-f', "$directory/apache.conf", '-DFOREGROUND');
}

sub copy_errors {
    my ($folder) = @_;
    make_path("$folder/errors");
    copy($_, "$folder/errors") or die "$_: $!" for glob "$SOURCE/apache/errors/*.json";
}

# Returns the shipped site on this run's port, without TLS. If the run has a certificate, the site also has TLS on
# another port.
sub site {
    my ($run) = @_;
    my $name = { fcgid => 'fcgid', proxy_fcgi => 'proxy-fcgi', cgi => 'cgi' }->{$run->{front}};
    my $text = $run->{has_proxy} && $name eq 'proxy-fcgi' ? behind_proxy($run, 'apache/qsosync-behind-proxy.conf')
        : shipped("apache/qsosync-$name.conf", $run);
    my $secure = $run->{tls} ? secure_site($run, $text) : '';
    $text =~ s/^\s*SSL.*\n//mg;
    $text =~ s/^<VirtualHost \*:80>.*?^<\/VirtualHost>\n//ms;
    my $begin = $run->{has_proxy} ? first_lines_behind_proxy($run)
        : "<VirtualHost 127.0.0.1:$run->{port}>\n    ServerName 127.0.0.1";
    $text =~ s/<VirtualHost \*:443>\n *ServerName .*/$begin/;
    $text .= $secure;
    my $settings = settings($run);
    $text =~ s/(?=^FcgidInitialEnv)/$settings->{fcgid}/m;
    $text =~ s/(?=^\s*SetEnv QSOSYNC_DB)/$settings->{environment}/mg;
    return $text;
}

sub secure_site {
    my ($run, $text) = @_;
    my ($site) = $text =~ /^(<VirtualHost \*:443>.*?^<\/VirtualHost>\n)/ms or die 'no site with TLS is shipped';
    return $site =~ s/\*:443/127.0.0.1:$run->{tls_port}/r =~ s{/etc/\S+/fullchain\.pem}{$run->{tls}.pem}r
        =~ s{/etc/\S+/privkey\.pem}{$run->{tls}.key}r;
}

# Returns the site for a server behind a proxy, on this run's port.
sub behind_proxy {
    my ($run, $name) = @_;
    return shipped($name, $run) =~ s/127\.0\.0\.1:8080/127.0.0.1:$run->{port}/gr;
}

# Returns the first five lines of qsosync-behind-proxy.conf without its comments. According to that file, users copy
# these lines into a site in which Apache starts the workers.
sub first_lines_behind_proxy {
    my ($run) = @_;
    my @lines = grep { !/^\s*#/ } split /(?<=\n)/, behind_proxy($run, 'apache/qsosync-behind-proxy.conf');
    return join '', (grep { /\S/ } @lines)[0 .. 4];
}

sub settings {
    my ($run) = @_;
    my %environment = %{$run->{environment}};
    delete $environment{QSOSYNC_DB};
    s/(?=["\\])/\\/g for values %environment;
    return {
        fcgid => join('', map { "FcgidInitialEnv $_ \"$environment{$_}\"\n" } sort keys %environment),
        environment => join('', map { "SetEnv $_ \"$environment{$_}\"\n" } sort keys %environment),
    };
}

sub shared_pages {
    my ($run, $root) = @_;
    my $settings = settings($run)->{environment} . "SetEnv QSOSYNC_DB $run->{db}\n";
    gather_files($root);
    copy(site_program(), "$root/qsosync-site.fcgi") or die "qsosync-site.fcgi: $!";
    chmod 0755, "$root/qsosync-site.fcgi";
    write_file("$root/.htaccess", $settings . shipped('apache/htaccess-pages', $run));
}

# Configures a shared host, which has only a document root in which .htaccess may change a few settings.
sub shared_host {
    my ($run) = @_;
    my $root = "$run->{directory}/public_html";
    make_path("$root/api");
    copy($run->{program}, "$root/api/v1") or die "v1: $!";
    chmod 0755, "$root/api/v1";
    copy_errors("$root/api");
    my $text = shipped('apache/htaccess', $run);
    # The worker's default is the logbook of another installation.
    write_file("$root/api/.htaccess", settings($run)->{environment} . "SetEnv QSOSYNC_DB $run->{db}\n" . $text);
    shared_pages($run, $root);
    return <<"END";
<IfModule mod_fcgid.c>
    FcgidMaxProcessesPerClass 4
</IfModule>
<VirtualHost 127.0.0.1:$run->{port}>
    ServerName 127.0.0.1
    DocumentRoot $root
    <Directory $root>
        AllowOverride FileInfo AuthConfig Options Limit Indexes
        Options FollowSymLinks
        Require all granted
    </Directory>
</VirtualHost>
END
}

1;
