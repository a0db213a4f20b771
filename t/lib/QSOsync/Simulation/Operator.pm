# Performs uploads, and the acts of an operator, in a QSOsync::Simulation::Round.
package QSOsync::Simulation::Operator;
use strict;
use warnings;
use JSON::PP ();
use QSOsync::Adif qw(adif_record);
use QSOsync::Front;
use QSOsync::Simulation::Qsos qw(any name_of entries_of @PAIR);

my $json = JSON::PP->new->utf8->canonical;

sub record_of {
    my ($qso, @fields) = @_;
    my ($date, $time) = map { s/[-:]//gr } $qso->{qsoAt} =~ /(\S{10})T(\S{8})/;
    return adif_record(CALL => $qso->{callsignWorked}, QSO_DATE => $date, TIME_ON => $time, BAND => '11m',
        FREQ => '27.555', MODE => 'SSB', SUBMODE => 'USB', NOTES => $qso->{notes}, @fields);
}

sub upload {
    my ($self, $member, $done) = @_;
    my $qso = $self->version(1, 100 + $self->{versions} % 400);
    $self->{world}->send(method => 'POST', path => '/cloudlog/api/qso', site => 1, member => 1, writer => 'upload',
        uploads => name_of($qso), done => $done, body => $json->encode({ key => $self->{token},
            station_profile_id => '1', type => 'adif', string => record_of($qso) }));
}

sub import_file {
    my ($self, $member, $done) = @_;
    my @qsos = $self->some_qsos($member->{number}, 5);
    my $path = "$self->{world}{directory}/import-" . ++$self->{imports};
    QSOsync::Front::write_file($path, join '', map { record_of($_, APP_QSOSYNC_CLIENT_ID => $_->{clientId}) } @qsos);
    $self->operate($done, { what => 'import', member => $member->{number}, writer => 'import',
        entries => entries_of(@qsos) }, 'import', $member->{callsign}, $path);
}

# Undoes everything that a key wrote. The key's writes before a restore of the log are unknown here.
sub undo {
    my ($self, $member, $done, $key) = @_;
    $key ||= any(@{$member->{keys}});
    return $done->() if $key->{life} != $self->{world}{life};
    my $act = 'undo' . ++$self->{undos};
    $self->operate($done, { what => 'undo', member => $member->{number}, writer => $act, by => $key->{name} },
        'undo', $member->{callsign}, '--by', $key->{name}, '--since', '2026-01-01T00:00:00Z');
}

sub operate {
    my ($self, $done, $act, @command) = @_;
    $self->{world}->start_command(sub {
        my ($result) = @_;
        $self->{world}->note({ %$act, %$result });
        $done->($result);
    }, @command);
}

sub back_up {
    my ($self, $member, $done) = @_;
    my $number = ++$self->{backups};
    $self->operate(sub {
        $self->{backup} = $number if $_[0]{status} == 0;
        $done->();
    }, { what => 'backup', number => $number }, 'backup', "$self->{world}{directory}/backup-$number.db");
}

sub revoke {
    my ($self, $member, $done) = @_;
    my $key = pop @{$member->{keys}};
    my $list = $json->decode($self->{world}->command('key', 'list', $member->{callsign}, '--json')->{output});
    my ($number) = map { $_->{number} } grep { $_->{name} eq $key->{name} } @$list;
    unshift @{$member->{keys}}, $self->new_key($member->{number}, 'C', 'WRITE');
    my $world = $self->{world};
    my $stops = !$world->{power} && rand() < 0.5; # the writer stops before it takes the lock, while its key is valid
    $world->{faults}->strike('lock', at => 1, stop => 1) if $stops;
    $world->send(method => 'POST', path => '/logs/batch', key => $key->{secret}, writer => $key->{name},
        member => $member->{number}, map({ (body => $json->encode({ entries => $_ }), entries => entries_of(@$_)) }
            [$self->some_qsos($member->{number}, 4)]));
    push @{$self->{revoked}}, $key;
    $world->pump(sub { $world->has_stopped }, 5) if $stops;
    $world->{faults}->lift;
    $self->operate(sub {
        $world->send(method => 'GET', path => '/me', key => $key->{secret}, done => $done);
        $self->read_whole($member, sub { $world->signal_workers('CONT') });
    }, { what => 'revoke', key => $key->{secret} }, 'key', 'revoke', $member->{callsign}, $number);
}

# Disables a member for a while. If another member's QSOs can confirm the member's QSOs, the later comparison does not
# require every confirmation.
sub disable {
    my ($self, $member, $done) = @_;
    $member = any($member, $self->{members}[2], $self->{members}[2]);
    $self->{had_no_partner} ||= defined $PAIR[$member->{number}];
    my $enable = sub {
        my ($disabled) = @_;
        $self->{world}->start_command(sub {
            $self->{world}->note({ what => 'disable', member => $member->{number}, start => $disabled->{start},
                since => $disabled->{end}, until => $_[0]{start}, end => $_[0]{end} });
            $done->();
        }, 'member', 'enable', $member->{callsign});
    };
    $self->{world}->start_command(sub {
        my ($disabled) = @_;
        $self->{world}->send(method => 'GET', path => '/me', key => $member->{keys}[0]{secret},
            member => $member->{number}, done => sub { $enable->($disabled) });
    }, 'member', 'disable', $member->{callsign});
}

sub rename_member {
    my ($self, $member, $done) = @_;
    $member = $self->{members}[2];
    my $new = '161DA' . (100 + ++$self->{renames});
    $self->operate(sub { $member->{callsign} = $new if $_[0]{status} == 0; $done->() }, { what => 'rename' },
        'member', 'rename', $member->{callsign}, $new);
}

1;
