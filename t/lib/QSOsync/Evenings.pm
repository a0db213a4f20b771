# Plays evenings of one member whose contacts are logged by several programs, and judges the log that results. The model
# stores the contacts that took place, with the last correction of each value. The model does not use the service's rule
# for finding contacts: the notes of each record name the contact, and no rule reads the notes.
#
#   my $evening = QSOsync::Evenings->new($service)->next_evening;
#   $evening->step for 1 .. 20;      # each returns the fault of the log; '' if it has none
package QSOsync::Evenings;
use strict;
use warnings;
use parent qw(QSOsync::Evenings::Contacts QSOsync::Evenings::Records QSOsync::Evenings::Steps);
use JSON::PP ();
use QSOsync::Chance qw(pick chance);
use QSOsync::Evenings::Contacts qw(next_number);
use QSOsync::Polo;
use QSOsync::Profile;

sub new {
    my ($class, $service) = @_;
    my $callsign = 'BOB' . next_number();
    my $self = bless { service => $service, callsign => $callsign, previous => [], contacts => [], day => 0 }, $class;
    $self->{key} = $service->add_member($callsign)->{write_key};
    $self->{upload} = $service->admin('upload-token', 'add', $callsign, '--name', 'programs');
    $self->{browser} = QSOsync::Profile->log_in($service, $callsign);
    my $made = $self->{browser}->post('tokens', { name => 'PoLo', isPolo => JSON::PP::true() })->json;
    $self->{phone} = QSOsync::Polo->new($service, $made->{address});
    return $self;
}

# Begins the next evening. Each program has its own clock, dial and spellings.
sub next_evening {
    my ($self) = @_;
    $self->{day}++;
    $self->{slot} = 0;
    $self->{trace} = [];
    $self->{program} = { map { $_ => { name => $_, skew => int(rand 31) - 15, dial => int(rand 6) - 2,
        minutes => chance(0.4), ssb => pick('SSB', 'USB'), dashes => chance(0.2),
        station => pick(undef, $self->{callsign}, $self->{callsign}, "$self->{callsign}/P", lc $self->{callsign}),
        says => {}, said => {} } } qw(app file token n1mm wsjtx phone) };
    $self->{program}{$_}{minutes} = 0 for qw(app wsjtx phone);
    $self->add_contacts for 1 .. 2 + int rand 4;
    return $self;
}

sub say_step { my ($self, @words) = @_; push @{$self->{trace}}, join ' ', @words; return }

# Checks that the log contains each contact exactly once with its last values, and nothing else. Returns the fault as a
# text.
sub judge {
    my ($self) = @_;
    my %of = map { $_->{number} => $_ } grep { $_->{is_stored} } @{$self->{contacts}};
    my %seen;
    for my $qso ($self->log) {
        my ($number) = ($qso->{notes} // '') =~ /contact (\d+)\z/;
        my $truth = $of{$number // ''} or return "a QSO without a contact: " . show($qso);
        return "contact $number is in the log twice: " . show($qso) if $seen{$number}++;
        my @wrong = $self->differences($truth, $qso);
        return "contact $number: @wrong: " . show($qso) if @wrong;
    }
    my @missing = grep { !$seen{$_} } sort { $a <=> $b } keys %of;
    return @missing ? "not in the log: contact @missing" : '';
}

sub show { my ($qso) = @_; return join ', ', map { "$_ $qso->{$_}" } grep { defined $qso->{$_} } sort keys %$qso }

sub differences {
    my ($self, $truth, $qso) = @_;
    my %should = (%{$truth->{value}}, band => $truth->{band}, channel => $truth->{channel});
    my @wrong = map { "$_ is not " . ($should{$_} // 'null') } grep { ($qso->{$_} // '') ne ($should{$_} // '') }
        sort keys %should;
    push @wrong, "$_ is lost" for grep { ($qso->{$_} // '') ne $truth->{own}{$_} } sort keys %{$truth->{own}};
    my $family = ($qso->{mode} // '') =~ s/\A[UL]SB\z/SSB/r;
    push @wrong, "mode is not $truth->{mode}" if $family ne ($truth->{has_mode} ? $truth->{mode} : '');
    push @wrong, 'mode is not USB' if $truth->{sideband} && $family eq 'SSB' && $qso->{mode} ne 'USB';
    my $call = sub { uc($_[0] // '') =~ s/-//gr };
    push @wrong, "call is not $truth->{call}" if $call->($qso->{callsignWorked}) ne $call->($truth->{call});
    push @wrong, "frequency is not $truth->{frequency}" if $truth->{tuned}
        && abs($qso->{frequencyMhz} * 1000 - $truth->{frequency}) > 6;
    push @wrong, 'the time is wrong' if !grep { QSOsync::Case::iso_time($_) eq $qso->{qsoAt} } @{$truth->{times}};
    push @wrong, 'the name is missing' if defined $truth->{name} && $qso->{notes} !~ /\AName: $truth->{name}\n/;
    my $station = $call->($qso->{operatorCallsign}) =~ s{/P\z}{}r;
    push @wrong, 'the station is wrong'
        if $station ne '' && !grep { $_ eq $station } $self->{callsign}, @{$self->{previous}};
    return @wrong;
}

1;
