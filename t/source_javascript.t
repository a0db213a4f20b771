use QSOsync::Test fronts => 'none', slow => 30, suite => 'all';

# The JavaScript of the pages and of the client kit has the required layout, no errors, and strict types. Its pure
# functions pass their tests.
SKIP: {
    my $source = $QSOsync::Front::SOURCE;
    skip 'the tools are installed by ./bootstrap --browser', 1 if !-x "$source/t/browser/node_modules/.bin/tsc";
    skip 'the texts of the pages are not built here', 1 if !-e "$source/pages/languages.js";
    my $said = qx("$source/t/javascript/check" 2>&1);
    is $?, 0, 'the JavaScript of the pages and of the client kit passes its checks' or diag $said;
}

done_testing;
