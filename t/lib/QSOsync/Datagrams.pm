# Builds datagrams as logging programs send them, byte for byte.
package QSOsync::Datagrams;
use strict;
use warnings;
use Exporter 'import';
use IO::Socket::INET;
use QSOsync::Adif qw(adif_record);

our @EXPORT = qw(wsjtx_record wsjtx wsjtx_session n1mm send_to);

# Returns a string as Qt writes it: the length in four bytes, big-endian, and the bytes. undef has the length FFFFFFFF.
sub text { defined $_[0] ? pack('N/a*', $_[0]) : pack('N', 0xFFFFFFFF) }

# Returns a message of WSJT-X: magic, schema, type, the program's name, and the fields of the type.
sub wsjtx {
    my ($type, $payload, %option) = @_;
    return pack('NNN', 0xADBCCBDA, $option{schema} || 2, $type) . text(exists $option{id} ? $option{id} : 'WSJT-X')
        . $payload;
}

# Returns a record as WSJT-X writes it.
sub wsjtx_record {
    my (%fields) = (call => '26AT101', gridsquare => 'IO91', mode => 'FT8', rst_sent => '-08', rst_rcvd => '-12',
        qso_date => '20260517',
        time_on => '194211', qso_date_off => '20260517', time_off => '194315', band => '11m', freq => '27.266500',
        station_callsign => '21SD333', my_gridsquare => 'JO59jw', tx_pwr => '12',
        comment => 'FT8  Sent: -08  Rcvd: -12', @_);
    return adif_record(map { defined $fields{$_} ? ($_ => $fields{$_}) : () } sort keys %fields);
}

# Returns the datagrams of a session for one QSO: heartbeat, status, a decode, "QSO Logged", and the ADIF text last.
sub wsjtx_session {
    my (%fields) = @_;
    my $adif = "\n<adif_ver:5>3.1.0\n<programid:6>WSJT-X\n<EOH>\n" . wsjtx_record(%fields);
    my ($hour, $minute, $second) = ($fields{time_on} || '194211') =~ /../g;
    # The moment is a Julian day in eight bytes, the milliseconds of the day, and 1 for UTC.
    my $moment = pack 'NNNC', 0, 2461178, 1000 * (3600 * $hour + 60 * $minute + $second), 1;
    my $call = $fields{call} || '26AT101';
    return (wsjtx(0, pack('N', 3) . text('2.6.1') . text('')),
        wsjtx(1, pack('NN', 0, 27265000) . text('FT8') . text($call) . text('-08') . text('FT8') . pack('CCC', 0, 0, 1)
        . pack('NN', 1500, 1500)
            . text('21SD333') . text('JO59jw') . text('IO91') . pack('C', 0) . text(undef) . pack('C', 0)),
        wsjtx(2, pack('CNN', 1, 70905000, 0xFFFFFFF8) . pack('d>', 0.3) . pack('N', 1500) . text('~')
        . text("21SD333 $call RR73")
            . pack('CC', 0, 0)),
        wsjtx(5, $moment . text($call) . text('IO91') . pack('NN', 0, 27266500) . text('FT8') . text('-08')
        . text('-12') . text('12') . text('')
            . text('') . $moment . text('') . text('21SD333') . text('JO59jw') . text('') . text('') . text('')),
        wsjtx(12, text($adif)));
}

# Returns N1MM's XML. fldigi sends the same XML without contestname and ID, and with frequencies in Hz.
sub n1mm {
    my ($root, %fields) = @_;
    %fields = (app => 'N1MM', contestname => 'DX', contestnr => 1, timestamp => '2026-05-17 19:42:11',
        mycall => '21SD333', band => 27,
        rxfreq => 2755500, txfreq => 2755500, operator => '21SD333', mode => 'USB', call => '26AT101', snt => '59',
        rcv => '57', gridsquare => 'IO91wm', comment => '', name => '', power => '', StationName => 'SHACK',
        ID => 'a1b2c3d4e5f60718293a4b5c6d7e8f90', %fields);
    return qq{<?xml version="1.0" encoding="utf-8"?>\n<$root>\n}
        . join('', map { defined $fields{$_} ? "\t<$_>$fields{$_}</$_>\n" : () } sort keys %fields) . "</$root>\n";
}

sub send_to {
    my ($port, @datagrams) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Proto => 'udp') or die "udp: $!";
    defined $socket->send($_) or die "udp: $!" for @datagrams;
}

1;
