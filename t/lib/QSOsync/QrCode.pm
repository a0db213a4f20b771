# Reads undamaged QR codes (ISO/IEC 18004, versions 5 to 11, error correction level M).
package QSOsync::QrCode;
use strict;
use warnings;

# The positions of the alignment patterns and the data bytes of each block, by version.
my %version = (
    5 => [[6, 30], [(43) x 2]], 6 => [[6, 34], [(27) x 4]], 7 => [[6, 22, 38], [(31) x 4]],
    8 => [[6, 24, 42], [38, 38, 39, 39]], 9 => [[6, 26, 46], [36, 36, 36, 37, 37]],
    10 => [[6, 28, 50], [43, 43, 43, 43, 44]], 11 => [[6, 30, 54], [50, 51, 51, 51, 51]],
);
my @masks = (
    sub {
        ($_[0] + $_[1]) % 2;
    }, sub { $_[1] % 2 }, sub { $_[0] % 3 }, sub { ($_[0] + $_[1]) % 3 }, sub { (int($_[0] / 3) + int($_[1] / 2)) % 2 },
    sub { $_[0] * $_[1] % 2 + $_[0] * $_[1] % 3 }, sub { ($_[0] * $_[1] % 2 + $_[0] * $_[1] % 3) % 2 },
    sub { (($_[0] + $_[1]) % 2 + $_[0] * $_[1] % 3) % 2 },
);

# Converts the lines of a terminal into rows of modules, 1 for black, with the margin.
sub rows_of_terminal {
    my ($screen) = @_;
    my %modules = (' ' => [1, 1], "\xe2\x96\x84" => [1, 0], "\xe2\x96\x80" => [0, 1], "\xe2\x96\x88" => [0, 0]);
    my @rows;
    for my $line ($screen =~ /^\e\[40;97m((?: |\xe2\x96[\x80\x84\x88])+)\e\[0m$/mg) {
        my @pairs = map { $modules{$_} } $line =~ / |\xe2\x96./g;
        push @rows, [map { $_->[0] } @pairs], [map { $_->[1] } @pairs];
    }
    return \@rows;
}

# Converts the path of a drawing into rows of modules: "M4 4h7v1h-7z" is seven black modules.
sub rows_of_path {
    my ($path, $size) = @_;
    my @rows = map { [(0) x $size] } 1 .. $size;
    @{$rows[$2]}[$1 .. $1 + $3 - 1] = (1) x $3 while $path =~ /M(\d+) (\d+)h(\d+)v1h-\d+z/g;
    return \@rows;
}

# Returns the text of a code with a margin around it, or undef if no code is found.
sub text_of {
    my ($rows) = @_;
    my ($margin) = grep { grep { $_ } @{$rows->[$_]} } 0 .. $#$rows;
    return if !defined $margin;
    my $size = @{$rows->[0]} - 2 * $margin;
    my ($alignments, $blocks) = @{$version{($size - 17) / 4} || return};
    my $black = sub { $rows->[$_[1] + $margin][$_[0] + $margin] };
    my $mask = $masks[($black->(4, 8) | $black->(3, 8) << 1 | $black->(2, 8) << 2) ^ 0b101];

    my %fixed;
    for my $y (0 .. $size - 1) {
        for my $x (0 .. $size - 1) {
            $fixed{"$x $y"} = 1 if $x == 6 || $y == 6 || $x < 9 && $y < 9 || $x >= $size - 8 && $y < 9 || $x < 9
                && $y >= $size - 8
                || $size >= 45 && ($x >= $size - 11 && $y < 6 || $y >= $size - 11 && $x < 6);
        }
    }
    for my $x (@$alignments) {
        for my $y (grep { !($x == 6 && ($_ == 6 || $_ == $alignments->[-1]) || $x == $alignments->[-1] && $_ == 6) }
            @$alignments) {
            for my $place (0 .. 24) { $fixed{($x - 2 + $place % 5) . ' ' . ($y - 2 + int($place / 5))} = 1 }
        }
    }
    my $bits = '';
    for (my $right = $size - 1; $right > 0; $right -= 2) {
        $right = 5 if $right == 6;
        for my $step (0 .. $size - 1) {
            my $y = ($right + 1) & 2 ? $step : $size - 1 - $step;
            $bits .= $black->($_, $y) ^ ($mask->($_, $y) == 0 ? 1 : 0) for grep { !$fixed{"$_ $y"} } $right, $right - 1;
        }
    }
    my @bytes = unpack 'C*', pack 'B*', $bits;
    my @data = map { [] } @$blocks;
    for my $place (0 .. $blocks->[-1] - 1) {
        push @{$data[$_]}, shift @bytes for grep { $place < $blocks->[$_] } 0 .. $#$blocks;
    }
    my $stream = unpack 'B*', pack 'C*', map { @$_ } @data;
    my $count_bits = $size >= 57 ? 16 : 8;
    return if oct('0b' . substr $stream, 0, 4) != 4; # bytes
    return pack 'B*', substr $stream, 4 + $count_bits, 8 * oct('0b' . substr $stream, 4, $count_bits);
}

1;
