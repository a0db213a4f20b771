# Imports a file of records in slices, as the profile page sends them.
package QSOsync::AdifSlices;
use strict;
use warnings;
use Exporter qw(import);
use JSON::PP ();

our @EXPORT_OK = qw(import_slices);
my @counts = qw(imported updated unchanged repeated rejected otherBands newIds);

sub send_slice {
    my ($member, $records, $dry_run) = @_;
    my $answer = $member->post('import', { adif => join('', @$records), dryRun => $dry_run });
    die $answer->status . $answer->body if $answer->status != 200;
    return $answer->json;
}

# Groups the records into slices, in the order of the file. Records with a common key are moved into the first slice
# that has a record with that key.
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

# import_slices($member, \@records, $size) returns the sums that a dry run reports, and the sums that the import
# reports.
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
