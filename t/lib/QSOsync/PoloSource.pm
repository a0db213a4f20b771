# A phone that runs PoLo's own sync source (t/polo), with what QSOsync::Polo does.
package QSOsync::PoloSource;
use strict;
use warnings;
use parent -norequire, 'QSOsync::Polo';
use Encode ();
use File::Temp ();
use IPC::Open2 ();
use JSON::PP ();
use QSOsync::Polo;

our $COMMIT = 'c10fffb08eebd4d48c2fe6665119d2070668a8e2';
my $json = JSON::PP->new->utf8->canonical;
my $folder;

# The folder with PoLo's source of that commit, out of the Git repository that QSOSYNC_TEST_POLO names; undef: none.
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
