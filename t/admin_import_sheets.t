use QSOsync::Test fronts => 'none';
use JSON::PP ();
use QSOsync::Adif;

# qsosync-admin import reads sheets (CSV, TSV). It prints what it recognises, saves nothing without --yes, and asks what
# the file does not decide. For each file in t/data/sheets, expected.json contains the columns, the questions and the
# answers, which the tests of the page Import share; t/unit-sheet.c compares the records.
my $service = QSOsync::Service->start;
my $folder = "$QSOsync::Front::SOURCE/t/data/sheets";
my $expected = JSON::PP->new->utf8->decode(QSOsync::Front::read_file("$folder/expected.json"));
sub import_of { return $service->admin_try('import', '21SD333', @_) }
sub sheet { my ($text) = @_; my $path = $service->directory . '/sheet.csv'; QSOsync::Front::write_file($path, $text);
    return $path }
sub stored { return scalar $service->download }

# Returns the options for the answers to a file's questions, and the encoding.
sub options_of {
    my ($file) = @_;
    my ($encoding, %answers) = ($file->{encoding}, %{$file->{answers}});
    my %option = (order => 'date-order', zone => 'zone', plan => 'channel-plan');
    my @options = $encoding eq 'utf-8' ? () : ('--encoding', $encoding);
    push @options, "--$option{$_}", delete $answers{$_} for grep { exists $answers{$_} } sort keys %option;
    push @options, '--answers', join '; ', map { "$_=$answers{$_}" } sort keys %answers if %answers;
    return @options;
}

for my $name (sort keys %$expected) {
    my $file = $expected->{$name};
    next if $name =~ /\.log\z/; # the reader of ADIF reads this table
    my @encoding = $file->{encoding} eq 'utf-8' ? () : ('--encoding', $file->{encoding});
    my @open = map { /\A(.*): .* -> null\z/ ? $1 : () } @{$file->{questions}};
    my ($status, $output, $errors) = import_of("$folder/$name", @encoding, '--yes');
    is join(' ', $output =~ /^column [A-Z]+: (?:.*: )?(\w+) \(/mg), $file->{fields},
        "$name: the columns are recognised";
    if (@open) {
        is $status, 2, "$name: --yes answers no question";
        # The command asks for a plan only if the channels are on 11 m, which another question decides.
        cmp_ok scalar(() = $errors =~ /^question: /mg), '>=', @open - 1, "$name: the questions are printed";
        like $errors, qr/^    --/m, "$name: each question has its option";
    }
    my $before = stored();
    ($status, $output, $errors) = import_of("$folder/$name", options_of($file), '--station-callsign', 'keep');
    isnt $status, 2, "$name: with all answers, no question is open" or diag $errors;
    like $output, qr/^imported \d+$/m, "$name: the report is printed";
    is stored(), $before, "$name: nothing is saved without --yes";
}

# A sheet that decides everything.
my $before = stored();
my $log = "Datum;Zeit UTC;Rufzeichen;QRG;Mode;RST ges.;RST empf.;Bemerkung;Wetter\n"
    . "13.05.2026;1205;26AT901;27,555;USB;59;57;\"two\nlines\";sun\n"
    . "14.05.2026;1305;19CT512;27,565;USB;55;59;;\n"
    . "15.05.2026;25:99;1AT106;27,565;USB;55;59;;\n";
my ($status, $output) = import_of(sheet($log));
is $status, 1, 'a preview with a rejected record exits with status 1';
like $output, qr/^column C: Rufzeichen: callsignWorked \(3 of 3 are callsigns\)$/m,
    'a line per column names the reason';
like $output, qr/^column I: Wetter: extra \(has no field, and is kept with the QSO\)$/m, 'a column may lack a field';
like $output, qr/^rejected: row 4, record 3: TIME_ON .*^nothing was saved$/ms, 'a report names the row of the sheet';
is stored(), $before, 'a preview saves nothing';
($status, $output) = import_of(sheet($log), '--yes');
like $output, qr/^imported 2$/m, '--yes saves the records';
my ($first) = grep { $_->{callsignWorked} eq '26AT901' } $service->download;
is $first->{notes}, "two\nlines", 'a column of remarks becomes the notes';
is "$first->{qsoAt} $first->{frequencyMhz} $first->{rstSent} $first->{rstReceived}",
    '2026-05-13T12:05:00.000Z 27.555 59 57', 'values are read';
like $service->admin('export', '21SD333'), qr/<APP_SHEET_WETTER:3>sun/, 'a column without a field is kept with the QSO';
like +(import_of(sheet($log), '--yes'))[1], qr/^imported 0\n.*^unchanged 2$/ms, 'a second import changes nothing';

# Options.
my $local = "Date,Time,Call,Freq,Mode\n13.05.2026,20:15,26AT101,27.555,USB\n";
is +(import_of(sheet($local), '--yes'))[0], 2, 'the command asks for the zone of times without a zone';
like +(import_of(sheet($local), '--zone', 'Europe/Nowhere'))[2], qr/is not a possible answer/, 'the zone must exist';
is +(import_of(sheet($local), '--zone', 'Europe/Berlin', '--yes'))[0], 0, 'a zone is an answer';
is scalar(grep { $_->{qsoAt} eq '2026-05-13T18:15:00.000Z' } $service->download), 1, 'a local time becomes UTC';
like +(import_of(sheet($local), '--zone', 'UTC', '--date-order', 'mdy'))[2], qr/are not in the order mdy/,
    'an option that contradicts the file is refused';
like +(import_of(sheet($local), '--answers', 'colour=blue'))[2], qr/there is no question "colour"/,
    'an answer needs a question';
my $foreign = "Dato;Klukka;Stod;Tidni\n2026-05-20;0710Z;26AT200;27,555\n";
like +(import_of(sheet($foreign), '--columns', 'date,time,call,freq'))[1],
    qr/^column C: callsignWorked.*^imported 1$/ms, '--columns names the columns';
like +(import_of(sheet($local), '--columns', 'date,weather'))[2], qr/unknown field: weather/, 'a field must be known';
my $own = "Call,Date,UTC,QRG,His RST,My RST\n26AT300,2026-05-20,0710,27.555,59,51\n";
is +(import_of(sheet($own), '--first-report', 'received', '--yes'))[0], 0, 'the first report can be the one received';
is +(grep { $_->{callsignWorked} eq '26AT300' } $service->download)[0]{rstSent}, 51, 'the other report was sent';

# The plan that the member has set answers the question about channels.
my $channels = "Call,Date,UTC,Channel,Band\n26AT400,2026-05-20,0710,41,11m\n";
is +(import_of(sheet($channels), '--yes'))[0], 2, 'the command asks for a plan if the channels need one';
$service->sqlite("UPDATE members SET channel_plan = 'de' WHERE callsign = '21SD333'");
is +(import_of(sheet($channels), '--yes'))[0], 0, 'the command uses a plan that the member has set, and does not ask';
is +(grep { $_->{callsignWorked} eq '26AT400' } $service->download)[0]{frequencyMhz}, 26.565,
    'the channel is on the frequency of this plan';
is +(import_of(sheet($channels =~ s/,41,/,9,/r), '--zone', 'UTC'))[0], 0, 'plans can have the same frequency';
$service->sqlite("UPDATE members SET channel_plan = 'uk' WHERE callsign = '21SD333'");
is +(import_of(sheet($channels)))[0], 2, 'a plan without the channel is not an answer';

# Refusals.
like +(import_of(sheet(join(',', 1 .. 300) . "\n")))[2], qr/more than 250 columns/, 'a sheet can be too wide';
like +(import_of(sheet("a,b\n" x 100_001)))[2], qr/more than 100000 rows/, 'a sheet can be too long';
like +(import_of(sheet("Dear diary,\ntoday I was on the air.\n")))[2], qr/is not a sheet with the columns of a log/,
    'plain text is not a log';
like +(import_of(sheet("Datum;Ger\xE4t\n1.2.2026;x\n")))[2], qr/is not in UTF-8; specify .* CP1252 \("Datum;Gerät"\)/,
    'the command asks for the encoding of a text that is not UTF-8';
my $adif = adif_file($service, adif_record(CALL => 'A1', QSO_DATE => '20260520', TIME_ON => '1200', BAND => '11m'));
like +($service->admin_try('import', '21SD333', $adif, '--zone', 'UTC'))[2], qr/--zone is for sheets/,
    'an option for sheets does not fit ADIF';
is +($service->admin_try('import', '21SD333', $adif, '--yes'))[0], 0, 'ADIF needs no --yes, but accepts it';
done_testing;
