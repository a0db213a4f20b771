# Creates the contacts that take place in QSOsync::Evenings, and the values that programs have for them.
package QSOsync::Evenings::Contacts;
use strict;
use warnings;
use Exporter qw(import);
use QSOsync::Chance qw(pick);

our @EXPORT_OK = qw(frequency next_number other_frequency speaker forget_all);

my $number = 0;
my $DAY_ZERO = 1767294000; # 2026-01-01, 19:00
my $SLOT = 720; # seconds between unrelated contacts
my @CALLS = qw(26AT101 161SD001 30RC010 14FR001);

# Returns a number that the process has not used, for a member, a contact or a callsign.
sub next_number { return ++$number }

# truth(...) returns a contact. exact: every program records the seconds; same_dial: all programs read the same
# frequency; is_quick: the app logs the contact first, without frequency and mode; fixed: nobody corrects the identity;
# is_moved: the identity has been corrected, so only programs with ids and the app may correct it again; programs: the
# programs that log the contact; after: the program that logs the contact first; pair: the similar contact; long: the
# duration in seconds; whole: nobody deletes the contact.
sub truth {
    my ($self, %truth) = @_;
    my $truth = { number => next_number(), band => 'ELEVEN_METERS', fixed => 0, exact => 0, day => $self->{day},
        call => undef, name => undef, channel => undef, frequency => undef, mode => 'SSB',
        slot => $self->{slot}, %truth };
    forget_all($truth);
    push @{$self->{contacts}}, $truth;
    return $truth;
}

# Forgets all programs that have logged the contact.
sub forget_all {
    my ($truth) = @_;
    @{$truth}{qw(value held writers times is_stored used sideband own tuned has_mode)}
        = ({}, {}, {}, [], 0, {}, 0, {}, 0, 0);
    return;
}

sub frequency { return 27205 + 40 * int rand 15 } # kHz
sub other_frequency { my ($not) = @_; my $it = $not; $it = frequency() while abs($it - $not) < 40; return $it }

# Adds one contact, or two similar contacts. Similar contacts differ by more than inexact clocks and dials can explain,
# so they are always separate contacts.
sub add_contacts {
    my ($self) = @_;
    my $at = $DAY_ZERO + $self->{day} * 86400 + $self->{slot} * $SLOT + 240 + int rand 120;
    my $frequency = frequency();
    my %one = (at => $at, call => pick(@CALLS), frequency => $frequency);
    my %two = (%one, exact => 1, fixed => 1);
    my %voice = (at => $at, band => 'PMR446', channel => 1, mode => 'FM', name => 'Anna', fixed => 1);
    my @kinds = (
        sub { $self->truth(%one) },
        sub { $self->truth(%one, exact => 1) },
        sub { $self->truth(%one, exact => 1) },
        sub { $self->truth(%two); $self->truth(%two, frequency => other_frequency($frequency), mode => 'DIGITAL') },
        sub { $self->truth(%two); $self->truth(%two, frequency => $frequency + pick(11, 40), at => $at + 95) },
        sub { my @exactly = (%two, same_dial => 1); $self->truth(@exactly);
            $self->truth(@exactly, frequency => $frequency + 6 + int rand 5, at => $at + 95) },
        sub { $self->truth(%two); $self->truth(%two, mode => pick('AM', 'FM'), at => $at + 95) },
        sub { $self->truth(%two); $self->truth(%two, at => $at + 165) },
        sub { $self->truth(%two); $self->truth(%two, call => "$one{call}/P", at => $at + int rand 60) },
        sub { # differ in one value, and n1mm logs them first, with ids
            my $first = $self->truth(%two, whole => 1, after => 'n1mm');
            $first->{pair} = $self->truth(%two, whole => 1, after => 'n1mm', pair => $first,
                pick([frequency => $frequency + 45], [mode => 'FM'], [at => $at + 85])->@*) },
        sub { # differ in one value, and one file contains both
            my $first = $self->truth(%two, whole => 1);
            my $second = $self->truth(%two, whole => 1, after => 'file', pair => $first,
                pick([frequency => $frequency + 45], [mode => 'FM'])->@*) },
        sub { $self->truth(%two, frequency => 27555, is_quick => 1);
            $self->truth(%two, frequency => 27265, mode => 'DIGITAL', at => $at + 100) },
        sub { $self->truth(%one, fixed => 1, whole => 1, long => 1200, programs => ['file', pick(qw(token wsjtx))]);
            $self->{slot} += 2 },
        sub { $self->truth(%voice) },
        sub { $self->truth(%voice); $self->truth(%voice, name => 'Bert', channel => 8, at => $at + int rand 60) },
        sub { $self->truth(%voice); $self->truth(%voice, name => 'Bert') },
        sub { $self->truth(%voice, exact => 1); $self->truth(%voice, exact => 1, channel => 3, at => $at + 95) },
        sub { $self->truth(%voice, exact => 1, name => undef) },
        sub { $self->truth(%voice, exact => 1, name => undef, channel => $_) for 1, 3 },
    );
    pick(@kinds)->();
    $self->{slot}++;
    return;
}

sub fresh_slot {
    my ($self) = @_;
    return $DAY_ZERO + $self->{day} * 86400 + $self->{slot}++ * $SLOT + 240;
}

sub of_today { my ($self) = @_; return grep { $_->{day} == $self->{day} && !$_->{gone} } @{$self->{contacts}} }
sub speaker { my ($who) = @_; return $who eq 'nfile' ? 'n1mm' : $who }
sub says { my ($self, $who, $truth) = @_; return $self->{program}{$who}{says}{$truth->{number}} }

1;
