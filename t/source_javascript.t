use QSOsync::Test fronts => 'none', slow => 30;

# The JavaScript of the pages and of the client kit: layout, mistakes, types, and the tests of what is pure.
my $source = $QSOsync::Front::SOURCE;
plan skip_all => 'the tools are installed by ./bootstrap --browser' if !-x "$source/t/browser/node_modules/.bin/tsc";
plan skip_all => 'the texts of the pages are built elsewhere' if !-e "$source/pages/languages.js";
my $said = qx("$source/t/javascript/check" 2>&1);
is $?, 0, 'the JavaScript of the pages and of the client kit passes its checks' or diag $said;

done_testing;
