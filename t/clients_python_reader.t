use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Kit;

# The client kit reads and writes ADIF as the tables of cases specify. These tables also apply to the service
# (t/unit-adif-mapping.c), the pages (t/javascript/adif.test.js) and the app (t/javascript/adif-writer.test.js).
my $folder = QSOsync::Kit::client('qsosync.py') =~ s{/[^/]+\z}{}r;

sub cases {
    my ($name) = @_;
    return map { chomp; /\A#/ ? () : [split /\t/, $_, -1] }
        split /^/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/$name.tsv");
}

# Runs Python code that prints one line per cell. Returns these lines.
sub read_cells {
    my ($program, @cells) = @_;
    my $file = tempdir(CLEANUP => 1) . "/cells";
    QSOsync::Front::write_file($file, join '', map { "$_\n" } @cells);
    my $whole = <<~"END" . $program;
        import re, sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, "$folder")
        ESCAPES = {"n": "\\n", "r": "\\r", "t": "\\t", "\\\\": "\\\\"}
        LETTERS = {value: letter for letter, value in ESCAPES.items()}
        def unescape(cell):
            return re.sub(r"\\\\(?:x([0-9a-f]{2})|(.))",
                          lambda m: chr(int(m[1], 16)) if m[1] else ESCAPES[m[2]], cell).encode("latin-1")
        def escape(text):
            return "".join("\\\\" + LETTERS[c] if c in LETTERS else c if " " <= c <= "~" else f"\\\\x{ord(c):02x}"
                           for c in text)
        cells = [line.rstrip("\\n") for line in open("$file", encoding="ascii")]
        END
    open my $output, '-|', 'python3', '-c', $whole or die "python3: $!";
    my @lines = <$output>;
    close $output or die 'python3 failed';
    chomp @lines;
    return @lines;
}

{
    my @cases = cases('adif_records');
    my @read = read_cells(<<~'END', map { $_->[1] } @cases);
        from qsosync import read_records
        def describe(line, fields, trouble):
            if fields is None:
                return f"{line}! {trouble}"
            cut = [name for name, reason in fields.wrong.items() if reason == "is longer than its length says"]
            return f"{line}:" + "".join(f" {name}{'~' if name in cut else ''}={escape(value)};"
                                        for name, value in fields.items())
        for cell in cells:
            records = read_records(unescape(cell), decode=lambda value: (value.decode("latin-1"), None))
            print("\t".join(describe(*record) for record in records))
        END
    is scalar @read, scalar @cases, 'every file in the table is read';
    for my $case (@cases) {
        my ($rule, undef, @expected) = @$case;
        is shift @read, join("\t", @expected), $rule;
    }
}

{
    my @cases = cases('adif_values');
    my @read = read_cells(<<~'END', map { "$_->[1]\\t$_->[2]" } @cases);
        from qsosync import OtherBand, Refused, read_qso, read_records
        def value_of(qso, name):
            return "-" if qso.get(name) is None else str(qso[name])
        for cell in cells:
            record, _, expected = unescape(cell).partition(b"\t")
            file = b"<QSO_DATE:8>20260517<TIME_ON:6>194233" + record + b"<EOR>"
            (_, fields, _), = read_records(file)
            try:
                qso, losses, _ = read_qso(fields, "21SD333")
                names = [one.partition(b"=")[0].decode() for one in expected.split(b"; ")]
                told = "; ".join(f"{name}={value_of(qso, name)}" for name in names)
            except OtherBand:
                told, losses = "other band", []
            except Refused:
                told, losses = "refused", []
            print(told, " ".join(dict.fromkeys(name for name, _ in losses)), sep="\t")
        END
    is scalar @read, scalar @cases, 'every record in the table is read';
    is shift @read, "$_->[2]\t$_->[3]", "a record is read as expected: $_->[0]" for @cases;
}

{
    my @cases = cases('adif_written');
    my @written = read_cells(<<~'END', map { $_->[1] } @cases);
        from qsosync import ROWS, standard_fields
        rows = {row.name: row for row in ROWS}
        def value_of(name, text):
            return float(text) if rows[name].kind == "real" else rows[name].read(text) if text != "true" else True
        for cell in cells:
            given = (pair.partition("=") for pair in cell.split("; "))
            qso = {name: value_of(name, unescape(text).decode()) if rows[name].kind != "text"
                   else unescape(text).decode() for name, _, text in given}
            qso["qsoAt"] = "2026-05-17T19:42:33.000Z"
            fields = {name: escape(value.encode().decode("latin-1")) for name, value in standard_fields(qso)}
            assert (fields.pop("QSO_DATE"), fields.pop("TIME_ON")) == ("20260517", "194233")
            print("; ".join(f"{name}={value}" for name, value in sorted(fields.items())))
        END
    is scalar @written, scalar @cases, 'every QSO in the table is written';
    is shift @written, join('; ', sort split /; /, $_->[2]),
        "a QSO is written as expected: $_->[0]" for @cases;
}

done_testing;
