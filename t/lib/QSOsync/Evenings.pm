# Evenings of one member whose contacts are logged by five programs, and the log that must result. The model stores the
# contacts that took place, and the last program that corrected each value. It does not use the service's rule for
# finding contacts: the notes of each record name the contact, and no rule reads the notes.
#
#   my $evening = QSOsync::Evenings->new($service)->next_evening;
#   $evening->step for 1 .. 20;      # each returns the fault of the log; '' if it has none
package QSOsync::Evenings;
use strict;
use warnings;
use JSON::PP ();
use QSOsync::Adif;
use QSOsync::Case ();
use QSOsync::Polo;
use QSOsync::Profile;
use QSOsync::Waiting;

my $DAY_ZERO = 1767294000; # 2026-01-01, 19:00
my $SLOT = 720; # seconds between unrelated contacts
# A field that only one of the programs sends; it is never lost.
my $OWN_FIELD = { app => [radio => 'Lincoln'], file => [antenna => 'dipole'],
    token => [qslReceived => JSON::PP::true()], n1mm => [txPowerW => 12], wsjtx => [qslSent => JSON::PP::true()] };
my @CALLS = qw(26AT101 161SD001 30RC010 14FR001);
my @WRITERS = qw(file token n1mm nfile wsjtx);
my $number = 0;

sub pick { return $_[rand @_] }
sub chance { return rand() < $_[0] }
sub shuffle { my @from = @_; return map { splice @from, rand @from, 1 } 1 .. @from }

# -- The member and the programs -------------------------------------------------------------------

sub new {
    my ($class, $service) = @_;
    my $callsign = 'BOB' . ++$number;
    my $self = bless { service => $service, callsign => $callsign, previous => [], contacts => [], day => 0 }, $class;
    $self->{key} = $service->add_member($callsign)->{write_key};
    $self->{upload} = $service->admin('upload-token', 'add', $callsign, '--name', 'programs');
    $self->{browser} = QSOsync::Profile->log_in($service, $callsign);
    my $made = $self->{browser}->post('tokens', { name => 'PoLo', isPolo => JSON::PP::true() })->json;
    $self->{phone} = QSOsync::Polo->new($service, $made->{address});
    return $self;
}

# Each program has its own clock, dial and spellings.
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

# -- The contacts ----------------------------------------------------------------------------------

# truth(...): one contact. exact: every program records its seconds; same_dial: all read the same frequency; is_quick:
# the app logs it first, without frequency and mode; fixed: nobody corrects its identity; is_moved: its identity has
# been corrected, so only ids and the app may correct it again; programs: the programs that log it; after: the program
# that logs it first; whole: nobody deletes it.
sub truth {
    my ($self, %truth) = @_;
    my $truth = { number => ++$number, band => 'ELEVEN_METERS', fixed => 0, exact => 0, day => $self->{day},
        call => undef, name => undef, channel => undef, frequency => undef, mode => 'SSB',
        slot => $self->{slot}, %truth };
    forget_all($truth);
    push @{$self->{contacts}}, $truth;
    return $truth;
}

# Nobody has logged it.
sub forget_all {
    my ($truth) = @_;
    @{$truth}{qw(value held writers times is_stored used sideband own tuned has_mode)}
        = ({}, {}, {}, [], 0, {}, 0, {}, 0, 0);
    return;
}

sub frequency { return 27205 + 40 * int rand 15 } # kHz
sub other_frequency { my ($not) = @_; my $it = $not; $it = frequency() while abs($it - $not) < 40; return $it }

# Contacts that are close to each other. Each pair is certainly two contacts, whatever clocks and dials show.
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
        sub { # one difference, and ids
            my $first = $self->truth(%two, whole => 1, after => 'n1mm');
            $first->{pair} = $self->truth(%two, whole => 1, after => 'n1mm', pair => $first,
                pick([frequency => $frequency + 45], [mode => 'FM'], [at => $at + 85])->@*) },
        sub { # one difference, and both in one file
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

# -- The records of a program ----------------------------------------------------------------------

sub fresh_report {
    my ($truth) = @_;
    my $value;
    $value = pick(1 .. 5) . pick(1 .. 9) until $value && !$truth->{used}{$value}++;
    return $value;
}

sub fresh_locator { return 'J' . pick('M' .. 'P') . pick(10 .. 99) . pick('a' .. 'x') . pick('a' .. 'x') }

# Outdated values that another program still sends.
sub outdated {
    my ($self, $truth, $field) = @_;
    my $value = $truth->{value}{$field};
    return grep { defined && $_ ne $value } map { $self->says($_, $truth) ? $self->says($_, $truth)->{$field} : () }
        qw(file token n1mm wsjtx);
}

# The first record that a program sends of a contact, by its own clock and dial. Each known value is the same, shorter
# or missing, or an outdated one from another program.
sub first_words {
    my ($self, $who, $truth) = @_;
    my $program = $self->{program}{$who};
    my $at = $truth->{at} + $program->{skew};
    $at += 900 if $truth->{long} && $who ne 'file';
    my $in_minutes = $program->{minutes} && !$truth->{exact};
    $at -= $at % 60 if $in_minutes;
    my %words = (at => $at, in_minutes => $in_minutes, call => $truth->{call}, station => $program->{station},
        mode => $truth->{mode} eq 'SSB' ? $program->{ssb} : $truth->{mode}, own => $OWN_FIELD->{$who},
        id => sprintf '%032x', $truth->{number});
    $words{call} = lc $words{call} =~ s/(\d+)\z/-$1/r if defined $words{call} && $program->{dashes};
    $words{frequency} = $truth->{frequency} + ($truth->{same_dial} ? 0 : $program->{dial})
        if $truth->{frequency};
    delete @words{qw(frequency mode)} if $truth->{is_quick} && $who eq 'app';
    for my $field (qw(rstSent rstReceived)) {
        my $known = $truth->{value}{$field};
        next if chance(0.35);
        my @outdated = defined $known ? $self->outdated($truth, $field) : ();
        $words{$field} = !defined $known ? fresh_report($truth) : @outdated && chance(0.4) ? pick(@outdated) : $known;
    }
    my $locator = $truth->{value}{dxLocator};
    $truth->{locator} //= fresh_locator();
    if (defined $locator ? chance(0.5) : chance(0.6)) {
        my $is_short = chance(0.4) && $who ne 'phone';
        my $whole = defined $locator && length $locator > 4 ? $locator : $truth->{locator};
        $words{dxLocator} = $is_short ? substr $whole, 0, 4 : $whole;
    }
    return \%words;
}

# Stores the last record that a program sent of the contact, one per form that identified the contact for the program. A
# program with ids has only one record; its other source keeps nothing that the program has corrected since. Values that
# a token sent without effect are not stored.
sub hold {
    my ($truth, $who, $words, @fields) = @_;
    my $held = $truth->{held}{$who} ||= {};
    if ($who =~ /\An/) {
        my $before = (values %$held)[0] || {};
        my @corrected = grep { $before->{$_} ne ($words->{$_} // '') } keys %$before;
        for my $other (map { values %{$truth->{held}{$_} || {}} } grep { $_ ne $who } qw(n1mm nfile)) {
            ($other->{$_} // '') eq $before->{$_} and delete $other->{$_} for @corrected;
        }
        %$held = ();
    }
    $held->{join ' ', map { $words->{$_} // '' } qw(at call frequency)}
        = { map { $_ => $words->{$_} } grep { defined $words->{$_} } @fields };
    return;
}

sub is_held_by_others {
    my ($truth, $who, $field, $value) = @_;
    return grep { ($_->{$field} // '') eq $value } map { values %{$truth->{held}{$_}} }
        grep { $_ ne $who } keys %{$truth->{held}};
}

# Updates the truth after the service has received this record. The last correction of a value wins, and the first
# record of a program never restores a value that another program still sends. An upload token corrects only values that
# it alone has written. A value that the token sent without effect does not count when another program sends it.
sub heard {
    my ($self, $who, $truth, $words) = @_;
    my $speaker = speaker($who);
    my $before = $self->says($speaker, $truth);
    my $only_fills = $who eq 'token' && grep { $_ ne 'token' } keys %{$truth->{writers}};
    my $value = $truth->{value};
    my @plain = qw(rstSent rstReceived dxLocator);
    for my $field (qw(rstSent rstReceived dxLocator)) {
        my ($old, $new) = ($value->{$field}, $words->{$field});
        my $is_unchanged = $before && ($before->{$field} // '') eq ($new // '');
        my ($is_more, $is_less) = map { defined $old && $field eq 'dxLocator' && index($$_[0], $$_[1]) == 0 }
            [$new // '', $old // ''], [$old // '', $new // ''];
        my $is_told = defined $new && !$is_unchanged
            && ($before || !($is_less || is_held_by_others($truth, $who, $field, $new)));
        $value->{$field} = $new if $is_told && (!defined $old || !$only_fills || $is_more);
        my $is_in_vain = $is_unchanged ? !grep { ($_->{$field} // '') eq ($new // '') } values %{$truth->{held}{$who}}
            : $is_told && !$is_less && $value->{$field} ne $new;
        @plain = grep { $_ ne $field } @plain if $who eq 'token' && $is_in_vain;
    }
    hold($truth, $who, $words, @plain) if $who ne 'app';
    my $is_other = sub { my ($field) = @_;
        return $before && !$only_fills && ($before->{$field} // '') ne ($words->{$field} // '') };
    $truth->{frequency} = $words->{frequency} if $is_other->('frequency');
    $truth->{call} = $words->{call} if $is_other->('call');
    $truth->{sideband} = 1 if ($words->{mode} // '') eq 'USB' && !$before;
    $truth->{tuned} = 1 if $words->{frequency};
    $truth->{has_mode} = 1 if $words->{mode};
    push @{$truth->{times}}, $words->{at} if !$before;
    $truth->{own}{$words->{own}[0]} = $words->{own}[1] if $words->{own};
    $truth->{is_stored} = $truth->{writers}{$speaker} = 1;
    my $program = $self->{program}{$speaker};
    $program->{says}{$truth->{number}} = $words;
    $program->{said}{$truth->{number}}{$_}{$words->{$_}} = 1 for grep { defined $words->{$_} }
        qw(call frequency rstSent rstReceived dxLocator);
    return;
}

# -- The form of its records -----------------------------------------------------------------------

my %ADIF_NAME = (rstSent => 'RST_SENT', rstReceived => 'RST_RCVD', dxLocator => 'GRIDSQUARE', call => 'CALL',
    station => 'STATION_CALLSIGN', mode => 'MODE', radio => 'MY_RIG', antenna => 'MY_ANTENNA', txPowerW => 'TX_PWR');

sub as_adif {
    my ($who, $truth, $words) = @_;
    my ($date, $time) = QSOsync::Case::iso_time($words->{at}) =~ s/[-:]//gr =~ /\A(\d{8})T(\d{6})/;
    my %record = (QSO_DATE => $date, TIME_ON => $words->{in_minutes} ? substr $time, 0, 4 : $time,
        NAME => $truth->{name}, NOTES => "contact $truth->{number}");
    $record{$ADIF_NAME{$_}} = $words->{$_} for qw(rstSent rstReceived dxLocator call station mode);
    @record{qw(MODE SUBMODE)} = ('SSB', 'USB') if $words->{mode} eq 'USB';
    $record{MODE} = 'FT8' if $words->{mode} eq 'DIGITAL';
    $record{FREQ} = $truth->{channel} ? 446.00625 + 0.0125 * ($truth->{channel} - 1)
        : $words->{frequency} ? $words->{frequency} / 1000 : undef;
    $record{BAND} = $truth->{channel} ? '70cm' : '11m';
    my ($own, $value) = @{$words->{own}};
    $record{$ADIF_NAME{$own} // 'QSL_RCVD'} = ref $value ? 'Y' : $value;
    $record{APP_N1MM_ID} = $words->{id} if $who eq 'nfile';
    my $end = $truth->{long} && $who eq 'file' ? QSOsync::Case::iso_time($truth->{at} + $truth->{long}) : undef;
    $record{TIME_OFF} = $end =~ s/.*T(..):(..):(..).*/$1$2$3/r if $end;
    return adif_record(map { ($_ => $record{$_}) } grep { defined $record{$_} } sort keys %record);
}

sub as_entry {
    my ($who, $truth, $words) = @_;
    my $notes = join "\n", defined $truth->{name} ? "Name: $truth->{name}" : (), "contact $truth->{number}";
    my %entry = (band => $truth->{band}, qsoAt => QSOsync::Case::iso_time($words->{at}), notes => $notes,
        callsignWorked => $words->{call}, operatorCallsign => $words->{station}, @{$words->{own}},
        map { $_ => $words->{$_} } grep { defined $words->{$_} } qw(rstSent rstReceived dxLocator mode));
    $entry{channel} = $truth->{channel} if $truth->{channel};
    $entry{frequencyMhz} = sprintf '%.3f', $words->{frequency} / 1000 if $words->{frequency};
    @entry{qw(match program)} = (JSON::PP::true(), uc $who) if $who ne 'app';
    $entry{programId} = uc $words->{id} if $who eq 'n1mm';
    return QSOsync::Case::qso(%entry);
}

# Sends pairs of a truth and a record; returns the fault of the answer.
sub transmit {
    my ($self, $who, $said) = @_;
    return $self->transmit_file($who, join '', map { as_adif($who, @$_) } @$said) if $who =~ /file\z/;
    if ($who eq 'token') {
        my $answer = $self->{service}->request('POST', '', raw_path => '/cloudlog/api/qso',
            headers => { 'Content-Type' => 'application/json' }, body => JSON::PP->new->utf8->encode({
                key => $self->{upload}, station_profile_id => 1, type => 'adif',
                string => join '', map { as_adif($who, @$_) } @$said }));
        return $answer->json->{status} eq 'created' ? '' : $answer->body;
    }
    my $answer = $self->{service}->post_batch([map { as_entry($who, @$_) } @$said], key => $self->{key});
    return join '', grep { defined } map { $_->{error} } @{$answer->json->{results}};
}

sub transmit_file {
    my ($self, $who, $adif) = @_;
    my $file = '<PROGRAMID:5>' . ($who eq 'file' ? 'Other' : 'N1MM+') . "<EOH>\n$adif";
    if (chance(0.5)) { # through the page
        my $answer = $self->{browser}->post('import', { adif => $file, dryRun => JSON::PP::false() });
        return $answer->status == 200 && !$answer->json->{rejected} ? '' : $answer->status . $answer->body;
    }
    my $report = import_adif($self->{service}, $self->{callsign}, adif_file($self->{service}, $file));
    return $report->{status} == 0 ? '' : join '; ', $report->{errors}, @{$report->{details}};
}

# -- Steps -----------------------------------------------------------------------------------------

# Whether the program may send the contact for the first time, together with these other contacts.
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

# Chooses the contacts that a program sends: some new ones, and some of its earlier ones (a file has all of them). They
# are in any order, and some occur twice. nfile is the file that the program n1mm exports.
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

# Two programs send one contact at the same moment, with the same values.
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

# A new value or, if the program's own value is the current one, a value from another program or an earlier value of its
# own. n1mm and nfile are two sources: only a source that has sent the contact can correct to such a value.
sub corrected_value {
    my ($self, $who, $truth, $field) = @_;
    my $own = $self->says($who, $truth)->{$field} // '';
    my $is_own = $own eq ($truth->{value}{$field} // '-');
    my @others = !$is_own || !$truth->{held}{$who} ? ()
        : ($self->outdated($truth, $field), $self->earlier($who, $truth, $field));
    return pick(@others) if @others && chance(0.5);
    return $field eq 'dxLocator' ? fresh_locator() : fresh_report($truth);
}

# Values that the program sent before its current one.
sub earlier {
    my ($self, $who, $truth, $field) = @_;
    my $now = $self->says($who, $truth)->{$field} // '';
    return grep { $_ ne $now } sort keys %{$self->{program}{$who}{said}{$truth->{number}}{$field} || {}};
}

# A program corrects a value, or the identity of the contact, and sends it. A program with ids may undo that.
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

# The app logs a contact that nobody has logged, or edits a logged one.
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

# The new value of an edit; a locator may be shorter than the locator of a program.
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

# Deletes the contact, either in the programs as well, or so that they send it again.
sub app_deletes {
    my ($self, $truth, $qso) = @_;
    return '' if $truth->{whole};
    my $status = $self->{service}->delete_qso($qso->{clientId}, key => $self->{key})->status;
    delete $_->{$truth->{number}} for map { @{$_}{qw(says said)} } values %{$self->{program}};
    forget_all($truth);
    $truth->{gone} = chance(0.5);
    return $status == 204 ? '' : "deletion: $status";
}

# A phone logs a contact, even if others have logged it, receives their contacts, and edits them. It never logs a
# contact that it has edited, because the contact would then have two of its ids.
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
    my $new = 'NEW' . ++$number;
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

# Late in the evening every program sends all its contacts.
sub end {
    my ($self) = @_;
    for my $who (shuffle(@WRITERS)) {
        my $wrong = $self->send_some($who, $self->of_today) || $self->judge;
        return $wrong if $wrong ne '';
    }
    return '';
}

# -- The judge -------------------------------------------------------------------------------------

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
