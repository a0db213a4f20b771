use QSOsync::Test fronts => 'none';

# The first view of Logbook and of Awards is shown when its last module has arrived. On a slow connection, each module
# that is requested only after another module has arrived costs a round trip. Therefore the profile page itself requests
# all modules of these sections, which this test finds by the imports in the built files.
my $folder = "$QSOsync::Front::BUILD/pages";
sub text_of { QSOsync::Front::read_file("$folder/$_[0]") }

# Returns the names of these modules and of all modules that they import.
sub reached {
    my (@names) = @_;
    my %seen;
    while (defined(my $name = shift @names)) {
        push @names, text_of($name) =~ m{^import (?:[^;\n]* from )?"\./([\w.-]+)";$}mg if !$seen{$name}++;
    }
    return %seen;
}

my %page = reached('profile.js');
for my $section (qw(log awards)) {
    my ($list) = text_of('profile.js') =~ /^ *"$section",\s*\(\) => \[(.*?)\]/ms or die "no section $section";
    my @requested = $list =~ m{import\("\./([\w.-]+)"\)}g;
    cmp_ok scalar @requested, '>', 2, "the section $section requests several modules";
    my %late = reached(@requested);
    delete @late{@requested, keys %page};
    is_deeply [sort keys %late], [], "the section $section requests all of its modules at once";
}

done_testing;
