# ADIF for tests: records and files, and the report of an import.
package QSOsync::Adif;
use strict;
use warnings;
use parent 'Exporter';
use JSON::PP ();
use QSOsync::Front ();

our @EXPORT = qw(adif_record adif_qso adif_file import_adif import_slices);

# adif_record(CALL => '26AT101', …): bytes; lengths in bytes of UTF-8.
sub adif_record {
    my (@fields) = @_;
    my $record = '';
    while (my ($name, $value) = splice @fields, 0, 2) {
        utf8::encode($value) if utf8::is_utf8($value);
        $record .= sprintf '<%s:%d>%s ', $name, length $value, $value;
    }
    return "$record<EOR>\n";
}

# adif_qso(CALL => '14FR001', …): a record of a QSO. These fields replace the defaults; undef leaves a field out.
sub adif_qso {
    my %fields = (CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194200', FREQ => '27.555', MODE => 'SSB', @_);
    return adif_record(map { $_ => $fields{$_} } grep { defined $fields{$_} } sort keys %fields);
}

my $count = 0;

# The path of a new file with these bytes, in the service's folder.
sub adif_file {
    my ($service, @bytes) = @_;
    my $path = sprintf '%s/file-%d.adi', $service->directory, ++$count;
    open my $file, '>:raw', $path or die "$path: $!";
    print $file @bytes or die $!;
    close $file or die $!;
    return $path;
}

# Imports a file; returns the exit status, the counts by their words, and the lines of the details.
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

# -- In slices, as the page sends them --------------------------------------------------------------

my @counts = qw(imported updated unchanged repeated rejected otherBands newIds);

sub send_slice {
    my ($member, $records, $dry_run) = @_;
    my $answer = $member->post('import', { adif => join('', @$records), dryRun => $dry_run });
    die $answer->status . $answer->body if $answer->status != 200;
    return $answer->json;
}

# Groups the records into slices, in the order of the file. Records with a key in common go into the first slice that
# has one of them.
sub gather {
    my ($slices, $parts) = @_;
    my (%parent, %home, @moved);
    my $find = sub { my ($key) = @_; $key = $parent{$key} while defined $parent{$key}; return $key };
    my @keys = map { my %of; push @{$of{$_->[0]}}, $_->[1] for @{$_->{keys}}; \%of } @$parts;
    for my $of (map { values %$_ } @keys) {
        my ($first, @others) = @$of;
        for (@others) { my ($one, $other) = ($find->($first), $find->($_)); $parent{$other} = $one if $one ne $other }
    }
    my $place = 0;
    for my $slice (0 .. $#$slices) {
        for my $number (1 .. @{$slices->[$slice]}) {
            my ($key) = @{$keys[$slice]{$number} || []};
            my $home = defined $key ? $home{$find->($key)} //= $slice : $slice;
            push @{$moved[$home]}, [$place++, $slices->[$slice][$number - 1]];
        }
    }
    return map { [map { $_->[1] } sort { $a->[0] <=> $b->[0] } @$_] } grep { $_ } @moved;
}

# import_slices($member, \@records, $size): the sums that a dry run reports, and the sums that the import reports.
sub import_slices {
    my ($member, $records, $size) = @_;
    my @rest = @$records;
    my @slices;
    push @slices, [splice @rest, 0, $size] while @rest;
    @slices = gather(\@slices, [map { send_slice($member, $_, JSON::PP::true()) } @slices]);
    my @sums;
    for my $dry_run (JSON::PP::true(), JSON::PP::false()) {
        my %sum;
        for my $part (map { send_slice($member, $_, $dry_run) } @slices) { $sum{$_} += $part->{$_} for @counts }
        push @sums, \%sum;
    }
    return @sums;
}

1;
