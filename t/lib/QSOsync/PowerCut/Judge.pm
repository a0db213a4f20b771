# Examines one state that a power cut could have left, with the real programs on another boot, and reports its faults.
package QSOsync::PowerCut::Judge;
use strict;
use warnings;
use QSOsync::PowerCut::Expected qw(allowed client_id deletions difference epoch is_as_expected
    items max_text synced_at);
use File::Path qw(make_path);
use Time::HiRes qw(time);
use QSOsync::Case;
use QSOsync::Front;
use QSOsync::PowerCut::Commands;
use QSOsync::PowerCut::Programs;
use QSOsync::PowerCut::Record;

my $json = JSON::PP->new->utf8->canonical;

# new($directory, $boot_shim, $programs) returns a judge. The directory becomes the machine that boots, with the
# programs in the folder $programs or in the build.
sub new {
    my ($class, $directory, $shim, $programs) = @_;
    my $admin = $programs ? "$programs/admin" : "$QSOsync::Front::BUILD/qsosync-admin";
    my $worker = $programs ? "$programs/worker" : QSOsync::Front::worker_program();
    make_path("$directory/data");
    my $self = bless { folder => "$directory/data", db => "$directory/data/logbook.db", boots => 0,
        any_epoch => defined $programs }, $class; # the next version may already have raised the epoch
    my $start = sub {
        return QSOsync::PowerCut::Programs->start($shim, $directory, [@_],
            { QSOSYNC_DB => $self->{db}, QSOsync::PowerCut::Record::settings() });
    };
    $self->{programs}{$_} = $start->($admin, $_) for qw(check spots init);
    $self->{programs}{history} = $start->($admin, 'history', '21SD333');
    $self->{programs}{worker} = $start->($worker);
    return $self;
}

sub boot {
    my ($self, $files, $clock) = @_;
    # The request limit's table is large and does not depend on the logbook, so the table is usually left unchanged.
    my $spare = rand() < 0.9;
    unlink grep { !$spare || !/-limits\z/ } glob "$self->{folder}/*";
    QSOsync::Front::write_file("$self->{folder}/$_", $files->{$_}) for grep { !$spare || !/-limits\z/ } keys %$files;
    $self->{boot} = { BOOT_ID => sprintf("%08x-0000-4000-8000-%012x\n", $$, ++$self->{boots}),
        BOOT_CLOCK_MS => $clock - int(1000 * time) };
    $self->{noise} = '';
    $self->{plain} = rand() < 0.2;
}

sub admin {
    my ($self, $command) = @_;
    $self->end_worker if rand() < 0.5; # otherwise the command runs next to the worker
    return $self->{programs}{$command}->run($self->{boot});
}

# Sends the request by plain CGI, or to a worker that runs until end_worker.
sub request {
    my ($self, $method, $path, $key, $body) = @_;
    my $variables = QSOsync::PowerCut::Commands::variables($method, $path, $key, $body);
    my $worker = $self->{programs}{worker};
    if ($self->{plain}) {
        my ($status, $output, $errors) = $worker->run({ %{$self->{boot}}, %$variables }, $body);
        $self->{noise} .= $errors . ($status == 0 ? '' : "the worker ended with $status\n");
        return QSOsync::PowerCut::Commands::parse($output);
    }
    $self->{connection} ||= $worker->serve($self->{boot});
    print {$self->{connection}} QSOsync::FastCgi::request($variables, body => $body, keep => 1);
    return QSOsync::PowerCut::Commands::parts(QSOsync::FastCgi::answer($self->{connection}));
}

sub end_worker {
    my ($self) = @_;
    return if !delete $self->{connection};
    my ($status, $errors) = $self->{programs}{worker}->end;
    $self->{noise} .= $errors . ($status == 0 ? '' : "the worker ended with $status\n");
}

# Returns changes that a returning client would miss: QSOs and deletions that its last snapshot lacked, under an older
# stamp. After the restore of an older logbook, a client starts again because of the new epoch.
sub missed {
    my ($expected, $shown) = @_;
    my @wrong;
    for my $view (grep { /^logs / } keys %$shown) {
        my $items = [@{items($shown->{$view})}, @{deletions($shown->{$view})}];
        for my $read (@{$expected->{reads}{$view} || []}) {
            next if $read->{epoch} ne epoch($shown->{$view});
            my @late = grep { !$read->{items}{$_} && synced_at($_) le $read->{time} } @$items;
            push @wrong, "$view: a client with serverTime $read->{time} never gets $late[0]" if @late;
        }
    }
    return @wrong;
}

# Checks that the next write succeeds, that its stamp is later than every earlier time, and that nothing else changes.
sub next_write {
    my ($self, $expected, $shown, $key) = @_;
    my $qso = qso(notes => 'after the cut');
    my ($status, $body) = $self->request('POST', '/logs/batch', $key, $json->encode({ entries => [$qso] }));
    return "the next write is answered with $status $body" if $status != 200 || $body !~ /"id":"\d+"/;
    my ($after) = QSOsync::PowerCut::Acts::look($self, "logs $key");
    my @before = @{items($shown->{"logs $key"})};
    my @items = @{items($after)};
    my $new = pop @items;
    return 'the next write is not the last in the order of changes' if !$new || $new !~ /"clientId":"$qso->{clientId}"/;
    return 'the next write changed other QSOs' if "@items" ne "@before";
    my $stamp = synced_at($new);
    my @above = grep { defined && $_ ge $stamp } values %{$expected->{newest}}, map { synced_at($_) } @before,
        @{deletions($after)};
    return "the next write has the stamp $stamp, which is not above $above[0]" if @above;
    return rand() < 0.5 ? $self->next_deletion($key, $qso->{clientId}, $after) : ();
}

# Checks a deletion in the same way as next_write checks a write.
sub next_deletion {
    my ($self, $key, $client_id, $before) = @_;
    my ($status) = $self->request('DELETE', "/logs/$client_id", $key);
    return "the next deletion is answered with $status" if $status != 204;
    my ($after) = QSOsync::PowerCut::Acts::look($self, "logs $key");
    my @deletions = @{deletions($after)};
    my $new = pop @deletions;
    return 'the next deletion is not the last reported one' if !$new || client_id($new) ne $client_id;
    return 'the next deletion changed other deletions' if "@deletions" ne "@{deletions($before)}";
    my $newest = max_text(map { synced_at($_) } @{items($before)}[-1], $new);
    return 'the next deletion has no later stamp than the last write' if $newest ne synced_at($new);
    return;
}

# Checks that an acknowledged backup exists and is complete.
sub copy_shows {
    my ($self, $name, $expected) = @_;
    local $self->{db} = "$self->{folder}/$name";
    local $self->{boot} = { %{$self->{boot}}, QSOSYNC_DB => $self->{db} };
    local $self->{plain} = 1;
    my @wrong = grep { (QSOsync::PowerCut::Acts::look($self, $_))[0] ne $expected->{$_} } grep { /^(?:check|logs)/ }
        sort keys %$expected;
    return @wrong ? "the copy $name does not show its state: @wrong" : ();
}

sub begin_again {
    my ($self) = @_;
    my ($status, undef, $errors) = $self->admin('init');
    my $check = (QSOsync::PowerCut::Acts::look($self, 'check'))[0];
    return $status == 0 && $check eq "0\n\n" ? () : "init: $status $errors, then check: $check";
}

# Chooses views, because each view takes time. Spots and working keys are chosen occasionally. The check, histories,
# logs, and keys that can be invalid are always chosen.
sub worthwhile {
    my ($expected) = @_;
    my @candidates = allowed($expected);
    return grep {
        my $view = $_;
        /^(?:check|history|logs)/ || rand() < 0.25 || /^me/ && grep { ($_->{$view} // '') !~ /^200/ } @candidates;
    } sort keys %{$expected->{views}};
}

# judge($expected, $files) returns the faults, as sentences.
sub judge {
    my ($self, $expected, $files) = @_;
    my @later = (0, 5000, 5000, -3_600_000, 600_000);
    $self->boot($files, $expected->{clock} + $later[rand @later]);
    my @views = worthwhile($expected);
    @views = (grep({ $_ ne 'check' } @views), 'check') if rand() < 0.5; # any program can open the database first
    my %shown = map { $_ => (QSOsync::PowerCut::Acts::look($self, $_))[0] } @views;
    my @wrong;
    push @wrong, 'this state never existed', difference($expected, \%shown) if !is_as_expected($expected, \%shown);
    push @wrong, missed($expected, \%shown);
    my ($key) = map { s/^logs //r } grep { /^logs / && $shown{$_} =~ /^200/ } sort keys %shown;
    if ($key) {
        push @wrong, $self->next_write($expected, \%shown, $key);
        my $check = (QSOsync::PowerCut::Acts::look($self, 'check'))[0];
        push @wrong, "check after the next write: $check" if $check ne "0\n\n";
        $self->end_worker;
        push @wrong, "the worker logged: $self->{noise}" if $self->{noise} ne '';
    }
    elsif ($shown{check} =~ /logbook yet/) {
        push @wrong, $self->begin_again;
    }
    $self->end_worker;
    # Every file with the name of a backup must be complete.
    push @wrong, map { $self->copy_shows($_, { check => "0\n\n" }) } grep { /\Aqsosync-[^.]*\.db\z/ && rand() < 0.5 }
        sort keys %$files;
    push @wrong, map { $self->copy_shows($_, $expected->{copies}{$_}) } grep { rand() < 0.5 }
        sort keys %{$expected->{copies}};
    return @wrong;
}

1;
