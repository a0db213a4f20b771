use QSOsync::Test fronts => 'main';
use IPC::Open2 qw(open2);

# If a request fails because of an internal error, the client gets status 500 with only a code and a request id. The
# error log has the details under that id, but never a key. faults_damage.t tests which damage causes a 500.
my $service = QSOsync::Service->start(environment => { QSOSYNC_WRITE_WAIT_MS => 200 });
$service->expect_log(qr/qsosync|AH\d+/i);
my $kept = qso();
$service->post_batch([$kept]);

# Another program holds the database for longer than a write waits.
my $pid = open2(my $from_shell, my $to_shell, 'sqlite3', $service->db);
print {$to_shell} "BEGIN IMMEDIATE;\nSELECT 'held';\n";
is scalar(<$from_shell>), "held\n", 'another program holds the database';
for my $write (['a batch' => sub { $service->post_batch([qso(), qso()]) }],
    ['a deletion' => sub { $service->delete_qso($kept->{clientId}) }]) {
    my ($name, $response) = ($write->[0], $write->[1]->());
    is $response->status, 500, "$name that cannot be written is answered with 500";
    is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}',
        "the 500 for $name contains only the code";
    my $id = $response->header('X-Request-Id');
    ok $id, "the 500 for $name contains a request id";
    is $response->header('Retry-After'), 10, "the 500 for $name states when the next attempt is possible";
    is $response->header('Cache-Control'), 'no-store', "caches may not store the 500 for $name";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'],
        "pages from other origins may read the 500 for $name";
    like $service->error_log_text, qr/\Q$id\E.*locked|\Q$id\E.*wait|\Q$id\E.*busy/i,
        "the error log states why $name failed, under its request id";
}
like $service->error_log_text, qr/database is locked/,
    'the error log reports that another program has locked the database';
is $service->get('/logs')->status, 200, 'reading continues while another program writes';
is scalar($service->download), 1, 'the whole log is readable while another program writes';
print {$to_shell} "ROLLBACK;\n.quit\n";
close $to_shell;
waitpid $pid, 0;
is_deeply [map { $_->{clientId} } $service->download], [$kept->{clientId}],
    'nothing from a write that was answered with 500 is saved';
is $service->post_batch([qso()])->status, 200, 'writes are accepted again once the database is free';

# The database lacks a table.
$service->sqlite('DROP VIEW readable_qsos; ALTER TABLE qsos RENAME TO away');
for my $case (['GET', '/logs'], ['GET', '/logs/ids'], ['POST', '/logs/batch'], ['DELETE', "/logs/$kept->{clientId}"]) {
    my $response = $service->request(@$case, key => $service->write_key,
        $case->[0] eq 'POST' ? (json => { entries => [qso()] }) : ());
    is $response->status . ' ' . ($response->code || ''), '500 GENERIC.INTERNAL_ERROR',
        "@$case[0, 1] with a database that lacks a table is answered with 500";
    unlike $response->body, qr/sql|qsos|away|table|logbook|\//i, "the 500 for @$case[0, 1] contains nothing internal";
}
$service->sqlite('ALTER TABLE away RENAME TO qsos');
is $service->get('/logs')->status, 200, 'a repaired database is served again';

# Only one of two QSOs refers to the other as its confirmation, a fault that check reports.
$service->post_batch([my $other = qso(notes => 'confirms')]);
my $confirming = $service->sqlite("SELECT id FROM qsos WHERE notes = 'confirms'");
$service->sqlite("UPDATE qsos SET confirmed_by = 1, paired_at = 1 WHERE id = $confirming");
my $refused = $service->delete_qso($kept->{clientId});
is $refused->status, 500, 'a deletion that would leave a dangling reference is answered with 500';
like $service->error_log_text, qr/\Q@{[$refused->header('X-Request-Id')]}\E.*run qsosync-admin check/,
    'the error log names the command that finds the problem';
is $service->delete_qso($other->{clientId})->status, 204, 'the other QSO is deleted';

my $text = $service->error_log_text;
for my $key ($service->read_key, $service->write_key) {
    ok index($text, substr $key, length('qsosync_'), 8) < 0, 'no line in the error log contains the beginning of a key';
}

done_testing;
