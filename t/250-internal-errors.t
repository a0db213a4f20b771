use QSOsync::Test fronts => 'main';

# A 500 says nothing to the client but its code and a request id; the error log has the rest under that id,
# and never a key.
my $service = QSOsync::Service->start(environment => { QSOSYNC_WRITE_WAIT_MS => 200 });
$service->expect_log(qr/qsosync|AH\d+/i);
my $kept = qso();
$service->post_batch([$kept]);

# Another program holds the database for longer than a write waits.
my ($from_shell, $to_shell, $pid);
{
    require IPC::Open2;
    $pid = IPC::Open2::open2($from_shell, $to_shell, 'sqlite3', $service->db);
    print {$to_shell} "BEGIN IMMEDIATE;\nSELECT 'held';\n";
    is scalar(<$from_shell>), "held\n", 'another program holds the database';
}
for my $write (['a batch' => sub { $service->post_batch([qso(), qso()]) }],
    ['a deletion' => sub { $service->delete_qso($kept->{clientId}) }]) {
    my ($name, $response) = ($write->[0], $write->[1]->());
    is $response->status, 500, "$name that cannot be written gives 500";
    is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}', "$name: no word more than the code";
    my $id = $response->header('X-Request-Id');
    ok $id, "$name: the answer carries a request id";
    is $response->header('Cache-Control'), 'no-store', "$name: and is not stored";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "$name: pages may read it";
    like $service->error_log_text, qr/\Q$id\E.*locked|\Q$id\E.*wait|\Q$id\E.*busy/i, "$name: the error log says why under that id";
}
is scalar($service->download), 1, 'reading goes on meanwhile';
print {$to_shell} "ROLLBACK;\n.quit\n";
close $to_shell;
waitpid $pid, 0;
my @log = $service->download;
is_deeply [map { $_->{clientId} } @log], [$kept->{clientId}], 'and nothing of the refused writes is saved';
is $service->post_batch([qso()])->status, 200, 'once the database is free writes are served again';

# A database that is broken for good.
$service->sqlite('DROP VIEW readable_qsos; ALTER TABLE qsos RENAME TO gone');
my @answers = (['GET', '/logs'], ['GET', '/logs/ids'], ['POST', '/logs/batch'], ['DELETE', "/logs/$kept->{clientId}"]);
for my $case (@answers) {
    my $response = $service->request(@$case, key => $service->write_key,
        $case->[0] eq 'POST' ? (json => { entries => [qso()] }) : ());
    is $response->status . ' ' . ($response->code || ''), '500 GENERIC.INTERNAL_ERROR', "@$case[0, 1]: a broken database is a 500";
    unlike $response->body, qr/sql|qsos|gone|table/i, 'that shows nothing of what is behind';
}
$service->sqlite('ALTER TABLE gone RENAME TO qsos');
is $service->get('/logs')->status, 200, 'and a repaired one is served again';

my $text = $service->error_log_text;
for my $key ($service->read_key, $service->write_key) {
    ok index($text, substr $key, length('qsosync_'), 8) < 0, 'no line of the error log holds any part of a key';
}

done_testing;
