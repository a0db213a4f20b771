use QSOsync::Test fronts => 'none', suite => 'all';
use File::Temp ();
use IO::Socket::INET;
use JSON::PP ();

# An invalid answer from a peer is refused with a clear line, and changes no log. A program in the test acts as the
# peer.
my $service = QSOsync::Service->start;
my $member = $service->add_member('14AT1');
my $mine = qso(qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB', callsignWorked => '26AT7');
$service->post_batch([$mine, qso(callsignWorked => '26AT8')], key => $member->{write_key});

my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8) or die $!;
my $port = $socket->sockport;
my $answers = $service->directory . '/answers';
$service->sqlite("INSERT INTO peers (name, address, added_at, paired_at, code, fingerprint, ask_key)
    VALUES ('club', 'http://127.0.0.1:$port', 1, 1, randomblob(32), randomblob(32), 'qsosyncpeer_x')");

# Starts the peer's program, which answers each request with the next answer, and repeats the last answer. An answer is
# a page, a status and a text, or a function of the request's body. Returns the process id.
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
like visit($truth), qr/\A0 /, 'a valid answer is accepted';
is confirmed(), 1, 'the claim in a valid answer confirms a QSO';

# If a visit breaks off, the next visit continues with the interrupted question. Later visits ask about all members, in
# one question if possible.
{
    my $questions = $service->directory . '/questions';
    my $at = 1;

    # Returns the questions of a visit, one per line. One function formats a question, and another function answers the
    # question.
    my $hear = sub {
        my ($say, $answer) = @_;
        QSOsync::Front::write_file($questions, '');
        visit(sub {
            my @members = @{JSON::PP::decode_json($_[0])->{members}};
            QSOsync::Front::write_file($questions, QSOsync::Front::read_file($questions) . $say->(@members) . "\n");
            return $answer->(@members);
        });
        return QSOsync::Front::read_file($questions);
    };
    my $asked = sub {
        my (@fates) = @_;
        $at += 10;
        return $hear->(sub { join ' ', map { $_->{callsign} . ($_->{since} ? '' : '!') } @_ }, sub {
            my $fate = shift @fates // '';
            return ['500 Internal Server Error', ''] if $fate eq 'broken';
            return page(serverTime => sprintf('2026-05-18T00:00:%02d.000Z', $at++), nextCursor => $fate || undef);
        });
    };
    $service->add_member('14AT2');
    is $asked->('', 'next', 'broken'), "14AT2!\n14AT1 21SD333\n14AT1 21SD333\n",
        'a visit asks about a new member first';
    is $asked->(), "14AT1 21SD333\n14AT1 14AT2 21SD333\n",
        'the next visit continues, and repeats the interrupted question';
    is $asked->('broken'), "14AT1 14AT2 21SD333\n", 'a visit whose first answer is lost stores no position';
    is $asked->(), "14AT1 14AT2 21SD333\n", 'later visits ask about all members in one question';

    # If a club has more members than a question can name, answered questions are not repeated.
    $service->sqlite("WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 998)
        INSERT INTO members (callsign, locator, login, created_at)
        SELECT printf('1AT%03d', v), 'JO59', printf('1at%03d', v), 0 FROM n");
    my $asked_since = sub {
        my (@times) = @_;
        return $hear->(sub { @_ . ' ' . ($_[0]{since} // 'ever') },
            sub { page(serverTime => shift @times, claims => [@_ == 1000 ? claim() : ()]) });
    };
    my @times = map { "2026-05-18T00:0$_:00.000Z" } 1 .. 7;
    $asked_since->(@times[0 .. 2]);
    $asked_since->(@times[3, 4]);
    my $earlier = '2026-05-18T00:00:';
    like $asked_since->(@times[5, 6]), qr/\A1000 \Q$times[3]\E\n1 \Q$earlier\E.*\n\z/,
        'each question asks for changes since the earliest time of its members';
    $service->sqlite("PRAGMA foreign_keys = ON; DELETE FROM members WHERE callsign LIKE '1AT___';
        UPDATE logbook SET claims_epoch = claims_epoch + 1");
}

for (['an invalid time', page(claims => [claim(qsoAt => 'yesterday')]), qr/a claim with an invalid qsoAt/],
    ['an invalid time in the answer', page(serverTime => 'now'), qr/an invalid serverTime/],
    ['an invalid band', page(claims => [claim(band => '20m')]), qr/a claim with an invalid band/],
    ['a callsign that is too long', page(claims => [claim(station => 'X' x 21)]), qr/a claim with an invalid station/],
    ['a callsign with a control character', page(claims => [claim(station => "26\e[2JAT7")]), qr/an invalid station/],
    ['a claim about somebody else', page(claims => [claim(worked => '1XX1')]),
        qr/a callsign that was not requested/],
    ['a text in place of a list', page(claims => 'all'),
        qr/something other than a list of at most 500 items as claims/],
    ['a list that is too long', page(claims => [map { claim(id => "$_") } 1 .. 501]), qr/than a list of at most 500/],
    ['a number in place of an object', page(claims => [1]), qr/something other than objects/],
    ['a missing epoch', page(epoch => undef), qr/an invalid epoch or nextCursor/],
    ['an answer that is not JSON', ['200 OK', '<html>'], qr/an answer that cannot be read/],
    ['an answer of two megabytes', ['200 OK', 'x' x 2_000_000], qr/cannot be reached/],
    ['a redirect', ["302 Found\r\nLocation: https://evil.example/", ''], qr/a redirect, which we do not follow/],
    ['an epoch that changes with each answer', do { my $n = 5; sub { page(epoch => 'e' . $n++, nextCursor => 'x') } },
        qr/restarts its list with every answer/],
    ['an answer that is never complete', page(epoch => '2', complete => JSON::PP::false()), qr/\A0 |restarts/]) {
    my ($what, $answer, $reason) = @$_;
    like visit($answer), $reason, "a visit has the expected result after $what";
    cmp_ok claims(), '<=', 1, "$what adds no claim";
}
like $service->admin('peer', 'list'), qr/26AT7|club/, 'the list of peers remains readable';
like visit($truth), qr/\A0 /, 'a valid answer after wrong answers is accepted';
is confirmed(), 1, 'the QSO is confirmed after wrong answers';

# If a peer drops many claims at once, these claims are removed in parts. Each part repeats the last page.
{
    my $cursors = $service->directory . '/cursors';
    QSOsync::Front::write_file($cursors, '');
    $service->sqlite("WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 1200)
        INSERT INTO claims (peer_id, number, station_key, worked_key, band, channel, qso_at, station, round)
        SELECT peers.id, 'old' || v, '1XY1', '14AT1', 0, 0, v, '1XY1', 1 FROM n, peers;
        UPDATE peers SET claims = claims + 1200");
    like visit(sub {
        my $cursor = JSON::PP::decode_json($_[0])->{cursor};
        QSOsync::Front::write_file($cursors, QSOsync::Front::read_file($cursors) . ($cursor // 'begin') . ' ');
        return page(epoch => 'many', $cursor ? (claims => [claim()]) : (nextCursor => 'last'));
    }), qr/\A0 /, 'a peer can drop many claims';
    is QSOsync::Front::read_file($cursors), 'begin last begin last last last ',
        'each transaction removes only a part of the claims';
    is claims(), 1, 'only the claims in the new answer remain';
    is $service->sqlite('SELECT claims FROM peers'), 1, 'the remaining claims are counted';
    is confirmed(), 1, 'the QSO stays confirmed when other claims are removed';
}

# Claims under our own callsigns are ignored.
$service->add_member('26AT7');
like visit(page(epoch => '3', claims => [claim(id => '2'), claim(id => '3', station => '21-SD-333')])), qr/\A0 /,
    'claims under our own callsigns do not make a visit fail';
is $service->sqlite("SELECT count(*) FROM claims WHERE station_key = '21SD333'"), 0,
    'no claim under our own callsigns is stored';
is JSON::PP::decode_json($service->admin('peer', 'list', '--json'))->[0]{notTakenStation}, '21-SD-333',
    'the list names the last callsign that belongs to our member';

# A claim is compared with at most a hundred QSOs, however many a member has with the station.
{
    my $at = '2026-05-17T19:50:00.000Z'; # the other QSOs are in the same two hours
    my %earlier = map { $_ => [map { sprintf '2026-05-17T18:%02d:%02d.000Z', $_ / 60, $_ % 60 } 1 .. $_] } 99, 100;
    for my $others (sort keys %earlier) {
        $service->post_batch([map { qso(qsoAt => $_, mode => 'USB', callsignWorked => "26AX$others") }
            @{$earlier{$others}}, $at], key => $member->{write_key});
    }
    visit(page(epoch => '3', claims => [map { claim(id => "x$_", station => "26AX$_", qsoAt => $at) } keys %earlier]));
    is $service->sqlite("SELECT number, qso_id NOT NULL FROM claims WHERE number LIKE 'x%' ORDER BY number"),
        "x100|0\nx99|1", 'a claim is compared with at most a hundred QSOs';
}

# In a flood, each page has 500 new claims.
{
    my $next = 1000;
    my $flood = sub { page(epoch => '3', nextCursor => "c$next",
        claims => [map { claim(id => 'f' . $next++, station => '26AT9') } 1 .. 500]) };
    like visit($flood), qr/more claims than are accepted/, 'a flood of claims is refused';
    cmp_ok claims(), '<=', 10_000 + 4 * $service->sqlite('SELECT count(*) FROM qsos'),
        'the claims stored before the refusal are bounded';
    is $service->admin('check'), '', 'the logbook passes the check after a flood';
    $service->admin('peer', 'remove', 'club');
    is claims(), 0, 'removing the peer removes the flood';
}
$service->stop;

# Time and requests of each visit are limited, so a slow or endless peer does not block the other peers.
{
    my $service = QSOsync::Service->start;
    my $member = $service->add_member('14AT1');
    $service->post_batch([qso(qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB', callsignWorked => '26AT7')],
        key => $member->{write_key});
    my $log = $service->directory . '/asked';
    my @listeners;
    for my $name (qw(slow honest)) {
        my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 8) or die $!;
        $service->sqlite("INSERT INTO peers (name, address, added_at, paired_at, code, fingerprint, ask_key)
            VALUES ('$name', 'http://127.0.0.1:@{[$socket->sockport]}', 1, 1, randomblob(32), randomblob(32), 'k')");
        push @listeners, [$name, $socket];
    }
    my $serve = sub {
        my ($place, @answers) = @_;
        my ($name, $socket) = @{$listeners[$place]};
        my $pid = fork // die $!;
        return $pid if $pid;
        while (my $client = $socket->accept) {
            my ($head, $body) = ('', '');
            $head .= getc($client) // last while $head !~ /\r\n\r\n\z/;
            read $client, $body, $1 if $head =~ /content-length: (\d+)/i;
            open my $file, '>>', $log or die $!;
            print $file "$name\n";
            close $file;
            my $answer = @answers > 1 ? shift @answers : $answers[0];
            if (!defined $answer) { # sends one byte five times per second
                print $client "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
                $client->flush;
                while (print {$client} ' ' and $client->flush) { select undef, undef, undef, 0.2 }
                next;
            }
            my $text = JSON::PP::encode_json(ref $answer eq 'CODE' ? $answer->() : $answer);
            print $client "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " . length($text) . "\r\n\r\n$text";
            close $client;
        }
        POSIX::_exit(0);
    };
    my $pull = sub {
        my ($seconds, @answers) = @_;
        QSOsync::Front::write_file($log, '');
        local $SIG{PIPE} = 'IGNORE';
        my @pids = map { $serve->($_, @{$answers[$_]}) } 0, 1;
        my ($status, undef, $said) = $service->admin_try('peer', 'pull', '--seconds', $seconds);
        kill KILL => @pids;
        waitpid $_, 0 for @pids;
        return ($status, $said, QSOsync::Front::read_file($log));
    };
    my $rows = sub {
        return { map { $_->{name} => $_ } @{JSON::PP::decode_json($service->admin('peer', 'list', '--json'))} };
    };

    my ($status, $said, $asked) = $pull->(1, [undef], [page(claims => [claim()])]);
    is $asked, "slow\nhonest\n", 'a peer after a slow peer is asked';
    is $service->sqlite('SELECT count(*) FROM qsos WHERE cross_confirmed_at NOT NULL'), 1,
        'the claims of a peer after a slow peer are stored';
    is $status, 1, 'a visit without a complete answer within the time limit fails';
    like $said, qr/\A.*slow did not answer everything during this visit; the next visit continues\n\z/,
        'the line about a visit that was cut off gives the reason';
    like $rows->()->{slow}{failure}, qr/during this visit/, 'the list of peers shows the failure';

    ($status, $said) = $pull->(1, [page(nextCursor => 'c1'), undef], [page()]);
    is $status, 0, 'a visit that is cut short after an answer succeeds';
    like $said, qr/the next visit continues/,
        'the line about a visit that reached its limit states that more will follow';
    is_deeply [@{$rows->()->{slow}}{qw(failure answeredAt)}], [undef, undef],
        'the list marks a visit that reached its limit as incomplete, without a failure';
    is $service->sqlite("SELECT cursor FROM peers WHERE name = 'slow'"), 'c1',
        'the position for the next visit is stored';

    my $n = 2;
    ($status, $said, $asked) = $pull->(3600, [sub { page(nextCursor => 'c' . $n++) }], [page()]);
    my $requests = () = $asked =~ /slow/g;
    cmp_ok $requests, '<=', 1001, 'a visit asks at most a thousand times, and once in advance';
    like $said, qr/slow did not answer everything/, 'the line about an endless peer gives the reason';
    like $asked, qr/honest\n\z/, 'a peer after an endless peer is asked';

    $service->sqlite("UPDATE peers SET asked_at = CASE name WHEN 'slow' THEN 2 ELSE 1 END");
    like +($pull->(60, [page()], [page()]))[2], qr/\Ahonest\nslow\n/,
        'the peer with the oldest visit is asked first';
    $service->stop;
}

# Two clubs have TLS and certificates from a private authority. One club is behind nginx, and the other club is behind
# Apache. After pairing, each club confirms QSOs within one visit. A certificate from another authority or for another
# name is refused with a clear line.
SKIP: {
    skip 'needs nginx, Apache with mod_ssl and openssl', 1
        if !QSOsync::Front::has_apache() || !-x $QSOsync::Front::NGINX || !-e '/usr/lib/apache2/modules/mod_ssl.so'
        || system('openssl version >/dev/null 2>&1') != 0;
    my $place = File::Temp->newdir;
    chmod 0755, $place;
    sub openssl {
        system("cd '$place' && openssl @_ >openssl.log 2>&1") == 0
            or die QSOsync::Front::read_file("$place/openssl.log");
    }
    for my $authority ('clubs', 'others') {
        openssl("req -x509 -newkey ed25519 -nodes -days 30 -subj '/CN=Authority of $authority' -keyout $authority.key "
            . "-out $authority.pem");
    }
    for my $site (['here', 'clubs', 'IP:127.0.0.1'], ['there', 'clubs', 'IP:127.0.0.1'],
        ['other', 'others', 'IP:127.0.0.1'], ['elsewhere', 'clubs', 'DNS:log.example.org']) {
        my ($name, $authority, $for) = @$site;
        QSOsync::Front::write_file("$place/$name.ext", "subjectAltName=$for\n");
        openssl("req -newkey ed25519 -nodes -subj /CN=$name -keyout $name.key -out $name.csr");
        openssl("x509 -req -in $name.csr -CA $authority.pem -CAkey $authority.key -CAcreateserial -days 30 "
            . "-extfile $name.ext -out $name.pem");
    }

    QSOsync::Front::end_leak_detector(); # the operator's command runs as Apache's user
    # A club with a private authority adds this setting to the systemd unit.
    $ENV{CURL_CA_BUNDLE} = "$place/clubs.pem";
    my ($here, $there) = map { club(@$_) } ['nginx', 'here'], ['fcgid', 'there'];
    my ($mine, $theirs) = ($here->add_member('14AT1'), $there->add_member('26AT777'));
    sub club {
        my ($front, $certificate) = @_;
        my $club = QSOsync::Service->start(front => $front, site => 1, tls => "$place/$certificate");
        $club->admin('club', 'set', '--name', "Club \u$certificate", '--address', $club->tls_url);
        return $club;
    }
    sub confirmed_at {
        my ($club, $member) = @_;
        my ($found) = $club->download(key => $member->{read_key});
        return $found->{crossConfirmedAt};
    }

    my $code = $here->admin('peer', 'add', $there->tls_url);
    like $code, qr{\A\Q@{[$here->tls_url]}\E#}, 'a code contains the https address';
    $there->admin('peer', 'enter', $code);
    my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');
    $here->post_batch([qso(%contact, callsignWorked => '26AT777')], key => $mine->{write_key});
    $there->post_batch([qso(%contact, callsignWorked => '14AT1')], key => $theirs->{write_key});
    $here->admin('peer', 'pull');
    ok confirmed_at($here, $mine), 'the club behind nginx confirms after one visit to Apache';
    $there->admin('peer', 'pull');
    ok confirmed_at($there, $theirs), 'the club behind Apache confirms after one visit to nginx';

    # Clubs with untrusted certificates get no question.
    sub refusal {
        my ($club) = @_;
        my ($status, undef, $said) = $club->admin_try('peer', 'pull');
        is $status, 1, 'a visit to a club with an untrusted certificate fails';
        like $said, qr/\A.*127\.0\.0\.1:\d+ cannot be reached: [^\n]+\n\z/,
            'a failed visit to a club with an untrusted certificate prints one line';
        my ($row) = @{JSON::PP::decode_json($club->admin('peer', 'list', '--json'))};
        like $said, qr/\Q$row->{failure}\E/, 'the list of peers shows the certificate failure';
        return $said;
    }
    sub serve_with {
        my ($certificate) = @_;
        my $address = $here->sqlite('SELECT address FROM peers');
        my $other = club('nginx', $certificate);
        $here->sqlite("UPDATE peers SET address = '" . $other->tls_url . "'");
        my $said = refusal($here);
        is QSOsync::Front::read_file($other->directory . '/access.log'), '',
            'an untrusted server gets neither a request nor a key';
        $other->stop;
        $here->sqlite("UPDATE peers SET address = '$address'");
        return $said;
    }
    like serve_with('other'), qr/certificate/i, 'a certificate from another authority is refused';
    like serve_with('elsewhere'), qr/certificate.*(?:name|127\.0\.0\.1)/i, 'a certificate for another name is refused';
    {
        local $ENV{CURL_CA_BUNDLE} = "$place/others.pem";
        like refusal($here), qr/certificate/i,
            'a club with another authority trusts no certificate from this authority';
    }
    $here->admin('peer', 'pull');
    is JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0]{failure}, undef,
        'the next visit to a club with a trusted certificate clears the failure';
    ok confirmed_at($here, $mine), 'a certificate failure loses no claim';

    $_->stop for $here, $there;
}

done_testing;
