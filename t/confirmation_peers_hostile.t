use QSOsync::Test fronts => 'none', suite => 'all';
use IO::Socket::INET;
use JSON::PP ();

# A peer that sends nonsense is refused by a clear line, and harms no log: here it is a program of the test's own.
my $service = QSOsync::Service->start;
my $member = $service->add_member('14AT1');
my $mine = qso(qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB', callsignWorked => '26AT7');
$service->post_batch([$mine, qso(callsignWorked => '26AT8')], key => $member->{write_key});

my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8) or die $!;
my $port = $socket->sockport;
my $answers = $service->directory . '/answers';
$service->sqlite("INSERT INTO peers (name, address, added_at, paired_at, code, fingerprint, ask_key)
    VALUES ('club', 'http://127.0.0.1:$port', 1, 1, randomblob(32), randomblob(32), 'qsosyncpeer_x')");

# The program answers each request with the next of the answers, which are Perl; the last one again and again.
sub answering {
    my (@answers) = @_;
    my $pid = fork // die $!;
    return $pid if $pid;
    while (my $client = $socket->accept) {
        my ($head, $body) = ('', '');
        $head .= getc($client) // last while $head !~ /\r\n\r\n\z/;
        read $client, $body, $1 if $head =~ /content-length: (\d+)/i;
        my $answer = @answers > 1 ? shift @answers : $answers[0];
        $answer = $answer->($body) if ref $answer eq 'CODE';
        my ($status, $text) = ref $answer eq 'ARRAY' ? @$answer : ('200 OK', JSON::PP::encode_json($answer));
        print $client "HTTP/1.1 $status\r\nConnection: close\r\nContent-Length: " . length($text) . "\r\n\r\n$text";
        close $client;
    }
    POSIX::_exit(0);
}
sub claim { return { id => '1', station => '26AT7', worked => '14AT1', band => 'ELEVEN_METERS', channel => undef,
    modeFamily => 'SSB', qsoAt => '2026-05-17T19:42:00.000Z', @_ } }
sub page { return { claims => [], withdrawn => [], nextCursor => undef, serverTime => '2026-05-18T00:00:00.000Z',
    complete => JSON::PP::true(), epoch => '1', @_ } }
sub visit {
    my $pid = answering(@_);
    my ($status, undef, $said) = $service->admin_try('peer', 'pull');
    kill KILL => $pid;
    waitpid $pid, 0;
    return "$status $said";
}
sub claims { $service->sqlite('SELECT count(*) FROM claims') }
sub confirmed { $service->sqlite('SELECT count(*) FROM qsos WHERE cross_confirmed_at NOT NULL') }

my $truth = page(claims => [claim()]);
like visit($truth), qr/\A0 /, 'an answer that can be is taken';
is confirmed(), 1, 'its claim confirms a QSO';

# A visit that breaks off after a part of our members: the next one asks for all, in one question where it can.
{
    my $questions = $service->directory . '/questions';
    my $at = 1;
    my $heard = sub {
        my (@fates) = @_;
        return sub {
            my $sent = JSON::PP::decode_json($_[0]);
            my $asked = join ' ', map { $_->{callsign} . ($_->{since} ? '' : '!') } @{$sent->{members}};
            QSOsync::Front::write_file($questions, QSOsync::Front::read_file($questions) . "$asked\n");
            return ['500 Internal Server Error', ''] if (shift @fates // '') eq 'broken';
            return page(serverTime => sprintf '2026-05-18T00:00:%02d.000Z', $at++);
        };
    };
    my $asked = sub {
        QSOsync::Front::write_file($questions, '');
        $at += 10;
        visit($heard->(@_));
        return QSOsync::Front::read_file($questions);
    };
    $service->add_member('14AT2');
    is $asked->('', 'broken'), "14AT2!\n14AT1 21SD333\n", 'a new member is asked about first, the others then';
    is $asked->(), "14AT1 21SD333\n14AT1 14AT2 21SD333\n",
        'the next visit goes on, and asks again about all who were asked before the other one broke off';
    is $asked->(), "14AT1 14AT2 21SD333\n", 'one question asks about all from then on';
}

for (['a time that is none', page(claims => [claim(qsoAt => 'yesterday')]), qr/a claim whose qsoAt cannot be/],
    ['a time of the answer that is none', page(serverTime => 'now'), qr/whose serverTime cannot be/],
    ['a band that is none', page(claims => [claim(band => '20m')]), qr/a claim whose band cannot be/],
    ['a callsign that is too long', page(claims => [claim(station => 'X' x 21)]), qr/a claim whose station cannot be/],
    ['a callsign with a control character', page(claims => [claim(station => "26\e[2JAT7")]), qr/station cannot be/],
    ['a claim about somebody else', page(claims => [claim(worked => '1XX1')]),
        qr/a callsign that it was not asked for/],
    ['no list', page(claims => 'all'), qr/no list of at most 500 as claims/],
    ['too long a list', page(claims => [map { claim(id => "$_") } 1 .. 501]), qr/no list of at most 500/],
    ['no object', page(claims => [1]), qr/something else than objects/],
    ['no epoch', page(epoch => undef), qr/whose epoch or nextCursor cannot be/],
    ['no JSON', ['200 OK', '<html>'], qr/an answer that cannot be read/],
    ['two megabytes', ['200 OK', 'x' x 2_000_000], qr/cannot be asked/],
    ['a redirect', ["302 Found\r\nLocation: https://evil.example/", ''], qr/a redirect, which is not followed/],
    ['an epoch that changes with each answer', do { my $n = 5; sub { page(epoch => 'e' . $n++, nextCursor => 'x') } },
        qr/begins again with every answer/],
    ['an answer that is never complete', page(epoch => '2', complete => JSON::PP::false()), qr/\A0 |begins again/]) {
    my ($what, $answer, $reason) = @$_;
    like visit($answer), $reason, "$what is refused by a line that says so";
    cmp_ok claims(), '<=', 1, "$what leaves nothing behind";
}
like $service->admin('peer', 'list'), qr/26AT7|club/, 'the list stays readable';
like visit($truth), qr/\A0 /, 'an honest answer is taken again';
is confirmed(), 1, 'the QSO is confirmed still, or again';

# Callsigns of others.
$service->add_member('26AT7');
like visit(page(epoch => '3', claims => [claim(id => '2'), claim(id => '3', station => '21-SD-333')])), qr/\A0 /,
    'claims under our own callsigns do not end a visit';
is $service->sqlite("SELECT count(*) FROM claims WHERE station_key = '21SD333'"), 0, 'none is taken';
is JSON::PP::decode_json($service->admin('peer', 'list', '--json'))->[0]{notTakenStation}, '21-SD-333',
    'the list names the last such callsign';

# A flood: each page has 500 new claims.
{
    my $next = 1000;
    my $flood = sub { page(epoch => '3', nextCursor => "c$next",
        claims => [map { claim(id => 'f' . $next++, station => '26AT9') } 1 .. 500]) };
    like visit($flood), qr/more claims than there can be/, 'a flood of claims is refused';
    cmp_ok claims(), '<', 10_100, 'what it has brought before is bounded';
    is $service->admin('check'), '', 'the logbook is whole';
    $service->admin('peer', 'remove', 'club');
    is claims(), 0, 'all of it goes with the peer';
}
$service->stop;

done_testing;
