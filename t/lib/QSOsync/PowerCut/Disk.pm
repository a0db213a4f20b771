# Models the possible contents of a disk after a power cut. The entries of t/powercut/recorder.c are applied one by one.
# At any point, the model returns the folder in one of the states that a cut could leave there.
#
# Everything that a sync has covered is on the disk. Any of the later writes, truncations, creations, renames and
# removals can be missing, whatever their order. Any of a write's sectors can be missing. A failed sync guarantees
# nothing. A later sync does not guarantee the part that the failed sync should have covered. A mapped page can have any
# version that was seen. Names are certain only after their folder was synced.
package QSOsync::PowerCut::Disk;
use strict;
use warnings;
use parent qw(QSOsync::PowerCut::States);

my $SECTOR = $QSOsync::PowerCut::States::SECTOR;
my $BEGINS = pack 'H16', '5ab307d9e2641c8f';
my $HEADER = 'a8 L<L<Q<Q<Q<';
my $HEADER_BYTES = 40;
my $ZEROS = "\0" x $SECTOR;
my $VERSIONS_MAX = 24; # maximum number of versions of a mapped sector, which is never synced

# Returns the entries of a record: [kind, process, inode, offset, bytes]. A process that was killed while it wrote an
# entry leaves a part of the entry. That part does not count, because the change was not yet made, or never reported.
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

# new($folder_inode, {name => [inode, content], ...}) returns a disk on which these files are safe.
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

# Returns the content as the programs see it.
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

# Keeps only the newest version of a sector, unless a sync has failed since it was written.
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

# Makes these names refer to these files, or to no file, in one step.
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

1;
