use QSOsync::Test fronts => 'none';
use QSOsync::Adif;
use Encode ();

# Files of ten programs, each imported into a log of its own and exported from it: every value comes back as it came,
# but those that are named here, with what they are then. (t/data/adif; written by hand after real ones.)
# Other programs would take such a value for a field.
my %differs = (log4om => ['APP_L4ONG_CONTEST: {"A":"<b>"} becomes {"A":"(b>"}']);
my $service = QSOsync::Service->start;
my $folder = "$QSOsync::Front::SOURCE/t/data/adif";

# In characters: Windows-1252 where it is no UTF-8; one program counts characters, the others bytes.
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
cmp_ok scalar @files, '>=', 10, 'there are files of ten programs';
my $number = 100;
for my $name (@files) {
    my $member = '26AT' . ++$number;
    $service->admin('member', 'add', $member, '--locator', 'JO59');
    my $report = import_adif($service, $member, "$folder/$name.adi");
    is $report->{counts}{refused}, 0, "$name: no record is refused";
    my %in = records_of(QSOsync::Front::read_file("$folder/$name.adi"), $name eq 'log4om');
    my $text = $service->admin('export', $member);
    utf8::encode($text) if utf8::is_utf8($text);
    my %out = records_of($text);
    is join(' ', sort keys %out), join(' ', sort keys %in), "$name: every record comes back";
    my %changed;
    for my $call (sort keys %in) {
        for my $field (sort keys %{$in{$call}}) {
            my ($before, $after) = ($in{$call}{$field}, $out{$call}{$field} // 'nothing');
            $changed{"$field: $before becomes $after"} = 1 if $before ne $after;
        }
    }
    is_deeply [sort keys %changed], [sort @{$differs{$name} || []}],
        "$name: every value comes back but those that are named";
}

# An export of an earlier version, from before serials had fields of their own (t/data/exports): this version makes the
# same QSOs of it, and what it exports itself comes back into them.
{
    my $service = QSOsync::Service->start;
    my $folder = "$QSOsync::Front::SOURCE/t/data/exports";
    my $before = JSON::PP->new->decode(QSOsync::Front::read_file("$folder/1.1.0-early.json"));
    my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
    sub log_now { return [sort { $a->{clientId} cmp $b->{clientId} } map { delete @$_{@own}; $_ } $service->download] }

    my $report = import_adif($service, '21SD333', "$folder/1.1.0-early.adi");
    is_deeply [@{$report->{counts}}{qw(imported refused)}, $report->{details}], [scalar @$before, 0, []],
        'every record of an old export is imported, without a word';
    my $expected = [sort { $a->{clientId} cmp $b->{clientId} } @$before];
    is_deeply log_now(), $expected, 'the QSOs are what they were in the earlier version';
    is import_adif($service, '21SD333', "$folder/1.1.0-early.adi")->{counts}{unchanged}, scalar @$before,
        'the old export again changes nothing';

    my $file = $service->directory . '/log.adi';
    $service->admin('export', '21SD333', $file, '--heard');
    is import_adif($service, '21SD333', $file)->{counts}{unchanged}, scalar @$before, 'a new export changes nothing';
    $service->delete_qso($_->{clientId}) for @$before;
    is import_adif($service, '21SD333', $file)->{counts}{imported}, scalar @$before,
        'a new export brings a lost log back';
    is_deeply log_now(), $expected, 'the QSOs are still what they were in the earlier version';
}

done_testing;
