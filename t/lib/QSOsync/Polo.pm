# Simulates a phone with Ham2K PoLo, reduced to the sync: the requests that PoLo sends, the answers that PoLo accepts,
# and the cursors. The phone is as strict as PoLo. A 2xx status means that the service has received all records in the
# request. A record that is not newer than the phone's own record is skipped, and a skipped record moves no cursor.
package QSOsync::Polo;
use strict;
use warnings;
use JSON::PP ();
use Time::HiRes ();
use QSOsync::Case ();

my $json = JSON::PP->new->utf8->canonical;

# new($service, $address, %option): ahead is the number of ms by which the phone's clock is ahead, and name is the
# phone's own name.
sub new {
    my ($class, $service, $address, %option) = @_;
    my ($path) = $address =~ m{\Ahttp://[^/]+(/lofi/\w+)\z} or die "no address for PoLo: $address";
    return bless { service => $service, path => $path, ahead => $option{ahead} || 0, name => $option{name} || 'phone',
        qsos => {}, operations => {}, sync => {}, last => 0, wants => 100 }, $class;
}

sub now {
    my ($self) = @_;
    my $now = int(Time::HiRes::time() * 1000) + $self->{ahead};
    return $self->{last} = $now > $self->{last} ? $now : $self->{last} + 1;
}

sub put {
    my ($self, $kind, $record) = @_;
    my $uuid = $record->{uuid} ||= QSOsync::Case::uuid();
    $record->{updatedAtMillis} = $self->now;
    $self->{$kind}{$uuid} = { record => $json->encode($record), synced => 0 };
    return $uuid;
}

sub add_operation {
    my ($self, %record) = @_;
    return $self->put(operations => { title => 'Evening', refs => [], stationCall => '21SD333', %record });
}

sub add_qso {
    my ($self, %record) = @_;
    return $self->put(qsos => { startAtMillis => 1779046920000 + int rand 1e9, freq => 27555, band => '11m',
        mode => 'USB', our => { call => '21SD333', sent => '59' }, their => { call => '26AT101', sent => '57' },
        %record });
}

# A text that was decoded before is not decoded again, because decoding takes a millisecond.
my %known;
sub read_record { return $known{$_[0]} ||= $json->decode($_[0]) }
sub record { return { %{read_record($_[0]{$_[1]}{$_[2]}{record})} } }

sub edit {
    my ($self, $kind, $uuid, %change) = @_;
    return $self->put($kind => { %{$self->record($kind, $uuid)}, %change });
}

sub remove { return $_[0]->edit($_[1], $_[2], deleted => JSON::PP::true()) }

# Resets the sync, as the phone's settings do, so that everything is sent and requested again.
sub reset_sync {
    my ($self) = @_;
    $_->{synced} = 0 for values %{$self->{qsos}}, values %{$self->{operations}};
    $self->{sync} = {};
}

sub ask {
    my ($self, $method, $path, $body, %option) = @_;
    return $self->{service}->request($method, '', raw_path => "$self->{path}/$path",
        $body ? (body => $body, headers => { 'Content-Type' => 'application/json', $option{token}
            ? (Authorization => "Bearer $option{token}") : () }) : ());
}

sub sign_in {
    my ($self) = @_;
    my $answer = $self->ask('POST', 'v1/client', $json->encode({ client => { key => $self->{name}, name => 'My phone',
        secret => 'no-secret' }, account => { call => '21SD333' }, meta => {} }));
    $self->{token} = $answer->json->{token} if $answer->status == 200;
    return $answer;
}

sub pending {
    my ($self, $kind) = @_;
    return grep { !$self->{$kind}{$_}{synced} } sort keys %{$self->{$kind}};
}

sub question {
    my ($self) = @_;
    my (%meta, %body);
    for my $kind (qw(qsos operations)) {
        my @pending = $self->pending($kind);
        my %at = map { $_ => $self->record($kind => $_)->{startAtMillis} || 0 } @pending;
        @pending = sort { $at{$b} <=> $at{$a} } @pending;
        my $count = @pending;
        splice @pending, $self->{wants} if @pending > $self->{wants};
        $meta{$kind eq 'qsos' ? 'unsyncedQSOCount' : 'unsyncedOperationCount'} = $count;
        $body{$kind} = \@pending if @pending;
        my $sync = $self->{sync};
        $meta{sync}{$kind} = { limit => $self->{wants}, $sync->{complete}
            ? (syncedSinceMillis => $sync->{latest}{$kind} || 0, anyClient => JSON::PP::false())
            : (syncedUntilMillis => $sync->{earliest}{$kind} || $self->now, anyClient => JSON::PP::true()) };
    }
    my $records = join ',', map { my $kind = $_;
        $body{$kind} ? "\"$kind\":[" . join(',', map { $self->{$kind}{$_}{record} } @{$body{$kind}}) . ']' : ()
    } qw(qsos operations);
    return (\%body, '{' . ($records ? "$records," : '') . '"meta":' . $json->encode(\%meta) . '}');
}

# Plays one round of the phone's loop, and returns the answer. lose => 'request' or 'answer' loses that part. With twice
# => 1, the request arrives twice, and the second answer counts.
sub round {
    my ($self, %fault) = @_;
    $self->sign_in if !$self->{token};
    my $goes_back = !$self->{sync}{complete};
    my ($sent, $body) = $self->question;
    return if ($fault{lose} || '') eq 'request';
    push @{$self->{old}}, $body;
    my $answer = $self->ask('POST', 'v1/sync', $body, token => $self->{token});
    $answer = $self->ask('POST', 'v1/sync', $body, token => $self->{token}) if $fault{twice};
    return if ($fault{lose} || '') eq 'answer';
    delete $self->{token} if $answer->status == 401;
    return $answer if $answer->status !~ /\A2/;
    for my $kind (qw(qsos operations)) {
        $self->{$kind}{$_}{synced} = 1 for @{$sent->{$kind} || []};
    }
    $self->take($answer->json, $goes_back);
    return $answer;
}

sub take {
    my ($self, $answer, $goes_back) = @_;
    return $self->reset_sync if $answer->{meta}{resetSyncedStatus};
    for my $kind (qw(qsos operations)) {
        my $records = $answer->{$kind} or next;
        next if !@$records;
        my ($earliest, $latest) = ($self->now, 0);
        for my $record (@$records) {
            my $own = $self->{$kind}{$record->{uuid}};
            next if $own && read_record($own->{record})->{updatedAtMillis} >= $record->{updatedAtMillis};
            my $stamp = $record->{syncedAtMillis};
            $earliest = $stamp if $stamp < $earliest;
            $latest = $stamp if $stamp > $latest;
            $record->{updatedAtMillis} = $self->now if $kind eq 'qsos';
            $self->{$kind}{$record->{uuid}} = { record => $json->encode($record), synced => 1 };
        }
        my $sync = $self->{sync};
        $sync->{earliest}{$kind} = $earliest
            if !defined $sync->{earliest}{$kind} || $earliest < $sync->{earliest}{$kind};
        $sync->{latest}{$kind} = $latest if $latest > ($sync->{latest}{$kind} || 0);
    }
    my $left = 0;
    $left += $answer->{meta}{$_}{recordsLeft} for qw(qsos operations);
    $self->{left} = $left;
    $self->{sync}{complete} = 1 if $goes_back && $left == 0;
}

# Sends an old request late, and ignores the answer.
sub arrive_late {
    my ($self) = @_;
    my $old = $self->{old} || [];
    $self->ask('POST', 'v1/sync', $old->[rand @$old], token => $self->{token}) if @$old && $self->{token};
}

# Syncs without faults until nothing remains to send or receive. Returns whether this state is reached.
sub rest {
    my ($self) = @_;
    for (1 .. 200) {
        my $was = $self->{sync}{complete};
        my $answer = $self->round;
        next if !$answer || $answer->status != 200;
        my $json = $answer->json;
        return 1 if $was && !$self->{left} && !$json->{meta}{resetSyncedStatus} && !@{$json->{qsos}}
            && !@{$json->{operations}} && !$self->pending('qsos') && !$self->pending('operations');
    }
    return 0;
}

# Returns the QSOs that the phone shows, by uuid, with the API's names for the fields that PoLo has.
sub shown {
    my ($self) = @_;
    my %shown;
    for my $uuid (keys %{$self->{qsos}}) {
        my $record = $self->record(qsos => $uuid);
        next if $record->{deleted} || $record->{event};
        $shown{$uuid} = join '|', map { $_ // '' } $record->{startAtMillis}, $record->{freq}, $record->{mode},
            $record->{our}{call}, @{$record->{their}}{qw(call sent grid)}, $record->{our}{sent}, $record->{notes};
    }
    return \%shown;
}

# Controls a phone that runs PoLo's own sync source (t/polo), with the interface of QSOsync::Polo.
package QSOsync::PoloSource;
use parent -norequire, 'QSOsync::Polo';
use Encode ();
use File::Temp ();
use IPC::Open2 ();

our $COMMIT = 'c10fffb08eebd4d48c2fe6665119d2070668a8e2';
my $folder;

# Returns the folder with PoLo's source at that commit, from the Git repository that QSOSYNC_TEST_POLO names, or undef.
sub folder {
    my $repository = $ENV{QSOSYNC_TEST_POLO} or return;
    $folder ||= File::Temp->newdir;
    for my $file (map { "src/$_" } qw(GLOBAL.js store/sync/sync.js store/qsos/actions/qsosDB.js
        store/operations/actions/operationsDB.js extensions/data/ham2k-lofi-sync/Ham2KLoFiSyncExtension.js)) {
        system("f='$folder/$file'; mkdir -p \${f%/*} && git -C '$repository' show $COMMIT:$file > \$f") == 0
            or die "no PoLo in $repository";
    }
    return "$folder";
}

sub new {
    my ($class, $service, $address, %option) = @_;
    my $self = QSOsync::Polo::new($class, $service, $address, %option);
    my $driver = "$QSOsync::Front::SOURCE/t/polo/phone.mjs";
    $self->{pid} = IPC::Open2::open2($self->{out}, $self->{in}, 'node', '--no-warnings', $driver, folder());
    $self->{file} = File::Temp->new(SUFFIX => '.db', UNLINK => 1);
    $self->{wants} = 5;
    $self->send_command('begin', $address, $self->{name}, $self->{ahead}, "$self->{file}", $self->{wants});
    return $self;
}

sub send_command {
    my ($self, @command) = @_;
    print { $self->{in} } $json->encode(\@command), "\n";
    $self->{in}->flush;
    my $answer = $json->decode(scalar readline($self->{out}) // die 'the phone has ended');
    die $answer->{came}{failed} if ref $answer->{came} && $answer->{came}{failed};
    $self->{$_} = {} for qw(qsos operations);
    $self->{$_->{kind}}{$_->{uuid}} = { record => Encode::encode('UTF-8', $_->{data}), synced => $_->{synced} }
        for @{$answer->{rows}};
    $self->{sync} = { complete => $answer->{sync}{completedFullSync} };
    return $answer->{came};
}

sub put {
    my ($self, $kind, $record) = @_;
    my $uuid = $record->{uuid} ||= QSOsync::Case::uuid();
    $self->send_command('put', $kind, $record);
    return $uuid;
}

sub reset_sync { return $_[0]->send_command('reset') }
sub arrive_late { }

sub round {
    my ($self, %fault) = @_;
    my $came = $self->send_command('round', \%fault) or return;
    my $answer = bless { %$came }, 'QSOsync::Client::Response';
    $self->{left} = 0;
    $self->{left} += $_->{recordsLeft} for grep { ref } values %{$answer->json->{meta} || {}};
    return $answer;
}

sub DESTROY {
    my ($self) = @_;
    close $self->{in} if $self->{in};
    waitpid $self->{pid}, 0 if $self->{pid};
}

1;
