use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Kit;
use QSOsync::Worker;

# The kit has the published fields of the service. A new field needs no change to the kit.
my $source = $QSOsync::Front::SOURCE;
my $json = JSON::PP->new->canonical->allow_nonref;
my $folder = tempdir(CLEANUP => 1);

# Returns the value of a Python expression that uses the kit's module in a folder.
sub ask_kit {
    my ($modules, $program, @arguments) = @_;
    utf8::encode($_) for @arguments;
    my @command = ('python3', '-c', "import sys, json\nsys.dont_write_bytecode = True\n"
        . "sys.path.insert(0, sys.argv[1])\nimport qsosync\n"
        . "globals().update(vars(qsosync))\nprint(json.dumps($program))", $modules, @arguments);
    open my $output, '-|', @command or die "python3: $!";
    my $text = do { local $/; <$output> };
    close $output or die 'the kit failed';
    return $json->decode($text);
}

# The kit's fields equal the fields in the published description.
my $answer = QSOsync::Cgi::answer($folder, { PATH_INFO => '/openapi.json', SCRIPT_NAME => '/api/v1',
    QSOSYNC_DB => '/nonexistent', QSOSYNC_RATE_LIMIT => 0 });
my $schemas = $answer->json->{components}{schemas};
my %sent = %{$schemas->{QsoEntry}{properties}};
delete @sent{qw(baseSyncedAt match program programId)}; # not fields of a QSO
my %returned = %{$schemas->{Qso}{properties}};
my ($kept) = $schemas->{QsoEntry}{description} =~ /except (.*), which keep/;

my $installed = QSOsync::Kit::client('qsosync.py') =~ s{/[^/]*\z}{}r;
my $fields = ask_kit($installed, '{name: field._asdict() for name, field in FIELDS.items()}');
is_deeply [sort keys %$fields], [sort keys %{{ %sent, %returned }}],
    'the kit has exactly the fields of the service';
my %type = (integer => 'integer', real => 'number', boolean => 'boolean');
my $patterns = ask_kit($installed, 'PATTERNS');
for my $name (sort keys %$fields) {
    my $field = $fields->{$name};
    my $published = $sent{$name} || $returned{$name};
    my %is = map { $_ => 1 } @{$field->{flags}};
    my ($type, $null) = ref $published->{type} ? @{$published->{type}} : $published->{type};
    my $pattern = $field->{kind} eq 'locator' ? "^$patterns->{locator}\$" : $field->{pattern};
    my %kit = (type => $type{$field->{kind}} || 'string', null => $sent{$name} ? !$is{required} : !$is{never_null},
        read_only => !!$is{read_only}, write_only => !!$is{write_only}, kept => !!$is{kept_on_update},
        choices => $field->{choices}, pattern => $pattern);
    my %service = (type => $type, null => defined $null, read_only => !$sent{$name}, write_only => !$returned{$name},
        kept => !!grep({ $_ eq $name } split /, /, $kept), choices => [grep { defined } @{$published->{enum} || []}],
        pattern => $published->{pattern} || '');
    if (exists $published->{minimum}) {
        @kit{'minimum', 'maximum'} = @$field{'minimum', 'maximum'};
        @service{'minimum', 'maximum'} = @$published{'minimum', 'maximum'};
    }
    ($kit{length}, $service{length}) = ($field->{maximum}, $published->{maxLength}) if exists $published->{maxLength};
    my @variants = @{$schemas->{QsoEntry}{oneOf}};
    my @allowing = grep { ($_->{properties}{$name}{type} // '') ne 'null' } @variants;
    ($kit{bands}, $service{bands}) = ($field->{bands}, @allowing == @variants ? [] : [map { $_->{title} } @allowing]);
    is $json->encode(\%kit), $json->encode(\%service), "the kit and the service describe $name alike";
}
my @typed = QSOsync::Front::read_file(QSOsync::Kit::client('qsosync.js')) =~ /^ \* \@typedef \{object\} Qso .*?\*\//ms;
my %property = map { /\@property \{([^}]+)\} (\w+)/ ? ($2 => $1) : () } split /\n/, $& if @typed;
is_deeply [sort keys %property], [sort keys %returned],
    'the JavaScript types have the fields that the service returns';
for my $name (sort keys %property) {
    my $published = $returned{$name};
    my @types = ref $published->{type} ? @{$published->{type}} : $published->{type};
    my @choices = map { defined ? qq("$_") : 'null' } @{$published->{enum} || []};
    is $property{$name}, join(' | ', @choices ? @choices : map { s/integer/number/r } @types),
        "the JavaScript type of $name equals the published type";
}

# The kit uses a field that the service adds, without a change to the kit.
my $facts = $json->decode(QSOsync::Front::read_file("$source/schema/fields.json"));
push @{$facts->{fields}}, { name => 'weather', column => 'weather', kind => 'text', maximum => 12,
    description => 'Weather, such as "rain", if {known}.', example => 'rain' },
    { name => 'polarisation', column => 'polarisation', kind => 'choice', choices => [['H'], ['V']],
    description => 'Of the antenna.', example => undef };
QSOsync::Front::write_file("$folder/fields.json", JSON::PP->new->utf8->encode($facts));
symlink $_, "$folder/" . (m{([^/]+)\z})[0] for map { glob "$source/schema/$_" } qw(*.tsv);
my $fill = "perl '$source/src/build/fields' '$folder/fields.json' fill";
my $made = system("'$source/src/build/assemble-client' '$source/src/clients/qsosync.py' | $fill >'$folder/qsosync.py'");
is $made, 0, 'the kit can be built with two additional fields';

my $qso = { %{full_qso()}, weather => "rain, 5\N{U+B0}", polarisation => 'V' };
my $file = ask_kit($folder, 'format_file([json.loads(sys.argv[2])], "21SD333").decode()', $json->ascii->encode($qso));
like $file, qr/<APP_QSOSYNC_WEATHER:9>rain, 5/, 'an additional text is exported';
like $file, qr/<APP_QSOSYNC_POLARISATION:1>V/, 'an additional choice is exported';
my $read = '[read_qso(fields, "21SD333") for _, fields, _ in read_records(sys.argv[2].encode())][0]';
my ($imported, $losses, $unknown) = @{ask_kit($folder, $read, $file)};
is $imported->{weather}, "rain, 5\N{U+B0}", 'an exported additional text is imported';
is $imported->{polarisation}, 'V', 'an exported additional choice is imported';
is_deeply [@$losses, @$unknown], [], 'an import loses no additional field';
($imported, $losses) = @{ask_kit($folder, $read, $file =~ s/WEATHER:9>rain/WEATHER:20>fog, snow, rain/r
    =~ s/POLARISATION:1>V/POLARISATION:1>X/r)};
is_deeply [map { $_->[0] } @$losses], ['APP_QSOSYNC_WEATHER', 'APP_QSOSYNC_POLARISATION'],
    'bounds and choices of additional fields are checked';
is_deeply ask_kit($folder, 'merge(json.loads(sys.argv[2]), {"weather": "fog"})', $json->ascii->encode($qso)),
    { %{ask_kit($folder, 'EMPTY_QSO')}, %$qso{grep { $_ ne 'clientId' } keys %$qso}, weather => 'fog' },
    'merging a value of an additional field changes only that field';
my $types = qx($fill <'$source/src/clients/qsosync.js');
like $types, qr/^ \* \@property \{string \| null\} weather\n \* \@property \{"H" \| "V" \| null\} polarisation$/m,
    'the JavaScript types have the additional fields';

done_testing;
