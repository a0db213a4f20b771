# Examines one state that a power cut could have left, with the real programs on another boot, and reports its faults.
package QSOsync::PowerCut::Judge;
use strict;
use warnings;
use File::Path qw(make_path);
use List::Util qw(max);
use Time::HiRes qw(time);
use QSOsync::Case;
use QSOsync::Front;
use QSOsync::PowerCut::Record;

my $json = JSON::PP->new->utf8->canonical;

# new($directory, $boot_shim, $programs): the directory becomes the machine that boots, with the programs of that
# folder or of the build.
sub new {
    my ($class, $directory, $shim, $programs) = @_;
    my $admin = $programs ? "$programs/admin" : "$QSOsync::Front::BUILD/qsosync-admin";
    my $worker = $programs ? "$programs/worker" : QSOsync::Front::worker_program();
    make_path("$directory/data");
    my $self = bless { folder => "$directory/data", db => "$directory/data/logbook.db", boots => 0,
        any_epoch => defined $programs }, $class; # the next version may have raised it already
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
    # The table of the request limit is large and does not depend on the logbook, so it is usually left unchanged.
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
    $self->end_worker if rand() < 0.5; # or next to the database
    return $self->{programs}{$command}->run($self->{boot});
}

# Sends the request by plain CGI, or to a worker that keeps running until another program needs the database.
sub request {
    my ($self, $method, $path, $key, $body) = @_;
    my $variables = QSOsync::PowerCut::Record::variables($method, $path, $key, $body);
    my $worker = $self->{programs}{worker};
    if ($self->{plain}) {
        my ($status, $output, $errors) = $worker->run({ %{$self->{boot}}, %$variables }, $body);
        $self->{noise} .= $errors . ($status == 0 ? '' : "the worker ended with $status\n");
        return QSOsync::PowerCut::Record::parse($output);
    }
    $self->{connection} ||= $worker->serve($self->{boot});
    print {$self->{connection}} QSOsync::FastCgi::request($variables, body => $body, keep => 1);
    return QSOsync::PowerCut::Record::parts(QSOsync::FastCgi::answer($self->{connection}));
}

sub end_worker {
    my ($self) = @_;
    return if !delete $self->{connection};
    my ($status, $errors) = $self->{programs}{worker}->end;
    $self->{noise} .= $errors . ($status == 0 ? '' : "the worker ended with $status\n");
}

# -- the expected state -----------------------------------------------------------------------------

# expectation(): receives every mark up to the cut.
sub expectation {
    return { allowed => [], open => {}, reads => {}, newest => {}, views => {}, copies => {}, groups => {} }
}

sub items { return [$_[0] =~ /\{"clientId":"[^}]*\}/g] }
sub deletions { return [$_[0] =~ /\{"id":"[^}]*"deletedAt":[^}]*\}/g] }
sub client_id { return ($_[0] =~ /"clientId":"([^"]*)"/)[0] }
sub epoch { return ($_[0] =~ /\A\d+ (\d*) /)[0] }
sub synced_at { return ($_[0] =~ /"(?:syncedAt|deletedAt)":"([^"]*)"/)[0] }

# The marks of a record, in order; each change holds the answers that readers received after it.
sub marks {
    my ($entries) = @_;
    my @marks = map { QSOsync::PowerCut::Record::mark_of($_) } grep { $_->[0] eq 'M' } @$entries;
    for my $i (0 .. $#marks) {
        next unless $marks[$i]{do};
        my ($done) = grep { $_->{done} && $_->{done} == $marks[$i]{do} } @marks[$i .. $#marks];
        $marks[$i]{outcome} = $done ? $done->{outcome} : 'unknown';
        my $seen;
        for my $mark (@marks[$i .. $#marks]) {
            $seen ||= $done && $mark == $done;
            next unless $seen && $mark->{shown} && !$mark->{copy};
            $marks[$i]{after} = $mark->{shown};
            last;
        }
        $done->{after} = $marks[$i]{after} if $done;
    }
    return @marks;
}

sub note_mark {
    my ($expected, $mark) = @_;
    $expected->{clock} = $mark->{clock};
    if ($mark->{do}) {
        $expected->{open}{$mark->{do}} = $mark;
    }
    # A change that failed in its commit may exist until the next change: "missed" ensures that no reader received a
    # later time without it. The same holds for a change that was never answered.
    elsif ($mark->{done} && $mark->{outcome} eq 'saved') {
        $expected->{open} = {};
        $expected->{allowed} = [$mark->{after}];
    }
    elsif ($mark->{done} && $mark->{outcome} eq 'refused') {
        delete $expected->{open}{$mark->{done}};
    }
    elsif (defined $mark->{group}) {
        my $group = $expected->{groups}{$mark->{group}} ||= { begun => 0, saved => 0, refused => {} };
        $group->{$_} = $mark->{$_} for grep { $mark->{$_} } qw(begun saved);
        $group->{refused}{$mark->{refused}} = 1 if $mark->{refused};
    }
    elsif ($mark->{copy}) {
        $expected->{copies}{$mark->{copy}} = $mark->{shown};
    }
    elsif ($mark->{shown}) {
        push @{$expected->{allowed}}, $mark->{shown} if !@{$expected->{allowed}} || %{$expected->{open}};
        $expected->{views}{$_} = 1 for keys %{$mark->{shown}};
    }
    note_reads($expected, $mark->{shown} || $mark->{read}, $mark->{times}) if $mark->{times};
}

sub note_reads {
    my ($expected, $shown, $times) = @_;
    for my $view (keys %$times) {
        $expected->{newest}{$view} = max_text($expected->{newest}{$view}, $times->{$view});
        note_read($expected->{reads}{$view} ||= [], $shown->{$view}, $times->{$view});
    }
}

# If several readers have the same view, the last one demands the most.
sub note_read {
    my ($reads, $shown, $time) = @_;
    if (@$reads && $reads->[-1]{shown} eq $shown) {
        $reads->[-1]{time} = max_text($reads->[-1]{time}, $time);
        return;
    }
    push @$reads,
        { shown => $shown, time => $time, epoch => epoch($shown),
        items => { map { $_ => 1 } @{items($shown)}, @{deletions($shown)} } };
}

sub max_text {
    my ($one, $other) = @_;
    return !defined $one || $other gt $one ? $other : $one;
}

# Every state that may be shown: the last acknowledged one, and the state after a change in flight.
sub allowed {
    my ($expected) = @_;
    return (@{$expected->{allowed}},
        map { $_->{after} } grep { $_->{after} && $_->{outcome} eq 'saved' } values %{$expected->{open}});
}

sub expected_view {
    my ($shown, $view) = @_;
    # A key that did not exist yet.
    return defined $shown->{$view} ? $shown->{$view} : '401  {"error":{"code":"API_KEYS.INVALID"}}';
}

# Whether the state has none of the unfinished changes, or exactly one as a whole, judged only by the QSOs.
sub is_unfinished_change {
    my ($expected, $shown, $base) = @_;
    my %changes = map { $_ => 0 } grep { $expected->{open}{$_}{outcome} ne 'saved' } keys %{$expected->{open}};
    my $timeless = sub { $_[0] =~ s/"(?:syncedAt|crossConfirmedAt)":(?:"[^"]*"|null)//gr };
    for my $view (grep { /^logs / } keys %$shown) {
        my %before = map { $timeless->($_) => 1 } @{items(expected_view($base, $view))};
        my %gone = map { client_id($_) => 1 } @{items(expected_view($base, $view))};
        for my $item (@{items($shown->{$view})}) {
            delete $gone{client_id($item)};
            next if $before{$timeless->($item)};
            my ($number) = $item =~ /"radio":"change (\d+) of/ or return 0;
            return 0 if !exists $changes{$number};
            $changes{$number}++;
        }
        for my $gone (keys %gone) {
            return 0 if !grep { ($expected->{open}{$_}{deletes} // '') eq $gone } keys %changes;
        }
        my %there = map { client_id($_) => 1 } @{items($shown->{$view})};
        my @told = grep { !$there{$_} } keys %gone, map { client_id($_) } @{deletions(expected_view($base, $view))};
        return 0 if "@{[sort @told]}" ne "@{[sort map { client_id($_) } @{deletions($shown->{$view})}]}";
    }
    for my $view (grep { /^(?:me|check)/ } keys %$shown) {
        return 0 if $shown->{$view} ne expected_view($base, $view);
    }
    for my $number (grep { $changes{$_} } keys %changes) {
        my $whole = $expected->{open}{$number}{entries};
        return 0 if $changes{$number} % $whole; # members with two keys appear in two views
    }
    return 1;
}

# Whether each group is whole, in the last acknowledged version or in a version begun since.
sub groups_are_whole {
    my ($expected, $shown) = @_;
    my (%versions, %items);
    for my $view (grep { /^logs/ } keys %$shown) {
        for (@{items($shown->{$view})}) {
            my ($group, $version) = /"notes":"group (\S+) version (\d+)"/ or next;
            $versions{$group}{$version}++;
        }
    }
    for my $name (keys %{$expected->{groups}}) {
        my $group = $expected->{groups}{$name};
        my @found = %{$versions{$name} || {}};
        next if !@found && !$group->{saved};
        my ($version, $count) = @found;
        return 0 if @found != 2 || $count != 3 || $version < $group->{saved} || $version > $group->{begun}
            || $group->{refused}{$version};
    }
    return !grep { !$expected->{groups}{$_} } keys %versions;
}

sub is_as_expected {
    my ($expected, $shown) = @_;
    if (%{$expected->{groups}}) {
        return 0 if grep { /^me/ && $shown->{$_} !~ /^200/ } keys %$shown;
        return $shown->{check} eq "0\n\n" && groups_are_whole($expected, $shown);
    }
    for my $candidate (allowed($expected)) {
        return 1 if !grep { $shown->{$_} ne expected_view($candidate, $_) } keys %$shown;
    }
    # An unreadable file may already be moved away before another file replaces it.
    return 1 if $shown->{check} =~ /logbook yet/ && grep { $_->{moves} } values %{$expected->{open}};
    return grep({ is_unfinished_change($expected, $shown, $_) } @{$expected->{allowed}}) > 0;
}

sub difference {
    my ($expected, $shown) = @_;
    my @lines;
    for my $candidate (allowed($expected)) {
        for my $view (grep { $shown->{$_} ne expected_view($candidate, $_) } sort keys %$shown) {
            my %old = map { $_ => 1 } @{items(expected_view($candidate, $view))};
            my %new = map { $_ => 1 } @{items($shown->{$view})};
            my @lost = grep { !$new{$_} } sort keys %old;
            my @more = grep { !$old{$_} } sort keys %new;
            push @lines, "$view: " . (@lost + @more ? "lost @lost[0 .. min1($#lost)]; more @more[0 .. min1($#more)]"
                : "is $shown->{$view}, not " . expected_view($candidate, $view));
        }
        push @lines, '- or -';
    }
    return @lines;
}
sub min1 { return $_[0] < 1 ? $_[0] : 1 }

# -- the verdict ------------------------------------------------------------------------------------

# Changes that a returning client would miss: QSOs and deletions that its last snapshot lacked, under an older stamp.
# After the restore of an older logbook, the epoch tells the client to start again.
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

# The next write succeeds, its stamp is later than every time given out before, and nothing else changes.
sub next_write {
    my ($self, $expected, $shown, $key) = @_;
    my $qso = qso(notes => 'after the cut');
    my ($status, $body) = $self->request('POST', '/logs/batch', $key, $json->encode({ entries => [$qso] }));
    return "the next write is answered with $status $body" if $status != 200 || $body !~ /"id":"\d+"/;
    my ($after) = QSOsync::PowerCut::Record::look($self, "logs $key");
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

# Deletions behave in the same way.
sub next_deletion {
    my ($self, $key, $client_id, $before) = @_;
    my ($status) = $self->request('DELETE', "/logs/$client_id", $key);
    return "the next deletion is answered with $status" if $status != 204;
    my ($after) = QSOsync::PowerCut::Record::look($self, "logs $key");
    my @deletions = @{deletions($after)};
    my $new = pop @deletions;
    return 'the next deletion is not the last reported one' if !$new || client_id($new) ne $client_id;
    return 'the next deletion changed other deletions' if "@deletions" ne "@{deletions($before)}";
    my $newest = max_text(map { synced_at($_) } @{items($before)}[-1], $new);
    return 'the next deletion has no later stamp than the last write' if $newest ne synced_at($new);
    return;
}

# An acknowledged backup exists, and is whole.
sub copy_shows {
    my ($self, $name, $expected) = @_;
    local $self->{db} = "$self->{folder}/$name";
    local $self->{boot} = { %{$self->{boot}}, QSOSYNC_DB => $self->{db} };
    local $self->{plain} = 1;
    my @wrong = grep { (QSOsync::PowerCut::Record::look($self, $_))[0] ne $expected->{$_} } grep { /^(?:check|logs)/ }
        sort keys %$expected;
    return @wrong ? "the copy $name does not show its state: @wrong" : ();
}

sub begin_again {
    my ($self) = @_;
    my ($status, undef, $errors) = $self->admin('init');
    my $check = (QSOsync::PowerCut::Record::look($self, 'check'))[0];
    return $status == 0 && $check eq "0\n\n" ? () : "init: $status $errors, then check: $check";
}

# Every view takes time: spots and working keys are checked now and then, each log once, and invalid keys always.
sub worthwhile {
    my ($expected) = @_;
    my @candidates = allowed($expected);
    return grep {
        my $view = $_;
        /^(?:check|history|logs)/ || rand() < 0.25 || /^me/ && grep { ($_->{$view} // '') !~ /^200/ } @candidates;
    } sort keys %{$expected->{views}};
}

# judge($expected, $files): the faults, as sentences.
sub judge {
    my ($self, $expected, $files) = @_;
    my @later = (0, 5000, 5000, -3_600_000, 600_000);
    $self->boot($files, $expected->{clock} + $later[rand @later]);
    my @views = worthwhile($expected);
    @views = (grep({ $_ ne 'check' } @views), 'check') if rand() < 0.5; # either opens it first
    my %shown = map { $_ => (QSOsync::PowerCut::Record::look($self, $_))[0] } @views;
    my @wrong;
    push @wrong, 'this state never existed', difference($expected, \%shown) if !is_as_expected($expected, \%shown);
    push @wrong, missed($expected, \%shown);
    my ($key) = map { s/^logs //r } grep { /^logs / && $shown{$_} =~ /^200/ } sort keys %shown;
    if ($key) {
        push @wrong, $self->next_write($expected, \%shown, $key);
        my $check = (QSOsync::PowerCut::Record::look($self, 'check'))[0];
        push @wrong, "check after the next write: $check" if $check ne "0\n\n";
        $self->end_worker;
        push @wrong, "the worker logged: $self->{noise}" if $self->{noise} ne '';
    }
    elsif ($shown{check} =~ /logbook yet/) {
        push @wrong, $self->begin_again;
    }
    $self->end_worker;
    # No incomplete file has the name of a backup.
    push @wrong, map { $self->copy_shows($_, { check => "0\n\n" }) } grep { /\Aqsosync-[^.]*\.db\z/ && rand() < 0.5 }
        sort keys %$files;
    push @wrong, map { $self->copy_shows($_, $expected->{copies}{$_}) } grep { rand() < 0.5 }
        sort keys %{$expected->{copies}};
    return @wrong;
}

# Runs the real programs on another boot of the machine, hundreds of times per second. t/powercut/boot.c keeps each
# program loaded and starts its main once per request.
package QSOsync::PowerCut::Programs;
use IO::Socket::UNIX;
use POSIX ();

# start($shim, $directory, \@command, \%environment): input and output are files in that directory.
sub start {
    my ($class, $shim, $directory, $command, $environment) = @_;
    pipe my $requests_out, my $requests or die "pipe: $!";
    pipe my $answers, my $answers_in or die "pipe: $!";
    my $path = "$directory/@{[scalar @$command]}$$-" . int(rand 1e9) . '.sock';
    my $listening = IO::Socket::UNIX->new(Local => $path, Listen => 8) or die "$path: $!";
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        my @files = map { POSIX::dup2(fileno $_, 40 + fileno $_) } $requests_out, $answers_in, $listening;
        POSIX::dup2($files[$_], 3 + $_) for 0 .. 2;
        POSIX::close($_) for 6 .. 100;
        %ENV = (PATH => $ENV{PATH}, LD_PRELOAD => $shim, BOOT_SERVE => 1, %$environment);
        no warnings 'exec';
        exec { $command->[0] } @$command;
        POSIX::_exit(127);
    }
    $requests->autoflush(1);
    return bless { pid => $pid, requests => $requests, answers => $answers, socket => $path, owner => $$,
        files => [map { "$directory/$pid.$_" } qw(in out err)] }, $class;
}

sub begin {
    my ($self, $environment, @files) = @_;
    my $request = join '', map { "$_\0" } @files, map { "$_=$environment->{$_}" } keys %$environment;
    print {$self->{requests}} pack('L', length $request), $request or die "the program has ended: $!";
    return $self->{running} = $self->answer;
}

sub answer {
    my ($self) = @_;
    read($self->{answers}, my $answer, 4) == 4 or die 'no answer from a program';
    return unpack 'l', $answer;
}

sub finish {
    my ($self) = @_;
    my $status = $self->answer;
    delete $self->{running};
    return $status & 127 ? -($status & 127) : $status >> 8;
}

# One run: returns its exit status (negative: a signal), standard output and standard error.
sub run {
    my ($self, $environment, $input) = @_;
    my ($in, $out, $err) = @{$self->{files}};
    QSOsync::Front::write_file($in, defined $input ? $input : '');
    $self->begin($environment, $in, $out, $err);
    my $status = $self->finish;
    return ($status, map { QSOsync::Front::read_file($_) } $out, $err);
}

# Starts a worker on its socket; returns the connection to it.
sub serve {
    my ($self, $environment) = @_;
    my (undef, $out, $err) = @{$self->{files}};
    $self->begin($environment, '', $out, $err);
    return IO::Socket::UNIX->new(Peer => $self->{socket}) || die "$self->{socket}: $!";
}

# Ends the worker; returns its exit status and standard error.
sub end {
    my ($self) = @_;
    kill 'TERM', $self->{running};
    return ($self->finish, QSOsync::Front::read_file($self->{files}[2]));
}

sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$;
    local ($?, $!);
    $self->end if $self->{running};
    close $self->{requests};
    waitpid $self->{pid}, 0;
    unlink @{$self->{files}}, $self->{socket};
}

1;
