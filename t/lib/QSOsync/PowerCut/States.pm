# Chooses the states in which a power cut can leave a QSOsync::PowerCut::Disk.
package QSOsync::PowerCut::States;
use strict;
use warnings;

our $SECTOR = 512; # bytes

# Returns the entries that no sync has covered, by number. Entries for mapped pages are separate.
sub pending {
    my ($self) = @_;
    my (%plain, %mapped);
    my %files = map { $_ => $_ } values %{$self->{names}}, map { grep { $_ } values %{$_->[1]} } @{$self->{moves}};
    for my $file (values %files) {
        my $set = $file->{mapped} ? \%mapped : \%plain;
        $set->{$_->[0]} = "$file" for map { @$_ } values %{$file->{sectors}};
        $plain{$_->[0]} = "$file" for @{$file->{sizes}};
    }
    $plain{$_->[0]} = 'names' for @{$self->{moves}};
    return (\%plain, \%mapped);
}

# Returns one choice: for each entry's number, whether the entry reached the disk (0 no, 1 yes, 2 partly).
sub choice {
    my ($plain) = @_;
    my @numbers = sort { $a <=> $b } keys %$plain;
    my $way = int rand 100;
    my %kept;
    if ($way < 6) { }
    elsif ($way < 12) { @kept{@numbers} = (1) x @numbers }
    elsif ($way < 27 && @numbers) { # all entries up to a point, and the last of them perhaps in part
        my $point = int rand @numbers;
        @kept{@numbers[0 .. $point]} = (1) x ($point + 1);
        $kept{$numbers[$point]} = 1 + int rand 2;
    }
    elsif ($way < 37 && @numbers) { # all entries except one
        @kept{@numbers} = (1) x @numbers;
        $kept{$numbers[rand @numbers]} = rand() < 0.5 ? 0 : 2;
    }
    elsif ($way < 47 && @numbers) { $kept{$numbers[rand @numbers]} = 1 + int rand 2 }
    elsif ($way < 65) { # some files are written sooner than others
        my %of_file;
        $of_file{$_} //= [0, 1, 0.5, 0.95]->[rand 4] for map { $plain->{$_} } @numbers;
        $kept{$_} = rand() < $of_file{$plain->{$_}} for @numbers;
    }
    else {
        my $share = (0.1, 0.3, 0.5, 0.7, 0.9, 0.97)[rand 6];
        my $torn = (0, 0, 0.1, 0.5)[rand 4];
        $kept{$_} = rand() < $share ? rand() < $torn ? 2 : 1 : 0 for @numbers;
    }
    return \%kept;
}

# Returns the n-th of all subsets if they are few, or undef if there are too many.
sub subset {
    my ($plain, $n) = @_;
    my @numbers = sort { $a <=> $b } keys %$plain;
    return if @numbers > 10;
    return { map { $numbers[$_] => $n >> $_ & 1 } 0 .. $#numbers };
}

sub is_kept {
    my ($fate) = @_;
    return $fate && ($fate == 1 || rand() < 0.5);
}

# Returns the content of a file if these entries reached the disk.
sub content {
    my ($file, $kept) = @_;
    my $content = $file->{base};
    my $size = length $content;
    for my $change (@{$file->{sizes}}) {
        $size = $change->[1] if is_kept($kept->{$change->[0]} // 0);
    }
    $content .= "\0" x ($size - length $content) if $size > length $content;
    my $oldest = rand() < 0.3;
    for my $number (sort { $a <=> $b } keys %{$file->{sectors}}) {
        my $start = $number * $SECTOR;
        next if $start >= $size;
        my $versions = $file->{sectors}{$number};
        my $version;
        if ($file->{mapped}) {
            my $which = $oldest ? -1 : int rand(@$versions + 1) - 1;
            $version = $which >= 0 ? $versions->[$which] : undef;
        }
        else {
            ($version) = grep { is_kept($kept->{$_->[0]}) } reverse @$versions;
        }
        next unless $version;
        my $length = length($content) - $start < $SECTOR ? length($content) - $start : $SECTOR;
        substr $content, $start, $length, substr $version->[1], 0, $length if $length > 0;
    }
    substr $content, $size, length($content) - $size, '' if $size < length $content;
    return $content;
}

# Returns {name => content} after a power cut. The disk keeps the n-th subset of the entries that no sync has covered,
# or a subset that depends only on rand. With a wish, the disk keeps none of these entries ("none"), or only the entries
# from before syncs began to fail ("first").
sub state {
    my ($self, $n, $wish) = @_;
    my ($plain) = $self->pending;
    my $kept = defined $n && subset($plain, $n)
        || ($wish ? { map { $_ => $wish eq 'first' && $_ <= ($self->{failed} // $self->{sequence}) } keys %$plain }
            : choice($plain));
    my %names = %{$self->{sure}};
    for my $move (@{$self->{moves}}) {
        next unless $kept->{$move->[0]};
        for my $name (keys %{$move->[1]}) {
            if ($move->[1]{$name}) { $names{$name} = $move->[1]{$name} }
            else { delete $names{$name} }
        }
    }
    return { map { $_ => content($names{$_}, $kept) } sort keys %names };
}

# Returns the folder at the end of the record, for a comparison with the real folder.
sub present {
    my ($self) = @_;
    my %present;
    for my $name (keys %{$self->{names}}) {
        my $file = $self->{names}{$name};
        my $content = $file->{base};
        my $size = QSOsync::PowerCut::Disk::size_of($file);
        $content .= "\0" x ($size - length $content) if $size > length $content;
        for my $number (keys %{$file->{sectors}}) {
            substr $content, $number * $SECTOR, $SECTOR, $file->{sectors}{$number}[-1][1]
                if $number * $SECTOR < length $content;
        }
        $present{$name} = substr $content, 0, $size;
    }
    return \%present;
}

1;
