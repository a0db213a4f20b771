use QSOsync::Test fronts => 'nginx', slow => 10;
use QSOsync::Datagrams;
use QSOsync::Kit;
use QSOsync::Profile;

# Each paper about uploads has lines for the shell. As printed, each line gets the first answer that the paper lists
# after it. The other answers in the paper are the answers to the same lines with faults.
my $service = QSOsync::Service->start(site => 1);
my $busy = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 1 });
my $home = $service->directory . '/home';
mkdir $home or die "mkdir: $!";
QSOsync::Front::write_file("$home/.curlrc", qq(silent\nwrite-out = "\\n%{http_code}"\n));
QSOsync::Front::write_file("$home/$_->[0]", ' ' x $_->[1]) for ['large', 90_000], ['huge', 9_000_000];
my %entity = (amp => '&', lt => '<', gt => '>', quot => '"');
sub plain { return $_[0] =~ s/<[^>]*>//gr =~ s/&(\w+);/$entity{$1}/gr }
sub article {
    my ($name) = @_;
    my ($text) = $service->request('GET', '', raw_path => "/docs/$name")->body =~ m{<article[^>]*>(.*?)</article>}s;
    return $text;
}

# Reads a paper: the lines that set variables, and each other line with the answers that follow it.
sub read_paper {
    my ($name) = @_;
    my (@variables, @lines);
    for my $part (article($name) =~ m{<(?:pre|li)\b.*?</(?:pre|li)>}gs) {
        my $text = plain($part);
        if ($part =~ /\A<pre/ && $text =~ /\A[A-Z]=/) { push @variables, $text }
        elsif ($part =~ /\A<pre/) { push @lines, { text => $text, answers => [] } }
        elsif ($part =~ m{\A<li>(\d{3}) <code>(.*?)</code>}s) { push @{$lines[-1]{answers}}, "$1 " . plain($2) }
    }
    return { name => $name, variables => \@variables, lines => \@lines, answers => [map { @{$_->{answers}} } @lines] };
}

# Runs a line of a paper after the lines that set its variables. Returns the status and the body of the answer.
sub type_line {
    my ($paper, $line, %option) = @_;
    my $base = 'http://127.0.0.1:' . ($option{service} || $service)->port;
    my $variables = join '', map { "$_\n" } map { split /\n/ } @{$paper->{variables}};
    $variables =~ s{https://log\.example\.org}{$base};
    $variables =~ s/qsosync\w+\.\.\./$option{token}/;
    $variables =~ s/0123456789abcdef/$option{phone} \/\/ 'x'/e;
    QSOsync::Front::write_file("$home/line.sh", "$variables\n$line\n");
    my ($body, $status) = `cd '$home' && HOME='$home' sh -e line.sh 2>&1` =~ /\A(.*)\n(\d+)\z/s or return 'no answer';
    return "$status $body";
}

sub is_promised {
    my ($answer, $promised) = @_;
    my $pattern = join '.*', map { quotemeta } split /\.\.\./, $promised, -1;
    return $answer =~ /\A$pattern\z/s;
}

# Tests that an answer is in the list, and notes the place.
my %seen;
sub is_answer {
    my ($paper, $answer, $rule) = @_;
    my ($found) = grep { is_promised($answer, $_) } @{$paper->{answers}};
    ok $found, "$paper->{name}: $rule" or diag $answer;
    $seen{$paper->{name}}{$found}++ if $found;
}

# Runs every line as printed, and then with each fault. A fault has the number of its line, a rule, a change of the
# text, and options.
sub try_paper {
    my ($paper, $options, @faults) = @_;
    for my $line (@{$paper->{lines}}) {
        my $answer = type_line($paper, $line->{text}, %$options);
        my ($first) = $line->{text} =~ /\A([^\n]*)/;
        ok is_promised($answer, $line->{answers}[0]),
            "$paper->{name}: as printed, this line gets its first answer: $first"
            or diag $answer;
        $seen{$paper->{name}}{$line->{answers}[0]}++;
    }
    for my $fault (@faults) {
        my ($number, $rule, $change, %other) = @$fault;
        local $_ = $paper->{lines}[$number]{text};
        $change->();
        is_answer($paper, type_line($paper, $_, %$options, %other), $rule);
    }
    is join("\n", grep { !$seen{$paper->{name}}{$_} } @{$paper->{answers}}), '',
        "$paper->{name}: every answer in the paper was seen";
}

my %paper = map { $_ => read_paper($_) } qw(cloudlog log11dx polo);
for my $name (sort keys %paper) {
    is_answer($paper{$name}, type_line($paper{$name}, $paper{$name}{lines}[0]{text}, token => 'x'),
        'before the operator switches uploads on, the answer is 404');
    my ($command) = article($name) =~ m{<code>qsosync-admin ([a-z ]+)</code>};
    is $command, 'uploads on', "$name names the command that switches uploads on";
}
$_->admin('uploads', 'on') for $service, $busy;
my @tokens = map { $service->admin('upload-token', 'add', '21SD333', '--name', @$_) }
    ['reads', '--may-read'], ['plain'];
my $sends_large = sub { s/-d '.*'\z/--data-binary \@large/s or die };
my $sends_huge = sub { s/-d '.*'\z/--data-binary \@huge/s or die };
my $repeats = sub { $_ = "$_ >first\n$_" };

try_paper($paper{cloudlog}, { token => $tokens[0] },
    [0, 'a repeated record gets the same answer', sub { }],
    [0, 'a dry run has its own message', sub { s{api/qso"}{api/qso/true"} }],
    [0, 'one record of two has a fault', sub { s/<EOR>/<EOR><CALL:7>26AT102<BAND:3>11m<EOR>/ }],
    [0, 'a record is on another band', sub { s/27\.555/14.200/ }],
    [0, 'a record has no date', sub { s/<QSO_DATE:8>20260517// }],
    [0, 'the text is not ADIF', sub { s/<CALL.*<EOR>/hello/ }],
    [0, 'the token is wrong', sub { }, token => 'x'],
    [0, 'an API key is not a token', sub { }, token => $service->write_key],
    [0, 'the path does not exist', sub { s{api/qso}{api/nothing} }],
    [0, 'the method is wrong', sub { s/curl/curl -X PUT/ }],
    [0, 'the body is too large', $sends_huge],
    [0, 'there are too many requests', $repeats, service => $busy],
    [1, 'a wrong token is not valid', sub { }, token => 'x'],
    [2, 'a wrong token is refused', sub { }, token => 'x'],
    [7, 'the log has no further QSO', sub { s/"fetchfromid":0/"fetchfromid":9999/ }],
    [7, 'the id is not a number', sub { s/"fetchfromid":0/"fetchfromid":"x"/ }],
    [7, 'the token may not read', sub { }, token => $tokens[1]],
);
try_paper($paper{log11dx}, { token => $tokens[0] },
    [0, 'a repeated QSO is a duplicate', sub { }],
    [0, 'the token corrects its own QSO', sub { s/"mode"/"rst_sent":"-08","mode"/ }],
    [0, 'the token corrects a value', sub { s/"mode"/"rst_sent":"-09","mode"/ }],
    [0, 'another token adds missing values', sub { s/"mode"/"tx_pwr":"5","mode"/ }, token => $tokens[1]],
    [0, 'a QSO has no date', sub { s/"qso_date":"[^"]*",// }],
    [0, 'a QSO is on another band', sub { s/11m/20m/; s/27\.265/14.074/ }],
    [0, 'the body has no QSO', sub { s/-d '.*'\z/-d '{}'/s }],
    [0, 'the token is wrong', sub { }, token => 'x'],
    [0, 'the path does not exist', sub { s/upload-qso/nothing/ }],
    [0, 'the method is wrong', sub { s/curl/curl -X PUT/ }],
    [0, 'the body is too large', $sends_large],
    [0, 'there are too many requests', $repeats, service => $busy],
    [2, 'the station was worked in another mode', sub { s/FT8/USB/ }],
    [2, 'the station was not worked', sub { s/26AT102/26AT199/ }],
    [2, 'the callsign is missing', sub { s/call=26AT102&// }],
    [2, 'the token may not read', sub { }, token => $tokens[1]],
);

my $me = QSOsync::Profile->log_in($service, '21SD333');
my $address = $me->post('tokens', { name => 'phone', isPolo => JSON::PP::true() })->json->{token};
my ($phone) = type_line($paper{polo}, $paper{polo}{lines}[0]{text}, token => $address) =~ /"token":"([^"]*)"/;
try_paper($paper{polo}, { token => $address, phone => $phone },
    [0, 'the body has no key of the phone', sub { s/"key"/"name"/ }],
    [0, 'the address is wrong', sub { }, token => 'x'],
    [0, 'an upload token is not an address', sub { }, token => $tokens[0]],
    [0, 'the path does not exist', sub { s/client"/nothing"/ }],
    [0, 'the method is wrong', sub { s/curl/curl -X PUT/ }],
    [0, 'there are too many requests', $repeats, service => $busy],
    [1, 'the token of the phone is wrong', sub { }, phone => 'x'],
    [1, 'the body is not JSON', sub { s/-d '.*'\z/-d x/s }],
    [1, 'the body is too large', $sends_huge],
    [1, 'another log asks the phone to begin again', sub {
        $service->sqlite('UPDATE logbook SET log_epoch = log_epoch + 1');
        s/syncedUntilMillis":\d+/syncedSinceMillis":0/;
    }],
);

# The lists of fields are complete: a QSO with a value in every listed field is saved without a message.
my %value = (QSO_DATE => '20260518', TIME_ON => '101200', FREQ => '27.555', BAND => '11m', CALL => '26AT103',
    MODE => 'USB', RST_SENT => '59', RST_RCVD => '57', GRIDSQUARE => 'JO40aa', LAT => 'N050 30.000',
    LON => 'E008 30.000', TX_PWR => '12', FREQ_RX => '27.550', ANT_PATH => 'S', QSL_SENT => 'Y', QSL_RCVD => 'N',
    QSL_SENT_VIA => 'D', STATION_CALLSIGN => '21SD333', MY_GRIDSQUARE => 'JO59jw', MY_RIG => 'Lincoln',
    MY_ANTENNA => 'Dipole', NAME => 'Ann', QTH => 'Hanau', COMMENT => 'Hi', NOTES => 'Sun');
sub fields_in {
    my ($name, $heading) = @_;
    my ($section) = article($name) =~ m{<h2[^>]*>\Q$heading\E</h2>\n(.*?)(?=<h2|\z)}s;
    return map { /<code>(.*?)<\/code>/g } map { s/:.*//sr } $section =~ /<li>(.*?)<\/li>/gs;
}
is_deeply [sort(fields_in('cloudlog', 'Fields of a record'))], [sort keys %value],
    'this test has a value for every ADIF field in the paper';
my $record = join '', map { sprintf '<%s:%d>%s', $_, length $value{$_}, $value{$_} } sort keys %value;
is type_line($paper{cloudlog}, $paper{cloudlog}{lines}[0]{text} =~ s/<CALL.*(?=<EOR>)/$record/r, token => $tokens[1]),
    $paper{cloudlog}{answers}[0], 'a record with all listed fields is saved without a message';
my %bridge = (qso_date => '2026-05-18', time_on => '10:42:00', freq => '27.265', band => '11m', call => '26AT104',
    mode => 'FT8', rst_sent => '-08', rst_rcvd => '-12', tx_pwr => 5, comment => 'Hi', gridsquare => 'JO40',
    grid => 'JO40', operator => 'Ann');
is_deeply [sort(fields_in('log11dx', 'Fields of a QSO'))], [sort keys %bridge],
    'this test has a value for every field of LOG11DX in the paper';
my $qso = JSON::PP->new->canonical->encode(\%bridge);
is type_line($paper{log11dx}, $paper{log11dx}{lines}[0]{text} =~ s/\{"call".*(?=\}'\z)/$qso/sr, token => $tokens[1]),
    $paper{log11dx}{answers}[0], 'a QSO with all listed fields is saved';
my %stored = map { ($_->{callsignWorked} // '') => $_ } $service->download;
is_deeply [@{$stored{'26AT103'}}{qw(frequencyMhz splitKhz mode rstSent rstReceived dxLocator txPowerW path qslSent radio
    antenna myLocator notes)}], ['27.555', 5, 'USB', '59', '57', 'JO40aa', 12, 'SP', JSON::PP::true(), 'Lincoln',
    'Dipole', 'JO59jw', $stored{'26AT103'}{notes}], 'the log has the values of the ADIF fields';
like $stored{'26AT103'}{notes}, qr/Ann.*Hanau.*(?:Hi|Sun)/s, 'the notes have the name, the place and the comment';
is_deeply [@{$stored{'26AT104'}}{qw(frequencyMhz mode rstSent txPowerW dxLocator)}], ['27.265', 'DIGITAL', '-08', 5,
    'JO40'], 'the log has the values of the fields of LOG11DX';

# The lines of the paper about WSJT-X download and start the bridge, which prints the lines in the paper.
my ($variables, $start) = map { plain($_) } article('wsjtx') =~ /<pre.*?<\/pre>/gs;
my @printed = map { plain($_) } article('wsjtx') =~ m{<li><code>((?:listening|udp-bridge).*?)</code>:}g;
my $base = 'http://127.0.0.1:' . $service->port;
$variables =~ s{https://log\.example\.org}{$base};
$variables =~ s/qsosync_\.\.\./$service->write_key/e;
my $log = "$home/bridge.log";
sub printed { -e $log ? QSOsync::Front::read_file($log) : '' }
# The printed line uses fixed ports, and a queue in the home folder. Here the port is any free one.
QSOsync::Front::write_file("$home/bridge.sh", "cd '$home'\n$variables\n" . $start =~ s/\s*\z/ --listen 127.0.0.1:0\n/r);
my $bridge = QSOsync::Kit::start($log, { HOME => $service->directory }, 'sh', '-e', "$home/bridge.sh");
my ($port, %is_printed);
sub prints {
    my ($number, $rule) = @_;
    my $line = $printed[$number] =~ s/:2237/':' . ($port || '...')/er;
    my $pattern = join '.*', map { quotemeta } split /\.\.\./, $line, -1;
    ok until_true(sub { printed() =~ /^$pattern$/m }), "the bridge prints a line in the paper: $rule"
        or diag printed();
    $is_printed{$number}++;
}
prints(0, 'it waits');
($port) = printed() =~ /^listening on 127\.0\.0\.1:(\d+)$/m or die 'no port';
send_to($port, wsjtx_session(call => '26AT105', time_on => '111111'));
ok until_true(sub { grep { ($_->{callsignWorked} // '') eq '26AT105' } $service->download }),
    'a QSO that WSJT-X announces reaches the log';
send_to($port, wsjtx_record(band => '20m', freq => '14.074'));
prints(2, 'a QSO is on another band');
send_to($port, '<call:3>abc<eor>');
prints(3, 'a QSO has a fault');
QSOsync::Front::write_file("$home/second.sh",
    "cd '$home'\n$variables\n"
        . ($start =~ /^(python3.*)$/m)[0] . " --queue second --listen 127.0.0.1:$port >>'$log' 2>&1\n");
isnt system('sh', "$home/second.sh"), 0, 'a second bridge on the same port ends';
prints(1, 'another program uses the port');
$service->admin('member', 'disable', '21SD333');
send_to($port, wsjtx_session(call => '26AT106', time_on => '121212'));
prints(4, 'the service refuses the key');
is_deeply [sort keys %is_printed], [0 .. $#printed], 'the bridge has printed every line in the paper';
kill 'TERM', $bridge;
waitpid $bridge, 0;
$_->stop for $busy, $service;

done_testing;
