# Builds ADIF records and files for tests, and parses the report of an import.
package QSOsync::Adif;
use strict;
use warnings;
use parent 'Exporter';
our @EXPORT = qw(adif_record adif_qso adif_file import_adif);

# adif_record(CALL => '26AT101', …) returns a record as bytes. The lengths of the fields are in bytes of UTF-8.
sub adif_record {
    my (@fields) = @_;
    my $record = '';
    while (my ($name, $value) = splice @fields, 0, 2) {
        utf8::encode($value) if utf8::is_utf8($value);
        $record .= sprintf '<%s:%d>%s ', $name, length $value, $value;
    }
    return "$record<EOR>\n";
}

# adif_qso(CALL => '14FR001', …) returns the record of a QSO. The given fields replace the defaults, and undef omits a
# field.
sub adif_qso {
    my %fields = (CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194200', FREQ => '27.555', MODE => 'SSB', @_);
    return adif_record(map { $_ => $fields{$_} } grep { defined $fields{$_} } sort keys %fields);
}

my $count = 0;

# Returns the path of a new file with these bytes, in the service's folder.
sub adif_file {
    my ($service, @bytes) = @_;
    my $path = sprintf '%s/file-%d.adi', $service->directory, ++$count;
    open my $file, '>:raw', $path or die "$path: $!";
    print $file @bytes or die $!;
    close $file or die $!;
    return $path;
}

# Imports a file, and returns the exit status, the counts by their names, and the lines of the details.
sub import_adif {
    my ($service, $callsign, $path, @options) = @_;
    push @options, '--station-callsign', 'keep' unless grep { $_ eq '--station-callsign' } @options;
    my ($status, $output, $errors) = $service->admin_try('import', $callsign, $path, @options);
    my @lines = split /\n/, $output;
    my %counts;
    for my $word ('imported', 'updated', 'unchanged', 'repeated', 'rejected', 'other bands') {
        my $line = shift @lines // '';
        $counts{$word} = $line =~ /\A\Q$word\E (\d+)\z/ ? $1 : "not there: $line";
    }
    return { status => $status, counts => \%counts, details => \@lines, errors => $errors };
}

1;
