# Plays the steps of QSOsync::Evenings: programs send, the member corrects, and the app changes QSOs.
package QSOsync::Evenings::Steps;
use strict;
use warnings;
use QSOsync::Case ();
use QSOsync::Chance qw(pick chance shuffle);
use QSOsync::Evenings::Contacts qw(frequency next_number other_frequency speaker
    forget_all);
use QSOsync::Evenings::Records qw(fresh_report fresh_locator);
use QSOsync::Waiting;

my @WRITERS = qw(file token n1mm nfile wsjtx);

# Returns whether the program may send the contact for the first time, together with these other contacts.
sub may_begin {
    my ($self, $who, $truth, @company) = @_;
    return 0 if $truth->{programs} && !grep { $_ eq $who } @{$truth->{programs}};
    return 0 if $truth->{long} && !$truth->{is_stored} && $who ne 'file';
    return 0 if $truth->{is_quick} && !$truth->{is_stored} && $who ne 'app';
    return 0 if $who eq 'n1mm' && $truth->{channel};
    my $after = $truth->{after} or return 1;
    return 1 if $truth->{is_stored} && $truth->{pair}{is_stored};
    return 0 if $who ne $after;
    return $who eq 'n1mm' || scalar grep { $_ == $truth->{pair} } @company;
}

# Chooses the contacts that a program sends: some new contacts, and some earlier contacts of the program (a file has all
# of them). The contacts are in any order, and some occur twice. nfile is the file that the program n1mm exports.
sub compose {
    my ($self, $who, @wanted) = @_;
    my $speaker = speaker($who);
    my @known = grep { $self->says($speaker, $_) } $self->of_today;
    @known = grep { chance(0.3) } @known if $who !~ /file\z/;
    my @new = grep { !$self->says($speaker, $_) } @wanted;
    @new = grep { my $truth = $_; $self->may_begin($speaker, $truth, @known, grep { $_ != $truth } @new) } @new;
    my @all = pick(sub { sort { $a->{at} <=> $b->{at} } @_ }, sub { sort { $b->{at} <=> $a->{at} } @_ }, \&shuffle)
        ->(@known, @new);
    my @said = map { [$_, $self->says($speaker, $_) || $self->first_words($speaker, $_)] } @all;
    @said = map { ($_) x (1 + chance(0.1)) } @said;
    return \@said;
}

sub name_said {
    my ($said) = @_;
    my @names = qw(at mode frequency call rstSent rstReceived dxLocator);
    return join '; ', map { my ($truth, $words) = @$_;
        join ' ', "$truth->{number}:", map { "$_ " . ($words->{$_} // '-') } @names } @$said;
}

sub send_some {
    my ($self, $who, @wanted) = @_;
    my $said = $self->compose($who, @wanted);
    return '' if !@$said;
    $self->say_step($who, 'sends', name_said($said));
    my $wrong = $self->transmit($who, $said);
    $self->heard($who, @$_) for @$said;
    return $wrong;
}

sub some_of_today {
    my ($self) = @_;
    my $most = pick(1, 1, 2, 5);
    return grep { defined } (shuffle($self->of_today))[0 .. $most - 1];
}

sub step_send { my ($self) = @_; return $self->send_some(pick(@WRITERS), $self->some_of_today) }

# Lets two programs send one contact at the same moment, with the same values.
sub step_at_once {
    my ($self) = @_;
    my ($one, $other) = (shuffle(qw(token n1mm wsjtx file)))[0, 1];
    my ($truth) = grep { my $it = $_; !grep { $self->says($_, $it) || !$self->may_begin($_, $it) || $it->{after} }
        $one, $other } shuffle($self->of_today) or return '';
    my $first = $self->first_words($one, $truth);
    my $second = $self->first_words($other, $truth);
    my @same = qw(rstSent rstReceived dxLocator);
    @{$second}{@same} = @{$first}{@same};
    delete @{$second}{grep { !defined $first->{$_} } @same};
    delete @{$_}{dxLocator} for $first, $second;
    $second->{mode} = $first->{mode};
    $self->say_step($one, 'and', $other, 'send at once', $truth->{number});
    my @wrong = QSOsync::Waiting::at_once($self->{service}, map { my ($who, $words) = @$_;
        sub { srand $truth->{number}; $self->transmit($who, [[$truth, $words]]) } } [$one, $first], [$other, $second]);
    my %words = ($one => $first, $other => $second);
    $self->heard($_, $truth, $words{$_}) for sort { ($b eq 'token') <=> ($a eq 'token') } $one, $other;
    return join '', @wrong;
}

# Returns a new value. If the program's own value is the current value, another program's value or an earlier value of
# the program is possible. n1mm and nfile are two sources, and only a source that has sent the contact can correct to
# such a value.
sub corrected_value {
    my ($self, $who, $truth, $field) = @_;
    my $own = $self->says($who, $truth)->{$field} // '';
    my $is_own = $own eq ($truth->{value}{$field} // '-');
    my @others = !$is_own || !$truth->{held}{$who} ? ()
        : ($self->outdated($truth, $field), $self->earlier($who, $truth, $field));
    return pick(@others) if @others && chance(0.5);
    return $field eq 'dxLocator' ? fresh_locator() : fresh_report($truth);
}

# Returns values that the program sent before its current value.
sub earlier {
    my ($self, $who, $truth, $field) = @_;
    my $now = $self->says($who, $truth)->{$field} // '';
    return grep { $_ ne $now } sort keys %{$self->{program}{$who}{said}{$truth->{number}}{$field} || {}};
}

# Lets a program correct a value, or the identity of the contact, and send the contact. A program with ids can restore
# an earlier identity.
sub step_correct {
    my ($self) = @_;
    my $who = pick(qw(file token n1mm n1mm wsjtx));
    my ($truth) = grep { $self->says($who, $_) } shuffle($self->of_today) or return '';
    my %words = %{$self->says($who, $truth)};
    my $field = pick(qw(rstSent rstReceived dxLocator identity));
    my ($earlier) = shuffle(map { my $name = $_; map { [$name, $_] } $self->earlier($who, $truth, $name) }
        $who eq 'n1mm' ? qw(call frequency) : ());
    if ($field ne 'identity') {
        $words{$field} = $self->corrected_value($who, $truth, $field);
    } elsif ($earlier && chance(0.7)) {
        $words{$earlier->[0]} = $earlier->[1];
    } elsif ($who eq 'n1mm' && !$truth->{fixed} && chance(0.5)) {
        $truth->{is_moved} = 1;
        $words{call} = '19AT' . $truth->{number} . pick('A' .. 'Z') . ++$truth->{calls};
    } elsif (!$truth->{fixed} && $truth->{exact} && !$truth->{is_moved}++) {
        $words{frequency} = other_frequency($truth->{frequency}) + $self->{program}{$who}{dial};
    } else {
        return '';
    }
    $self->say_step($who, 'corrects', $field, 'of', $truth->{number},
        $words{$field} // "$words{call} $words{frequency}");
    my $wrong = '';
    if ($who eq 'file') {
        my %before = map { $_->{number} => $self->says($who, $_) } $self->of_today;
        my @said = map { [$_, $_ == $truth ? \%words : $before{$_->{number}}] } grep { $before{$_->{number}} }
            $self->of_today;
        $wrong = $self->transmit($who, [shuffle(@said)]);
    } else {
        $wrong = $self->transmit($who, [[$truth, \%words]]);
    }
    $self->heard($who, $truth, \%words);
    return $wrong;
}

# Lets the app log a contact that no program has logged, or edit a logged contact.
sub step_app {
    my ($self) = @_;
    my ($truth) = shuffle($self->of_today) or return '';
    return $self->app_edits($truth) if $truth->{is_stored};
    return '' if !$self->may_begin('app', $truth);
    $self->say_step('app logs', $truth->{number});
    my $words = $self->first_words('app', $truth);
    my $wrong = $self->transmit('app', [[$truth, $words]]);
    $self->heard('app', $truth, $words);
    return $wrong;
}

sub stored { my ($self, $truth) = @_; return grep { ($_->{notes} // '') =~ /contact $truth->{number}\z/ } $self->log }
sub log { my ($self) = @_; return $self->{service}->download(key => $self->{key}) }

sub app_edits {
    my ($self, $truth) = @_;
    my ($qso) = $self->stored($truth) or return "contact $truth->{number} is not in the log";
    my $field = pick(qw(rstSent rstReceived dxLocator identity identity delete));
    $self->say_step('app edits', $field, 'of', $truth->{number});
    my %change;
    if ($field eq 'delete') {
        return $self->app_deletes($truth, $qso);
    } elsif ($field ne 'identity') {
        $change{$field} = $truth->{value}{$field} = $self->edited_value($truth, $field);
        $truth->{locator} = $change{dxLocator} if $field eq 'dxLocator';
    } elsif ($truth->{fixed}) {
        return '';
    } else {
        %change = $self->identity_of_app($truth);
    }
    my $answer = $self->{service}->post_batch([{ %$qso, %change }], key => $self->{key});
    $truth->{writers}{app} = 1;
    return join '', grep { defined } map { $_->{error} } @{$answer->json->{results}};
}

# Returns the new value of an edit. A locator can be shorter than the locator of a program.
sub edited_value {
    my ($self, $truth, $field) = @_;
    return fresh_report($truth) if $field ne 'dxLocator';
    my @longer = $self->outdated($truth, $field);
    return @longer && chance(0.5) ? substr pick(@longer), 0, 4 : fresh_locator();
}

sub identity_of_app {
    my ($self, $truth) = @_;
    $truth->{is_moved} = 1;
    if (chance(0.4)) {
        $truth->{at} = $self->fresh_slot;
        $truth->{times} = [$truth->{at}];
        return (qsoAt => QSOsync::Case::iso_time($truth->{at}));
    }
    $truth->{frequency} = other_frequency($truth->{frequency});
    $truth->{tuned} = 1;
    $truth->{mode} = pick('DIGITAL', 'FM', 'AM');
    return (frequencyMhz => sprintf('%.3f', $truth->{frequency} / 1000), mode => $truth->{mode});
}

# Deletes the contact from the log. The programs also delete the contact, or send it again later.
sub app_deletes {
    my ($self, $truth, $qso) = @_;
    return '' if $truth->{whole};
    my $status = $self->{service}->delete_qso($qso->{clientId}, key => $self->{key})->status;
    delete $_->{$truth->{number}} for map { @{$_}{qw(says said)} } values %{$self->{program}};
    forget_all($truth);
    $truth->{gone} = chance(0.5);
    return $status == 204 ? '' : "deletion: $status";
}

# Lets a phone log a contact, even if other programs have logged it, receive other programs' contacts, and edit them.
# The phone never logs a contact that it has edited, because the contact would then have two of the phone's ids.
sub step_phone {
    my ($self) = @_;
    my $phone = $self->{phone};
    my ($truth) = grep { !$_->{programs} && !$_->{channel} } shuffle($self->of_today) or return '';
    if (!$truth->{is_stored} || (!$truth->{writers}{phone} && chance(0.5))) {
        return '' if !$self->may_begin('phone', $truth);
        my $words = $self->first_words('phone', $truth);
        $self->say_step('phone logs', $truth->{number});
        $phone->add_qso(startAtMillis => $words->{at} * 1000, freq => $words->{frequency}, band => '11m',
            mode => $words->{mode} eq 'DIGITAL' ? 'FT8' : $words->{mode},
            our => { call => $self->{callsign}, sent => $words->{rstSent} }, notes => "contact $truth->{number}",
            their => { call => $words->{call}, sent => $words->{rstReceived}, grid => $words->{dxLocator} });
        $self->heard('phone', $truth, $words);
    } else {
        $phone->rest or return 'the phone does not come to rest';
        my ($uuid) = grep { my $record = $phone->record(qsos => $_);
            !$record->{deleted} && ($record->{notes} // '') =~ /contact $truth->{number}\z/ } keys %{$phone->{qsos}}
            or return "contact $truth->{number} is not on the phone";
        my $value = $truth->{value}{rstSent} = fresh_report($truth);
        $self->say_step('phone corrects', $truth->{number}, $value);
        $phone->edit(qsos => $uuid, our => { %{$phone->record(qsos => $uuid)->{our}}, sent => $value });
        $truth->{writers}{phone} = 1;
    }
    return $phone->rest ? '' : 'the phone does not come to rest';
}

sub step_rename {
    my ($self) = @_;
    return '' if chance(0.6);
    my $new = 'NEW' . next_number();
    $self->say_step('rename', $self->{callsign}, $new);
    $self->{service}->admin('member', 'rename', $self->{callsign}, $new);
    push @{$self->{previous}}, $self->{callsign};
    $self->{callsign} = $new;
    $_->{station} = pick(undef, $new, "$new/P", $self->{previous}[-1], "$self->{previous}[-1]/P")
        for grep { chance(0.5) } values %{$self->{program}};
    return '';
}

sub step {
    my ($self) = @_;
    my $step = pick(('step_send') x 8, ('step_correct') x 4, ('step_app') x 4, ('step_phone') x 2, 'step_at_once',
        'step_rename');
    my $wrong = $self->$step;
    return $wrong ne '' ? $wrong : $self->judge;
}

# Lets every program send all its contacts late in the evening.
sub end {
    my ($self) = @_;
    for my $who (shuffle(@WRITERS)) {
        my $wrong = $self->send_some($who, $self->of_today) || $self->judge;
        return $wrong if $wrong ne '';
    }
    return '';
}

1;
