use QSOsync::Test fronts => 'none';
use Encode ();
use QSOsync::Adif;

# Each program's file (t/data/adif, written by hand after real files) is imported into a new log and exported again.
# Every value must return unchanged, except for the listed values, which other programs would read as fields.
my %differs = (log4om => ['APP_L4ONG_CONTEST: {"A":"<b>"} becomes {"A":"(b>"}']);
my $service = QSOsync::Service->start;
my $folder = "$QSOsync::Front::SOURCE/t/data/adif";

# Decodes a text as UTF-8, or else as Windows-1252. One program counts characters in its lengths, and the other programs
# count bytes.
sub text_of {
    my ($bytes) = @_;
    return eval { Encode::decode('UTF-8', "$bytes", 1) } // Encode::decode('cp1252', $bytes);
}
sub records_of {
    my ($bytes, $counts_characters) = @_;
    my (@records, %fields);
    $bytes =~ s/\A.*?<EOH>//si;
    $bytes = text_of($bytes) if $counts_characters;
    while ($bytes =~ /<(?:(EOR)|(\w+):(\d+)(?::\w)?)>/gi) {
        if ($1) { push @records, {%fields}; %fields = () }
        else {
            my ($name, $value) = (uc $2, substr $bytes, pos $bytes, $3);
            pos($bytes) += $3;
            $fields{$name} = $counts_characters ? $value : text_of($value) if $3;
        }
    }
    return map { $_->{CALL} => $_ } @records;
}

my @files = sort map { m{([^/]+)\.adi\z} } glob "$folder/*.adi";
cmp_ok scalar @files, '>=', 10, 'at least ten programs have a file';
my $number = 100;
for my $name (@files) {
    my $member = '26AT' . ++$number;
    $service->admin('member', 'add', $member, '--locator', 'JO59');
    my $report = import_adif($service, $member, "$folder/$name.adi", '--encoding', 'CP1252');
    is $report->{counts}{rejected}, 0, "$name: no record is rejected";
    my %in = records_of(QSOsync::Front::read_file("$folder/$name.adi"), $name eq 'log4om');
    my $text = $service->admin('export', $member);
    utf8::encode($text) if utf8::is_utf8($text);
    my %out = records_of($text);
    is join(' ', sort keys %out), join(' ', sort keys %in), "$name: every record is exported again";
    my %changed;
    for my $call (sort keys %in) {
        for my $field (sort keys %{$in{$call}}) {
            my ($before, $after) = ($in{$call}{$field}, $out{$call}{$field} // 'nothing');
            $changed{"$field: $before becomes $after"} = 1 if $before ne $after;
        }
    }
    is_deeply [sort keys %changed], [sort @{$differs{$name} || []}],
        "$name: only the expected values change between import and export";
}

# An earlier version wrote this export before serials had their own fields (t/data/exports). This version reads the same
# QSOs from the file, and this version's export matches these QSOs.
{
    my $service = QSOsync::Service->start;
    my $folder = "$QSOsync::Front::SOURCE/t/data/exports";
    my $before = JSON::PP->new->decode(QSOsync::Front::read_file("$folder/1.1.0-early.json"));
    my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
    sub log_now { return [sort { $a->{clientId} cmp $b->{clientId} } map { delete @$_{@own};
    $_ } $service->download] }

    my $report = import_adif($service, '21SD333', "$folder/1.1.0-early.adi");
    is_deeply [@{$report->{counts}}{qw(imported rejected)}, $report->{details}], [scalar @$before, 0, []],
        'every record in an old export is imported without remarks';
    my $expected = [sort { $a->{clientId} cmp $b->{clientId} } @$before];
    is_deeply log_now(), $expected, 'importing an old export creates the QSOs of the earlier version';
    is import_adif($service, '21SD333', "$folder/1.1.0-early.adi")->{counts}{unchanged}, scalar @$before,
        'importing the old export again changes nothing';

    my $file = $service->directory . '/log.adi';
    $service->admin('export', '21SD333', $file, '--heard');
    is import_adif($service, '21SD333', $file)->{counts}{unchanged}, scalar @$before,
        'importing a new export changes nothing';
    $service->delete_qso($_->{clientId}) for @$before;
    is import_adif($service, '21SD333', $file)->{counts}{imported}, scalar @$before,
        'importing a new export restores a deleted log';
    is_deeply log_now(), $expected, 'the restored QSOs are those of the earlier version';
}

done_testing;
