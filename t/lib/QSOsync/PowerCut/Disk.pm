# The possible contents of a disk after a power cut: the entries of t/powercut/recorder.c are applied one by one. At any
# point the model returns the folder in one of the states that a cut could leave there.
#
# Everything that a sync has covered is on the disk. Later writes, truncations, creations, renames and removals may or
# may not be there, in any order. Any of a write's sectors may be missing. A failed sync guarantees nothing. A later
# sync does not guarantee the part that the failed one should have covered. A mapped page may have any version that was
# seen. Names are certain only after their folder was synced.
package QSOsync::PowerCut::Disk;
use strict;
use warnings;

my $SECTOR = 512;
my $BEGINS = pack 'H16', '5ab307d9e2641c8f';
my $HEADER = 'a8 L<L<Q<Q<Q<';
my $HEADER_BYTES = 40;
my $ZEROS = "\0" x $SECTOR;
my $VERSIONS_MAX = 24; # bytes of a mapped sector, which is never synced

# The entries of a record: [kind, process, inode, offset, bytes]. A process that was killed while it wrote an entry
# leaves a part of it. That part does not count, because its change was not made yet, or never reported.
sub read_record {
    my ($record) = @_;
    my @entries;
    for (my $at = index $record, $BEGINS; $at >= 0;) {
        my $next = index $record, $BEGINS, $at + 1;
        my $bytes = substr $record, $at, $next < 0 ? length $record : $next - $at;
        if (length $bytes >= $HEADER_BYTES) {
            my (undef, $kind, $process, $inode, $offset, $length) = unpack $HEADER, $bytes;
            push @entries, [chr $kind, $process, $inode, $offset, substr $bytes, $HEADER_BYTES, $length]
                if length $bytes >= $HEADER_BYTES + $length;
        }
        $at = $next;
    }
    return \@entries;
}

sub entry {
    my ($kind, $bytes) = @_;
    return pack("$HEADER a*", $BEGINS, ord $kind, $$, 0, 0, length $bytes, $bytes);
}

# new($folder_inode, {name => [inode, content], ...}): all of it is safe on the disk.
sub new {
    my ($class, $inode, $files) = @_;
    my $self = bless { inode => $inode, files => {}, sure => {}, names => {}, moves => [], sequence => 0 }, $class;
    for my $name (keys %$files) {
        my ($number, $content) = @{$files->{$name}};
        $self->{names}{$name} = $self->{sure}{$name} = $self->{files}{$number} = file($content);
    }
    return $self;
}

# sectors: number => [[sequence, content, failed sync], ...], sizes: [[sequence, bytes], ...], both after `base`.
sub file {
    my ($content) = @_;
    return { base => $content, sectors => {}, sizes => [], mapped => 0 };
}

sub size_of {
    my ($file) = @_;
    return @{$file->{sizes}} ? $file->{sizes}[-1][1] : length $file->{base};
}

# The content as the programs see it.
sub sector {
    my ($file, $number) = @_;
    my $versions = $file->{sectors}{$number};
    return $versions->[-1][1] if $versions;
    my $start = $number * $SECTOR;
    my $content = $start < length $file->{base} ? substr $file->{base}, $start, $SECTOR : '';
    return length $content == $SECTOR ? $content : $content . substr $ZEROS, length $content;
}

sub put_sector {
    my ($self, $file, $number, $content) = @_;
    push @{$file->{sectors}{$number}}, [$self->{sequence}, $content, 0];
}

sub write_bytes {
    my ($self, $file, $offset, $bytes) = @_;
    my $end = $offset + length $bytes;
    for (my $at = $offset; $at < $end;) {
        my ($number, $inside) = (int $at / $SECTOR, $at % $SECTOR);
        my $length = $SECTOR - $inside < $end - $at ? $SECTOR - $inside : $end - $at;
        my $content = $length == $SECTOR ? '' : sector($file, $number);
        substr $content, $inside, $length, substr $bytes, $at - $offset, $length;
        $self->put_sector($file, $number, $content);
        $at += $length;
    }
    push @{$file->{sizes}}, [$self->{sequence}, $end] if $end > size_of($file);
}

sub note_page {
    my ($self, $file, $offset, $bytes) = @_;
    my $number = $offset / $SECTOR;
    $bytes .= substr $ZEROS, length $bytes if length $bytes < $SECTOR;
    return if sector($file, $number) eq $bytes;
    $file->{mapped} = 1;
    my $versions = $file->{sectors}{$number} ||= [];
    splice @$versions, 1 + $self->{sequence} % ($VERSIONS_MAX - 2), 1 if @$versions >= $VERSIONS_MAX;
    $self->put_sector($file, $number, $bytes);
}

sub truncate_file {
    my ($self, $file, $length) = @_;
    my $size = size_of($file);
    for (my $number = int $length / $SECTOR; $length < $size && $number * $SECTOR < $size; $number++) {
        my $kept = $number * $SECTOR < $length ? $length % $SECTOR : 0;
        $self->put_sector($file, $number, substr(sector($file, $number), 0, $kept) . substr $ZEROS, $kept);
    }
    push @{$file->{sizes}}, [$self->{sequence}, $length];
}

# The newest version of a sector becomes the only one, unless a sync has failed since it was written.
sub settle_sectors {
    my ($file, @numbers) = @_;
    my $size = size_of($file);
    my $short = $size - length $file->{base};
    $file->{base} .= "\0" x $short if $short > 0;
    substr $file->{base}, $size, -$short, '' if $short < 0;
    $file->{sizes} = [];
    for my $number (@numbers) {
        my $versions = $file->{sectors}{$number} or next;
        my $start = $number * $SECTOR;
        next if $versions->[-1][2] && $start < $size;
        my $length = $size - $start < $SECTOR ? $size - $start : $SECTOR;
        substr $file->{base}, $start, $length, substr $versions->[-1][1], 0, $length if $length > 0;
        delete $file->{sectors}{$number};
    }
}

sub settle_names {
    my ($self) = @_;
    $self->{sure} = { %{$self->{names}} };
    $self->{moves} = [];
}

sub doubt {
    my ($file) = @_;
    for my $versions (values %{$file->{sectors}}) {
        $_->[2] = 1 for @$versions;
    }
}

# Makes names refer to these files, or to none, all in one step.
sub move {
    my ($self, %change) = @_;
    push @{$self->{moves}}, [$self->{sequence}, \%change];
    for my $name (keys %change) {
        if ($change{$name}) { $self->{names}{$name} = $change{$name} }
        else { delete $self->{names}{$name} }
    }
}

sub apply {
    my ($self, $entry) = @_;
    my ($kind, undef, $inode, $offset, $bytes) = @$entry;
    $self->{sequence}++;
    my $file = $kind eq 'C' ? ($self->{files}{$inode} = file('')) : $self->{files}{$inode};
    if ($kind eq 'W') { $self->write_bytes($file, $offset, $bytes) }
    elsif ($kind eq 'P') { $self->note_page($file, $offset, $bytes) }
    elsif ($kind eq 'T') { $self->truncate_file($file, $offset) }
    elsif ($kind eq 'C') { $self->move($bytes => $file) }
    elsif ($kind eq 'U') { $self->move($bytes => undef) }
    elsif ($kind eq 'R' || $kind eq 'L') {
        my ($from, $to) = split /\0/, $bytes;
        $self->move($to => $self->{names}{$from}, $kind eq 'R' ? ($from => undef) : ());
    }
    elsif ($kind eq 'F') {
        doubt($file) if $file;
        $self->{failed} //= $self->{sequence};
    }
    elsif ($kind eq 'Y') {
        my $last = int(($offset + unpack('Q<', $bytes) - 1) / $SECTOR);
        settle_sectors($file, int($offset / $SECTOR) .. $last);
    }
    elsif ($kind eq 'S' && $inode == $self->{inode}) { $self->settle_names }
    elsif ($kind eq 'S') {
        settle_sectors($file, keys %{$file->{sectors}});
        delete $self->{failed};
    }
}

# -- The states -------------------------------------------------------------------------------------

# Entries that no sync has covered, by number; entries of mapped pages separately.
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

# One choice: a function that returns whether an entry reached the disk (0 no, 1 yes, 2 partly).
sub choice {
    my ($plain) = @_;
    my @numbers = sort { $a <=> $b } keys %$plain;
    my $way = int rand 100;
    my %kept;
    if ($way < 6) { }
    elsif ($way < 12) { @kept{@numbers} = (1) x @numbers }
    elsif ($way < 27 && @numbers) { # up to a point, and that entry perhaps in part
        my $point = int rand @numbers;
        @kept{@numbers[0 .. $point]} = (1) x ($point + 1);
        $kept{$numbers[$point]} = 1 + int rand 2;
    }
    elsif ($way < 37 && @numbers) { # all entries but one
        @kept{@numbers} = (1) x @numbers;
        $kept{$numbers[rand @numbers]} = rand() < 0.5 ? 0 : 2;
    }
    elsif ($way < 47 && @numbers) { $kept{$numbers[rand @numbers]} = 1 + int rand 2 }
    elsif ($way < 65) { # some files sooner than others
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

# The n-th of all subsets if they are few; undef if there are too many.
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

# The content of a file if these entries reached the disk.
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

# {name => content} after a power cut. The outcome depends only on rand, or is requested. "none" means no entry that a
# sync has not covered, and "first" only writes from before syncs began to fail.
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

# The folder at the end of the record, to compare with the real one.
sub present {
    my ($self) = @_;
    my %present;
    for my $name (keys %{$self->{names}}) {
        my $file = $self->{names}{$name};
        my $content = $file->{base};
        my $size = size_of($file);
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
