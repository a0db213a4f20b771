# Records a logbook in use with t/powercut/recorder.c. The record contains the changes, their outcomes and the views of
# readers as marks, at their places between the writes.
#
# A mark is JSON: {"do":N} comes before a change, {"done":N,"outcome":"saved"|"refused"|"failed"|"unknown"} after it.
# {"shown":{view:text},"times":{view:serverTime},"clock":ms} holds the answers to readers at that moment. With
# "copy":file, the mark holds the answers that a backup of that name must give. {"read":...} and
# {"group":name,"begun"|"saved"|"refused"|"failed":version} belong to several writers at once. A view is a request whose
# answer shows a part of the state: "check", "spots", "history CALLSIGN", "logs KEY", "me KEY".
package QSOsync::PowerCut::Record;
use strict;
use warnings;
use parent qw(QSOsync::PowerCut::Commands QSOsync::PowerCut::Acts);
use Fcntl qw(:flock);
use File::Path qw(make_path remove_tree);
use JSON::PP ();
use Time::HiRes qw(time);
use QSOsync::Front;
use QSOsync::PowerCut::Disk;

my $json = JSON::PP->new->utf8->canonical;

# new($directory, \%shims, $faults) returns a record, which records nothing before `begin`.
sub new {
    my ($class, $directory, $shims, $faults) = @_;
    remove_tree($directory);
    make_path("$directory/data", "$directory/before");
    my $self = bless { directory => $directory, folder => "$directory/data", shims => $shims, faults => $faults,
        db => "$directory/data/logbook.db", log => "$directory/record", number => 0, keys => [], logs => [],
        histories => [], workers => {}, worker => QSOsync::Front::worker_program(),
        admin => "$QSOsync::Front::BUILD/qsosync-admin" }, $class;
    return $self;
}

# Starts recording: the current contents are safe on the disk, and later changes are recorded. mark is the first mark.
# With worker => 1, a worker starts before any reader, so that no reader is the last to close the database.
sub begin {
    my ($self, %option) = @_;
    for my $path (glob "$self->{folder}/*") {
        my ($name) = $path =~ m{([^/]+)\z};
        QSOsync::Front::write_file(sprintf('%s/before/%d.%s', $self->{directory}, (stat $path)[1], $name),
            QSOsync::Front::read_file($path));
    }
    QSOsync::Front::write_file("$self->{directory}/before/" . (stat $self->{folder})[1], '');
    QSOsync::Front::write_file($self->{log}, '');
    $self->{recording} = 1;
    $self->mark(%{$option{mark}}) if $option{mark};
    $self->start_worker if $option{worker};
    $self->show;
}

sub mark {
    my ($self, %mark) = @_;
    return unless $self->{recording};
    open my $log, '>>:raw', $self->{log} or die "$self->{log}: $!";
    flock $log, LOCK_EX;
    syswrite $log,
        QSOsync::PowerCut::Disk::entry('M',
        $json->encode({ %mark, clock => int(1000 * time) + ($self->{ahead_ms} || 0) }));
    close $log;
}

# Returns the workers' settings. Deletions are kept for 100 years, because the view of a log requests all deletions
# since 2000.
sub settings { return (QSOSYNC_RATE_LIMIT => 0, QSOSYNC_TOMBSTONE_DAYS => 36500, QSOsync::Front::sandbox_setting()) }

# Loads the recorder only while it records, and the boot shim only for another boot or another time.
sub environment {
    my ($self) = @_;
    my @shims = $self->{boot_id} || $self->{ahead_ms} ? $self->{shims}{boot} : ();
    push @shims, $self->{shims}{recorder}, $self->{faults}->environment->{LD_PRELOAD} if $self->{recording};
    return {
        PATH => $ENV{PATH}, QSOSYNC_DB => $self->{db}, settings(),
        @shims ? (LD_PRELOAD => "@shims") : (),
        $self->{boot_id} ? (BOOT_ID => $self->{boot_id}) : (),
        $self->{ahead_ms} ? (BOOT_CLOCK_MS => $self->{ahead_ms}) : (),
        $self->{recording} ? (RECORD_FOLDER => $self->{folder}, RECORD_LOG => $self->{log},
            FAULT_PLAN => $self->{faults}->environment->{FAULT_PLAN}) : (),
    };
}

sub another {
    my ($self, $name) = @_;
    my $class = ref $self;
    return $class->new("$self->{directory}/$name", $self->{shims}, $self->{faults});
}

# Begins with the files that a cut has left of another record, on another boot. The expected state is the state that
# readers see without a second cut.
sub begin_after_cut {
    my ($self, $before) = @_;
    $self->{$_} = $before->{$_} for qw(keys logs number);
    my $entries = entries($before->{directory});
    my $disk = disk($before->{directory});
    my $cut = @$entries / 3 + int rand(@$entries * 2 / 3);
    $disk->apply($_) for grep { $_->[0] ne 'M' } @$entries[0 .. $cut];
    my $files = $disk->state;
    my $put = sub {
        unlink glob "$self->{folder}/*";
        QSOsync::Front::write_file("$self->{folder}/$_", $files->{$_}) for keys %$files;
    };
    $self->{boot_id} = sprintf "%08x-0000-4000-9000-%012x\n", $$, rand 2**40;
    $put->();
    $self->show;
    my $shown = $self->{shown};
    $put->();
    $self->begin(mark => { shown => $shown, times => {} });
}

# Ends the record. The disk model's folder must equal the real folder; otherwise the recorder has missed a change.
sub finish {
    my ($self) = @_;
    $self->end_workers;
    $self->{recording} = 0;
    my $disk = disk($self->{directory});
    $disk->apply($_) for grep { $_->[0] ne 'M' } @{entries($self->{directory})};
    my $present = $disk->present;
    my %there = map { (m{([^/]+)\z})[0] => QSOsync::Front::read_file($_) } glob "$self->{folder}/*";
    my @wrong = sort grep { !defined $present->{$_} || !defined $there{$_}
        || $present->{$_} ne $there{$_} && !/-(?:shm|gate|limits)\z/ } keys %{{ %$present, %there }};
    die "the record of $self->{directory} differs from the real files: @wrong" if @wrong;
}

sub entries {
    my ($directory) = @_;
    return QSOsync::PowerCut::Disk::read_record(QSOsync::Front::read_file("$directory/record"));
}

sub disk {
    my ($directory) = @_;
    my (%files, $inode);
    for my $path (glob "$directory/before/*") {
        my ($number, $name) = $path =~ m{/(\d+)(?:\.([^/]+))?\z};
        if (defined $name) { $files{$name} = [$number, QSOsync::Front::read_file($path)] }
        else { $inode = $number }
    }
    return QSOsync::PowerCut::Disk->new($inode, \%files);
}

sub mark_of { my ($entry) = @_; return $json->decode($entry->[4]) }
1;
