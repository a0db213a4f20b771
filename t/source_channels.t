use QSOsync::Test fronts => 'none';

# The channels and tones in schema/ must equal those of at least three independent sources for each plan. Each file in
# t/data/channels is an extract of a source. Its first lines name the source, and say which part the extract has.

my $source = $QSOsync::Front::SOURCE;
sub rows { return map { /^#/ ? () : [split /\t/] } split /\n/, QSOsync::Front::read_file($_[0]) }
sub table {
    my ($form, $name) = @_;
    open my $output, '-|', $^X, "$source/src/build/channels", $form, "$source/schema/$name.tsv" or die $!;
    return map { /^(\w+)\((.*)\)$/ ? ["$1", split /, /, $2 =~ tr/"//dr] : () } <$output>;
}

my %mhz; # by plan and name
for my $run (grep { $_->[0] eq 'RUN' } table('rows', 'channels')) {
    my ($plan, $letter, $after, $first, $last, $hz) = @$run[1 .. 6];
    $mhz{$plan}{"$letter$_$after"} = sprintf '%.5f', ($hz + ($_ - $first) * 10_000) / 1e6 for $first .. $last;
}
my %list;
push @{$list{lc $_->[0]}}, $_->[1] for table('tones-rows', 'tones');
$mhz{ctcss}{$_ + 1} = $list{ctcss}[$_] for 0 .. $#{$list{ctcss}};
$mhz{more}{$_ + 39} = $list{more}[$_] for 0 .. $#{$list{more}};
my %all = (tone => [sort { $a <=> $b } @{$list{ctcss}}, @{$list{more}}], dcs => $list{dcs});

my %sources; # by plan
for my $path (sort glob "$source/t/data/channels/*.tsv") {
    my ($name) = $path =~ m{([^/]+)\.tsv$};
    my (%seen, @wrong);
    for my $row (rows($path)) {
        my ($plan, $channel, $value) = @$row;
        push @{$seen{$plan}}, $value;
        next if $all{$plan};
        my $ours = $mhz{$plan}{$channel} // 'none';
        push @wrong, "$plan $channel: $value, but $ours here" if $ours eq 'none' || $ours != $value;
    }
    is_deeply $seen{$_}, $all{$_}, "$name has our $_ list" for grep { $all{$_} } sort keys %seen;
    is join('; ', @wrong), '', "our tables have the values of $name";
    push @{$sources{$_}}, $name for keys %seen;
}
# The numbers above 38 have no standard, so they are asked, and only one source has them. The plan ru0 is the plan ru5
# with another end, as one source says.
for my $plan (qw(eu a de uk pl ru5 export ctcss tone dcs)) {
    cmp_ok scalar @{$sources{$plan} // []}, '>=', 3, "$plan agrees with @{$sources{$plan} // []}";
}
is $mhz{ru0}{$_}, sprintf('%.5f', $mhz{ru5}{$_} - 0.005), "channel $_ of the grids that end in 0 is 5 kHz lower"
    for qw(A1 B19 C19 D40 E11);
is scalar(keys %{$mhz{$_->[0]}}), $_->[1], "$_->[0] has $_->[1] channels"
    for ['eu', 40], ['a', 5], ['de', 80], ['uk', 40], ['pl', 40], ['export', 80], ['ctcss', 38];
# QSOs store three decimals, which must not unite two channels of a plan.
for my $plan (qw(eu de uk pl ru5 ru0 export)) {
    my %count;
    $count{sprintf '%.0f', 1000 * $_}++ for values %{$mhz{$plan}};
    is join(' ', grep { $count{$_} > 1 } sort keys %count), '', "each frequency of $plan has one channel";
}
done_testing;
