# Builds the records that the programs of QSOsync::Evenings send, in each program's format.
package QSOsync::Evenings::Records;
use strict;
use warnings;
use Exporter qw(import);
use JSON::PP ();
use QSOsync::Adif;
use QSOsync::Case ();
use QSOsync::Chance qw(pick chance);
use QSOsync::Evenings::Contacts qw(frequency speaker);

our @EXPORT_OK = qw(fresh_report fresh_locator);

# The field that only this program sends, by program. Its value must never be lost.
my $OWN_FIELD = { app => [radio => 'Lincoln'], file => [antenna => 'dipole'],
    token => [qslReceived => JSON::PP::true()], n1mm => [txPowerW => 12], wsjtx => [qslSent => JSON::PP::true()] };

sub fresh_report {
    my ($truth) = @_;
    my $value;
    $value = pick(1 .. 5) . pick(1 .. 9) until $value && !$truth->{used}{$value}++;
    return $value;
}

sub fresh_locator { return 'J' . pick('M' .. 'P') . pick(10 .. 99) . pick('a' .. 'x') . pick('a' .. 'x') }

# Returns outdated values that another program still sends.
sub outdated {
    my ($self, $truth, $field) = @_;
    my $value = $truth->{value}{$field};
    return grep { defined && $_ ne $value } map { $self->says($_, $truth) ? $self->says($_, $truth)->{$field} : () }
        qw(file token n1mm wsjtx);
}

# Returns the first record that a program sends for a contact, by its own clock and dial. The record can lack a known
# value, shorten it, or replace it with another program's outdated value.
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

# Stores the last record that a program sent for the contact: one record per combination of time, callsign and
# frequency. A program with ids has only one record, and its other source keeps no value that the program has corrected
# since. Values that a token sent without effect are not stored.
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

# Updates the truth after the service has received this record. The last correction of a value is stored, and the first
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

# Sends pairs of a truth and a record, and returns the fault in the answer.
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
    if (chance(0.5)) { # sends through the page
        my $answer = $self->{browser}->post('import', { adif => $file, dryRun => JSON::PP::false() });
        return $answer->status == 200 && !$answer->json->{rejected} ? '' : $answer->status . $answer->body;
    }
    my $report = import_adif($self->{service}, $self->{callsign}, adif_file($self->{service}, $file));
    return $report->{status} == 0 ? '' : join '; ', $report->{errors}, @{$report->{details}};
}

1;
