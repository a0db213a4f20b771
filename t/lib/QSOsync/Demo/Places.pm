# Reads the tables of make demo, and computes with places on the earth.
package QSOsync::Demo::Places;
use strict;
use warnings;
use Exporter qw(import);
use Math::Trig qw(deg2rad great_circle_distance pi);
use QSOsync::Front;

our @EXPORT_OK = qw(table distance locator near);
my $KM_PER_DEGREE = 111.2;

# Returns the rows of a file in the source, each as a list of columns.
sub rows {
    my ($path) = @_;
    return map { [split /\t/] } grep { !/\A#/ } split /\n/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/$path");
}

sub table { my ($name) = @_; return rows("t/demo/$name.tsv") }

# Returns the distance in km between two places.
sub distance {
    my @places = map { (deg2rad($_->{lng}), deg2rad(90 - $_->{lat})) } @_;
    return great_circle_distance(@places, 6371);
}

# Returns the locator of a place, with six characters.
sub locator {
    my ($place) = @_;
    my ($lng, $lat) = (($place->{lng} + 180) / 2, $place->{lat} + 90);
    return join '', (map { chr(65 + $_ / 10) } $lng, $lat), (map { int($_) % 10 } $lng, $lat),
        map { chr(97 + 24 * ($_ - int $_)) } $lng, $lat;
}

# Returns a place at most this far from another place.
sub near {
    my ($lat, $lng, $km) = @_;
    my ($far, $direction) = ($km * (0.2 + rand 0.8) / $KM_PER_DEGREE, rand 2 * pi);
    return (lat => $lat + $far * cos $direction, lng => $lng + $far * sin($direction) / cos deg2rad $lat);
}

1;
