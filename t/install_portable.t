use QSOsync::Test fronts => 'none', suite => 'all';
use QSOsync::Variant;
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);

SKIP: {
    skip $_, 1 for grep { $_ } QSOsync::Variant::missing();

    # A portable program looks for the logbook in a folder named qsosync. This folder is next to the program's folder or
    # next to a folder above, and belongs to the program's user.
    my $folder = tempdir(CLEANUP => 1);
    my $program = "$folder/program";
    my ($source, $object) = ("$folder/portable.c", "$folder/portable.o");
    open my $file, '>', $source or die $!;
    print $file qq(#define QSOSYNC_PORTABLE 1\n#include "worker/logbook_path.c"\n);
    close $file;
    QSOsync::Variant::compile($source, $object);
    QSOsync::Variant::link_program('qsosync-admin', $program, $object, { without => 'worker/logbook_path' });

    # Returns the logbook's path in the program's help.
    sub told_by { `'$_[0]' --help` =~ m{QSOSYNC_DB, or else\n +(.*)} }

    # Returns the path that a copy of the program in this folder prints.
    sub place_in {
        my ($place) = @_;
        make_path("$folder/$place");
        copy $program, "$folder/$place/program" or die $!;
        chmod 0755, "$folder/$place/program";
        delete local @ENV{qw(QSOSYNC_DB QSOSYNC_INSTANCE)};
        my ($path) = told_by("$folder/$place/program");
        return $path =~ s{\A\Q$folder\E/}{}r;
    }
    my ($installed) = told_by("$QSOsync::Front::BUILD/qsosync-admin");
    is place_in('none/public_html/api'), $installed,
        'a portable program without a folder named qsosync uses the same path as an installed program';
    make_path("$folder/club/qsosync", "$folder/open/public_html/qsosync", "$folder/open/qsosync");
    is place_in("club/$_"), 'club/qsosync/logbook.db', "a portable program in $_ finds the logbook"
        for 'public_html', 'public_html/api', 'qsosync';
    is place_in('open/public_html/api'), 'open/public_html/qsosync/logbook.db',
        'a portable program uses the nearest folder named qsosync';
    make_path("$folder/blocked/inside");
    open $file, '>', "$folder/blocked/inside/qsosync" or die $!;
    make_path("$folder/blocked/qsosync");
    is place_in('blocked/inside'), 'blocked/qsosync/logbook.db', 'a portable program ignores a file named qsosync';
    SKIP: {
        skip "only root can give a folder to another user", 1 if $> != 0;
        make_path("$folder/other/home/qsosync", "$folder/other/qsosync");
        chown 65534, -1, "$folder/other/home/qsosync" or die $!;
        is place_in('other/home/public_html'), 'other/qsosync/logbook.db',
            'a portable program ignores a folder of another user';
    }

    # The following tests run install-here from an archive whose programs are only scripts.
    my ($archive, $home, $number) = ("$folder/archive", '', 0);
    my $installer = "$archive/install-here";
    sub put {
        my ($path, $text, $mode) = @_;
        QSOsync::Front::write_file($path, $text);
        chmod $mode // 0644, $path or die $!;
    }
    make_path(map { "$archive/$_" } 'public_html/api', 'public_html/pages', 'public_html/app', 'qsosync');
    put("$archive/public_html/$_", "#!/bin/sh\n# qsosync\n", 0755) for 'api/v1', 'qsosync-site.fcgi';
    put("$archive/qsosync/qsosync-admin", "#!/bin/sh\n", 0755);
    copy "$QSOsync::Front::SOURCE/src/service/install-here", $installer or die $!;
    copy "$QSOsync::Front::SOURCE/apache/htaccess", "$archive/public_html/api/.htaccess" or die $!;
    copy "$QSOsync::Front::SOURCE/apache/htaccess-pages", "$archive/public_html/.htaccess" or die $!;
    put("$archive/public_html/$_", "a page of qsosync\n") for 'pages/one.css', 'app/index.html';
    sub new_home {
        $home = "$folder/home" . ++$number;
        make_path("$home/public_html");
        chmod 0755, "$home/public_html" or die $!;
    }
    sub install {
        my ($arguments) = @_;
        my $said = `cd '$home' && HOME='$home' sh $installer $arguments 2>&1`;
        return ($? >> 8, $said);
    }
    sub undo { return `HOME='$home' sh '$_[0]/install-here' --undo 2>&1` }
    # Returns every file in a folder with its contents, and every link with its target.
    sub state {
        my ($place) = @_;
        return join '', map { -l $_ ? "$_ -> " . readlink($_) . "\n" : "$_: " . QSOsync::Front::read_file($_) . "\n" }
            split /\n/, `find '$place' -type f -o -type l | sort`;
    }

    new_home();
    my ($status, $said) = install('');
    is $status, 0, 'install-here without --do accepts an empty home' or diag $said;
    like $said, qr/^7 files would be put .*^Nothing was changed\./ms,
        'install-here without --do reports how many files would be installed';
    is state($home), '', 'install-here without --do installs nothing';
    ($status, $said) = install('--do');
    is $status, 0, 'install-here --do accepts an empty home' or diag $said;
    ok -x "$home/public_html/api/v1" && -e "$home/public_html/.htaccess" && -x "$home/qsosync/qsosync-admin",
        'install-here --do installs all parts';
    is +(stat "$home/qsosync")[2] & 0777, 0700, "only the owner can enter the logbook's folder";
    my $before = state($home);
    ($status, $said) = install('--do');
    like $said, qr/^0 files were put .* 7 were there already/m, 'a second run has nothing to install';
    is state($home), $before, 'a second run changes nothing';
    put("$home/qsosync/logbook.db", "precious\n");
    put("$archive/public_html/pages/one.css", "another page of qsosync\n");
    put("$home/public_html/.htaccess", "# mine\n" . QSOsync::Front::read_file("$home/public_html/.htaccess"));
    put("$archive/public_html/api/.htaccess", "# of another release, of qsosync\n");
    ($status, $said) = install('--do');
    is QSOsync::Front::read_file("$home/public_html/pages/one.css"), "another page of qsosync\n",
        'another release replaces a file that differs';
    like QSOsync::Front::read_file("$home/public_html/api/.htaccess"), qr/another release/,
        'another release replaces a .htaccess that the user has not changed';
    like QSOsync::Front::read_file("$home/public_html/.htaccess"), qr/\A# mine/,
        'another release keeps a .htaccess that the user has changed';
    like $said, qr{\Q$home/public_html/.htaccess\E was changed since QSOsync installed it, and stays},
        'install-here reports a .htaccess that the user has changed';
    $said = undo("$home/qsosync");
    like $said,
        qr{changed since installation, kept: \Q$home\E/public_html/\.htaccess\n.*logbook stays in \Q$home/qsosync\E}s,
        'install-here --undo lists the kept files';
    is join(' ', map { s{.*?home\d+/}{}r } grep { $_ } split /\n/, `find '$home' -type f | sort`),
        'public_html/.htaccess qsosync/logbook.db', 'install-here --undo removes all other files';

    # public_html can be a link to a folder inside or outside the home. install-here keeps the link and installs into
    # its target.
    for my $where ('web', "../elsewhere$number/httpdocs") {
        new_home();
        my $real = $where =~ m{^\.\./(\w+)} ? "$folder/$1/httpdocs" : "$home/$where";
        rmdir "$home/public_html" or die $!;
        make_path($real);
        chmod 0755, $real;
        symlink $real, "$home/public_html" or die $!;
        ($status, $said) = install('--do');
        is $status, 0, "$where: install-here accepts a public_html that is a link" or diag $said;
        is readlink "$home/public_html", $real, 'install-here keeps the link';
        ok -x "$real/api/v1", 'install-here installs into the target of the link';
        my $own = $real =~ s{/[^/]+\z}{/qsosync}r;
        ok -x "$own/qsosync-admin", "the logbook's folder is next to the target of the link";
        undo($own);
        is state($home) . state($real), "$home/public_html -> $real\n", 'install-here --undo keeps the link';
    }

    # If public_html contains another site, install-here keeps the site unchanged and adds only the API.
    my $blog = "# BEGIN WordPress\nRewriteEngine On\nRewriteRule . /index.php [L]\n# END WordPress\n";
    for my $turn ('a first run', 'a second run') {
        if ($turn eq 'a first run') {
            new_home();
            put("$home/public_html/.htaccess", $blog);
            put("$home/public_html/index.php", "<?php\n");
        }
        ($status, $said) = install('--do');
        like $said, qr/has another site \(\.htaccess index\.php\), which stays as it is/, "$turn reports another site";
        is QSOsync::Front::read_file("$home/public_html/.htaccess"), $blog, "$turn keeps another site's .htaccess";
        ok -x "$home/public_html/api/v1" && !-e "$home/public_html/qsosync-site.fcgi",
            'install-here adds only the API to another site';
    }
    like $said, qr{use a separate folder: install-here \Q$home\E/public_html/log\.},
        'install-here suggests a separate folder for the pages';
    for my $folder ("$home/public_html/log", 'public_html/log') {
        ($status, $said) = install($folder);
        like $said, qr{^\Q$home/public_html/log\E will be created in \Q$home/public_html\E\.$}m,
            "install-here announces that $folder will be created";
        unlike $said, qr/\?/, "install-here asks no question about $folder";
    }
    ($status, $said) = install('public_htm');
    like $said, qr/public_htm does not exist yet\. Is it the folder that the web server serves\?/,
        'install-here asks about a folder whose name seems mistyped';
    ($status, $said) = install('--do public_html/log');
    ok $status == 0 && -x "$home/public_html/log/qsosync-site.fcgi",
        'a separate folder also gets the pages' or diag $said;
    is QSOsync::Front::read_file("$home/public_html/.htaccess"), $blog,
        "installing below another site keeps that site's .htaccess";
    undo("$home/qsosync");
    is join(' ', map { s{.*/}{}r } split /\n/, `find '$home' -type f | sort`), '.htaccess index.php',
        'install-here --undo keeps another site';

    sub refused {
        my ($what, $pattern) = @_;
        my $former = state($home);
        my ($ended, $text) = install('--do');
        is $ended, 1, "$what is refused";
        like $text, $pattern, "a refusal states the reason";
        is state($home), $former, 'a refusal changes nothing';
    }
    new_home();
    make_path("$home/public_html/api");
    put("$home/public_html/api/index.php", "<?php\n");
    refused('a folder named api from another site', qr{api belongs to another program; use a separate folder});
    new_home();
    make_path("$home/qsosync/lib");
    refused('a folder named qsosync with other files', qr{qsosync contains other files});
    new_home();
    chmod 0775, "$home/public_html" or die $!;
    like +(install(''))[1], qr{Others may write to .*: chmod go-w},
        'install-here warns about a folder that other users may write to';
    SKIP: {
        skip 'only root can give a folder to another user', 3 if $> != 0;
        chown 65534, -1, "$home/public_html" or die $!;
        refused('a folder of another user', qr/belongs to another user/);
    }
    new_home();
    put("$archive/qsosync/qsosync-admin", "no program\n", 0755);
    refused('an archive for another processor', qr/for another processor/);
}

# A checkout can be moved or copied after its configuration. ./bootstrap configures the checkout again for its new
# place, with the previous arguments. Otherwise make would still use the files of the previous place.
SKIP: {
    my $source = $QSOsync::Front::SOURCE;
    skip 'the source folder was not configured', 1 if !-e "$source/config.status" || !-e "$source/configure";
    my $place = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    my @files = grep { -e "$source/$_" } qw(bootstrap configure configure.ac Makefile.am Makefile.in aclocal.m4
        build-aux config.status Makefile README
        src/api/main.c);
    sub place { my ($folder) = @_; QSOsync::Front::read_file("$folder/Makefile") =~ /^abs_top_builddir = (.*)$/m ? $1
        : '' }
    sub bootstrap {
        my ($folder) = @_;
        my $output = `cd '$folder' && ./bootstrap 2>&1`;
        is $?, 0, 'bootstrap succeeds' or diag $output;
        return $output;
    }
    my ($arguments) = QSOsync::Front::read_file("$source/config.status") =~ /^ac_cs_config=(.*)$/m;
    my $folder = "$place/moved";
    mkdir $folder or die;
    system("cd '$source' && tar cf - @files | tar xf - -C '$folder'") == 0 or die;
    # Each file is newer than the files before it in the list, as after a build, so make regenerates no file.
    my $time = time - 1000;
    utime ++$time, $time, "$folder/$_"
        for qw(configure.ac Makefile.am aclocal.m4 configure Makefile.in config.status Makefile);
    isnt place($folder), $folder, 'a copied checkout still has the previous path';
    my $said = `cd '$folder' && env -u MAKEFLAGS -u MAKELEVEL make -s --eval 'told: ; \@\$(in_tree) env' told 2>&1`;
    is_deeply +{ $said =~ /^QSOSYNC_((?:SRC|BUILD)DIR)=(.*)$/mg }, { SRCDIR => $folder, BUILDDIR => $folder },
        'make run and make check use the programs and data of the copied checkout' or diag $said;
    bootstrap($folder);
    is place($folder), $folder, 'bootstrap configures a checkout for its new place';
    is +(QSOsync::Front::read_file("$folder/config.status") =~ /^ac_cs_config=(.*)$/m)[0], $arguments,
        'bootstrap keeps the previous arguments of configure';
    unlike bootstrap($folder), qr/checking|running/, 'bootstrap configures nothing in an unmoved checkout';
}

done_testing;
