use QSOsync::Test fronts => 'nginx', suite => 'all';
use File::Temp;

# The paper for programmers builds clients block by block. As printed, the clients send and receive, survive failing
# connections and restored backups, and lose no QSO.
my $paper = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/manual/papers/programs.txt");

# These functions return the blocks of code in the paper's source, manual page and web page.
sub code_of_paper { return map { s/^ {4}//gmr } grep { /\A {4}/ } split /\n\n/, $paper =~ s/\n+\z//r }
sub code_of_manual {
    my $text = `MANWIDTH=160 man -l '$QSOsync::Front::BUILD/man/qsosync-programs.7' 2>/dev/null`;
    return map { s/^ {11}//gmr } grep { /\A {11}/ } split /\n\n+/, $text;
}
sub code_of_page {
    my ($page) = @_;
    my %entity = (amp => '&', lt => '<', gt => '>', quot => '"');
    return map { s/&(\w+);/$entity{$1}/gr } $page =~ m{<pre[^>]*><code>(.*?)</code></pre>}gs;
}
SKIP: {
    skip 'man is not installed', 1 if !code_of_manual();
    is_deeply [code_of_manual()], [code_of_paper()], 'the manual page prints every line of code as it is written';
}
{
    my $service = QSOsync::Service->start(site => 1);
    my $page = QSOsync::Client::request($service->port, 'GET', '/docs/programs')->body;
    is_deeply [code_of_page($page)], [code_of_paper()],
        'the page of the service contains every line of code as it is written';
    $service->stop;
}

sub program_of {
    my ($title) = @_;
    my ($section) = $paper =~ /^## \Q$title\E(?: \|[^\n]*)?\n(.*?)^## /ms or die "no section: $title";
    return join "\n", map { s/^ {4}//gmr } grep { /\A {4}(?!python3)/ } split /\n\n/, $section;
}
sub try_client {
    my ($title, $file, $run) = @_;
    my $program = program_of($title);
    cmp_ok scalar(split /\n/, $program), '<=', 85, 'the example program has at most 85 lines';
    my $service = QSOsync::Service->start;
    my $folder = File::Temp->newdir;
    QSOsync::Front::write_file("$folder/$file", $program);
    local $ENV{QSOSYNC_URL} = $service->base_url;
    local $ENV{QSOSYNC_KEY} = $service->write_key;
    # Runs the client. Returns the exit status, the output, and for each callsign in the log the clientId and whether
    # the QSO waits.
    my $client = sub {
        my (@words) = @_;
        my $said = `cd '$folder' && $run $file @words 2>&1`;
        my %log = map { /\A(\S+) \S+Z (\S+) ?(.*)\z/ ? ($2 => [$1, $3]) : () } split /\n/, $said;
        return { status => $? >> 8, said => $said, log => \%log };
    };
    my $calls = sub { return [sort keys %{$_[0]{log}}] };
    my $of_service = sub { return [sort map { $_->{callsignWorked} } $service->download] };

    # The client sends and receives QSOs.
    $client->('add', "14AT$_", '27.555', 'USB') for 1 .. 3;
    is_deeply $of_service->(), [], 'the service has no logged QSO before a synchronisation';
    my $after = $client->('sync');
    is_deeply [$after->{status}, $of_service->()], [0, ['14AT1', '14AT2', '14AT3']],
        'a synchronisation sends the waiting QSOs';
    is_deeply [grep { $_->[1] } values %{$after->{log}}], [],
        'after a synchronisation the queue is empty' or diag $after->{said};
    for my $hundred (0 .. 10) {
        $service->post_batch([map { qso(callsignWorked => "26AT" . ($hundred * 100 + $_)) } 1 .. 100]);
    }
    my ($changed) = grep { $_->{callsignWorked} eq '14AT1' } $service->download;
    $service->post_batch([{ %$changed, callsignWorked => '14AT100' }]);
    $service->delete_qso($after->{log}{'14AT2'}[0]);
    is_deeply $calls->($client->('sync')), $of_service->(),
        "other programs' changes are downloaded over several pages";
    $client->('delete', $after->{log}{'14AT3'}[0]);
    $client->('sync');
    is_deeply [grep { /\A14/ } @{$of_service->()}], ['14AT100'], 'a deletion on the device is sent';
    $client->('add', '14AT4', '99.999', 'USB');
    my $refused = $client->('sync');
    is_deeply [$refused->{status}, $refused->{log}{'14AT4'}], [0, undef],
        'a permanently rejected QSO is stored separately';
    like QSOsync::Front::read_file("$folder/log.json"), qr/FREQUENCY_OUT_OF_BAND_11M/,
        'the reason for a rejection is stored';

    # The client survives a restored backup.
    $service->admin('backup', $service->directory . '/before.db');
    $client->('add', '14AT5', '27.555', 'USB');
    $client->('sync');
    $service->restart_workers(sub { $service->admin('restore', $service->directory . '/before.db') });
    is scalar(grep { /\A14AT5\z/ } @{$of_service->()}), 0,
        'the restored log lacks the QSO that was sent after the backup';
    my $healed = $client->('sync');
    is_deeply $calls->($healed), $of_service->(), 'after a restore, client and service have the same log';
    is scalar(grep { /\A14AT5\z/ } @{$of_service->()}), 1, 'the service has the QSO that the restore lost';

    # The client survives a revoked key and a broken connection.
    $client->('add', '14AT6', '27.555', 'USB');
    {
        local $ENV{QSOSYNC_KEY} = 'qsosync_wrong';
        my $ended = $client->('sync');
        is_deeply [$ended->{status}, $ended->{said} =~ /401/ ? 1 : 0], [1, 1], 'a wrong key is reported';
        local $ENV{QSOSYNC_URL} = 'http://127.0.0.1:' . QSOsync::Service::free_port() . '/api/v1';
        isnt $client->('sync')->{status}, 0, 'a synchronisation without a network fails';
    }
    is $client->('list')->{log}{'14AT6'}[1], 'waits', 'a logged QSO waits without a network';
    is $client->('sync')->{log}{'14AT6'}[1], '', 'a waiting QSO is sent when the connection works again';
}

subtest Python => sub { try_client('A whole client', 'log.py', 'python3') };
subtest JavaScript => sub { try_client('The same in JavaScript', 'log.mjs', 'node') };

done_testing;
