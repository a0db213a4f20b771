# Performs the acts in a QSOsync::PowerCut::Record: requests and commands, simultaneous writers, and readers. Each act
# is recorded with its outcome.
package QSOsync::PowerCut::Acts;
use strict;
use warnings;
use Fcntl qw(:flock);
use File::Copy qw(copy);
use File::Path qw(make_path);
use JSON::PP ();
use Time::HiRes qw(time);
use QSOsync::Variant;

my $json = JSON::PP->new->utf8->canonical;

# Records a change, its outcome, and the answers to readers after the change. The code returns the outcome. The mark
# states the intended change in case the outcome stays unknown: the number of QSOs, or the deleted clientId.
sub change {
    my ($self, $code, %what) = @_;
    my $number = ++$self->{number};
    $self->mark(do => $number, %what);
    my $outcome = $code->();
    $self->mark(done => $number, outcome => $outcome);
    $self->show unless $self->{blind};
    return $outcome;
}

sub outcome_of {
    my ($status) = @_;
    return $status == 0 ? 'unknown' : $status < 300 ? 'saved' : $status < 500 ? 'refused' : 'failed';
}

sub post {
    my ($self, $key, @entries) = @_;
    my $number = $self->{number} + 1;
    $_->{radio} = "change $number of " . @entries for @entries;
    my %saved = map { $_->{clientId} => 1 } grep { $_->{band} ne 'none' } @entries; # an id can occur more than once
    $self->change(sub {
        outcome_of(($self->request('POST', '/logs/batch', $key, $json->encode({ entries => \@entries })))[0]);
    },
        entries => scalar keys %saved);
}

sub delete_qso {
    my ($self, $key, $qso) = @_;
    $self->change(sub { outcome_of(($self->request('DELETE', "/logs/$qso->{clientId}", $key))[0]) },
        deletes => $qso->{clientId});
}

# Runs the operator's command as a change, and returns the command's standard output.
sub command {
    my ($self, @arguments) = @_;
    my $output;
    my %what = ref $arguments[-1] ? %{pop @arguments} : ();
    $self->change(sub {
        (my $status, $output) = $self->admin(@arguments);
        $self->note_key($output =~ s/\n//r, $arguments[-1]) if $status == 0 && "@arguments" =~ /\Akey add/;
        return $status < 0 ? 'unknown' : $status == 0 ? 'saved' : 'refused';
    }, %what);
    return $output;
}

# Makes a backup, which must show the current state.
sub back_up {
    my ($self, $name) = @_;
    $self->command('backup', "$self->{folder}/$name");
    $self->mark(copy => $name, shown => $self->{shown});
}

# Makes a backup in a folder, under a name that the command chooses.
sub back_up_to_folder {
    my ($self) = @_;
    my %before = map { $_ => 1 } glob "$self->{folder}/qsosync-*.db";
    sleep 1 if %before; # the name contains the time in seconds
    $self->command('backup', '--to', $self->{folder});
    my ($made) = grep { !$before{$_} } glob "$self->{folder}/qsosync-*.db";
    $self->mark(copy => $made =~ s{.*/}{}r, shown => $self->{shown});
}

# Restores a backup. The previous logbook is kept if it was readable.
sub restore {
    my ($self, $name, %what) = @_;
    my $previous = $self->{shown};
    my $output = $self->command('restore', "$self->{folder}/$name", \%what);
    my ($kept) = $output =~ m{kept as \S*/(\S+)$}m;
    $self->mark(copy => $kept, shown => $previous) if $kept && !$what{moves};
}

# Lets another program change the files. The program is Perl code whose argument is the database's path.
sub meddle {
    my ($self, $code) = @_;
    $self->change(sub {
        ($self->run({}, '', $^X, '-MIO::Handle', '-e', $code, $self->{db}))[0] == 0 ? 'saved' : die 'not done';
    });
}

# Switches to the next version of the programs. All states of the record are judged with this version.
sub bring_forward {
    my ($self) = @_;
    my $newer = QSOsync::Newer->new;
    make_path("$self->{directory}/programs");
    for my $name (qw(admin worker)) {
        my ($from, $to) = ($newer->$name, "$self->{directory}/programs/$name");
        copy($from, $to) && chmod(0755, $to) or die "$to: $!";
        $self->{$name} = $to;
    }
}

sub note_key {
    my ($self, $key, $scope) = @_;
    push @{$self->{keys}}, $key;
    push @{$self->{logs}}, $key if $scope eq 'WRITE'; # one per member
}

# Sends a newer version of the group's QSOs in one batch. Records the outcome of the whole group, not of each QSO.
sub send_group {
    my ($self, $group, $version, $key, @qsos) = @_;
    $_->{notes} = "group $group version $version" for @qsos;
    $self->mark(group => $group, begun => $version);
    my $outcome = outcome_of(($self->request('POST', '/logs/batch', $key, $json->encode({ entries => \@qsos })))[0]);
    $self->mark(group => $group, $outcome => $version) if $outcome ne 'unknown';
}

sub read_once {
    my ($self, $key) = @_;
    my ($shown, $time) = look($self, "logs $key");
    $self->mark(read => { "logs $key" => $shown }, times => { "logs $key" => $time }) if defined $time;
}

# Kills one worker at any point, and starts another in its place.
sub replace_worker {
    my ($self) = @_;
    my $workers = $self->{workers}{worker};
    my $pid = splice @$workers, int rand @$workers, 1;
    kill 'KILL', $pid;
    waitpid $pid, 0;
    $self->start_worker;
}

# This view is the whole log, with every deletion from the log.
my $LOG = '/logs?limit=500&updatedSince=2000-01-01T00:00:00Z&includeDeleted=true';

# Returns the answer of a view, and its serverTime.
sub look {
    my ($ask, $view) = @_;
    my ($kind, $key) = split / /, $view; # for the history, a member's callsign
    # Stamps can be ahead of a clock that lost its time.
    return join("\n", $ask->admin($kind, $key // ())) =~ s/\Q$ask->{db}\E/DB/gr =~ s/^.* is ahead of the clock;.*\n//mr
        if $kind =~ /\A(?:check|spots|history)\z/;
    my ($status, $body, $epoch) = $ask->request('GET', $kind eq 'logs' ? $LOG : '/me', $key);
    my $time = $body =~ s/"serverTime":"([^"]*)"// ? $1 : undef;
    $epoch = '' if $ask->{any_epoch};
    return ("$status $epoch $body", $time);
}

sub views {
    my ($self) = @_;
    return ('check', 'spots', map({ "history $_" } @{$self->{histories}}), map({ "logs $_" } @{$self->{logs}}),
        map { "me $_" } @{$self->{keys}});
}

sub show {
    my ($self) = @_;
    my (%shown, %times);
    for my $view ($self->views) {
        ($shown{$view}, my $time) = look($self, $view);
        $times{$view} = $time if defined $time;
    }
    $self->{shown} = \%shown;
    $self->mark(shown => \%shown, times => \%times);
}

1;
