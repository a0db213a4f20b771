use QSOsync::Test fronts => 'all';
use IO::Socket::INET;
use IO::Uncompress::Gunzip qw(gunzip);

# Real programs send these requests to Cloudlog, Wavelog or LOG11DX (t/data/uploads). Each request is sent byte for
# byte, and gets an answer that the program accepts as success. Some requests are recorded from the programs' own
# code: WaveLogGate 278a27f (Go's net/http), FreeDATA d900e18 (Python's requests), Ham2K PoLo (fetch) and WSJT-CB
# (Qt). Others follow the programs' sources: QLog 9370d36 (Qt) and FT8CN (Android's HttpURLConnection). The requests
# to LOG11DX follow sdroxide 1e216bc (Rust's ureq) and LOG11DX-WSJT-Bridge 0.2 (Python's requests).
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
my $folder = "$QSOsync::Front::SOURCE/t/data/uploads";

# Sends requests over one connection for as long as the front server keeps the connection, as the programs do. Returns
# the answer to each request, with the fields status, body, header and closes.
sub send_all {
    my (@requests) = @_;
    my ($socket, @answers);
    for my $request (@requests) {
        my ($head, $body) = split /\n\n/, $request, 2;
        s/TOKEN/$token/ for $head, $body;
        my ($length, $host) = (length $body, '127.0.0.1:' . $service->port);
        s/\bLENGTH\b/$length/, s/\bHOST\b/$host/, s/\n/\r\n/g for $head;
        $socket ||= IO::Socket::INET->new(PeerAddr => $host, Timeout => 30) or die "connect: $!";
        print {$socket} "$head\r\n\r\n$body";
        $socket->flush;
        my $answer = read_answer($socket);
        push @answers, $answer;
        undef $socket if $answer->{closes};
    }
    return @answers;
}
sub read_answer {
    my ($socket) = @_;
    my $status = <$socket> // '';
    my (%header, $body);
    while (defined(my $line = <$socket>)) {
        last if $line eq "\r\n";
        $header{lc $1} = $2 if $line =~ /\A([^:]+): *(.*?)\r\n\z/;
    }
    if (lc($header{'transfer-encoding'} || '') eq 'chunked') {
        $body = '';
        while (my $size = hex(<$socket> =~ s/\s+\z//r)) {
            read $socket, my $chunk, $size + 2;
            $body .= substr $chunk, 0, $size;
        }
        <$socket>;
    } else {
        read $socket, $body, $header{'content-length'} // 1 << 20;
    }
    if (lc($header{'content-encoding'} || '') eq 'gzip') { # some programs request gzip
        gunzip(\(my $packed = $body), \$body) or die 'gunzip';
    }
    my $closes = lc($header{connection} || '') eq 'close' || !defined $header{'content-length'}
        && !$header{'transfer-encoding'};
    return { status => $status =~ /\AHTTP\/1\.1 (\d+)/ ? $1 : $status, body => $body, header => \%header,
        closes => $closes };
}

my $created = '201 {"status":"created","type":"adif","string":"","adif_count":1,"adif_errors":0,"messages":[""]}';
my $two = $created =~ s/"adif_count":1/"adif_count":2/r;
my $valid = '200 <auth><status>Valid</status><rights>rw</rights></auth>';
my $stations =
    '200 [{"station_id":"1","station_profile_name":"21SD333",'
    . '"station_gridsquare":"JO59jw","station_callsign":"21SD333","station_active":"1"}]';
my $taken = '200 {"ok":true,"status":"uploaded","message":"The QSO is in the log."}';
my $known = '200 {"ok":true,"status":"valid","message":"The upload token is valid.","callsign":"21SD333"}';
my %program = (
    'log11dx-bridge' => { answers => [$taken, $known],
        qsos => [['26AT302', '2026-11-21T19:01:00.000Z', '27.265', 'DIGITAL', "Name: J\x{fc}rg\nMode: FT8"]] },
    sdroxide => { answers => [$known, $taken],
        qsos => [['26AT301', '2026-11-21T18:01:00.000Z', '27.265', 'DIGITAL',
        "Name: Jos\x{e9}\nMode: FT8\nFT8 \"73\""]] },
    freedata => { answers => [$created],
    qsos => [['26AT501', '2026-11-21T12:01:00.000Z', '27.555', 'DIGITAL', "Mode: FREEDATA\nP2P session"]] },
    ft8cn => { answers => [$valid, $created],
        qsos => [['26AT401', '2026-11-21T17:01:00.000Z', '27.247', 'DIGITAL',
        "Mode: FT8\nDistance: 1271 km, QSO by P/T"]] },
    polo => { answers => [$two], qsos => [['26AT701', '2026-11-21T14:01:00.000Z', '27.555', 'USB', undef],
        ['26AT702', '2026-11-21T14:02:00.000Z', '27.555', 'USB', "Name: Jos\x{e9}"]] },
    qlog => { answers => [$stations, $created],
    qsos => [['26AT901', '2026-11-21T16:01:00.000Z', '27.555', 'USB', "Name: J\x{fc}rg"]] },
    waveloggate => { answers => [$stations, $created =~ s/\[""\]/["Dryrun works"]/r, ($created) x 2,
        '200 {"status":"success"}'],
        qsos => [['26AT601', '2026-11-21T13:01:00.000Z', '27.247', 'DIGITAL', 'Mode: FT8']] },
    'wsjt-cb' => { answers => [$valid, ($created) x 2],
        qsos => [['26AT801', '2026-11-21T15:01:00.000Z', '27.267', 'DIGITAL',
        "Mode: FT8\nFT8  \"Sent\": -08 \\ C:\\new"]] },
);
is_deeply [map { m{([^/]+)\.txt\z} } sort glob "$folder/*.txt"], [sort keys %program], 'each recording is tested';
for my $name (sort keys %program) {
    my @requests = split /\n%%\n/, QSOsync::Front::read_file("$folder/$name.txt") =~ s/\n\z//r;
    for my $time ('first', 'second') {
        my @answers = send_all(@requests);
        # Omitted or changed fields are reported after the first message.
        is_deeply [map { "$_->{status} $_->{body}" =~ s/(?:,"(?:left out|changed): line \d+: [^"]+")+\]/]/r } @answers],
            [map { $time eq 'first' ? $_ : s/"uploaded"(.*)in the log\./"duplicate"$1already in the log./r }
            @{$program{$name}{answers}}],
            "$name gets the expected answers the $time time";
    }
    my @log = sort { $a->{qsoAt} cmp $b->{qsoAt} } $service->download;
    is_deeply [map { [@{$_}{qw(callsignWorked qsoAt frequencyMhz mode notes)}] } @log], $program{$name}{qsos},
        "$name: each QSO arrives once";
    is_deeply [map { $_->{band} } @log], [map { 'ELEVEN_METERS' } @log], "$name: each QSO is on the right band";
    $service->delete_qso($_->{clientId}) for @log;
}

done_testing;
