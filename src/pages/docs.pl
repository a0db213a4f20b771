#!/usr/bin/perl
# docs.pl <openapi.json >docs.html: the description of the API as one static page for people, without a
# script in it. It knows OpenAPI, not this API: what it shows is in the description.
use strict;
use warnings;
use Scalar::Util qw(refaddr);

binmode STDIN, ':encoding(UTF-8)';
binmode STDOUT, ':encoding(UTF-8)';

# -- JSON, which keeps the order of names ----------------------------------------------------------

my %order_of; # names of an object, in their order, by its address

sub names_of { my ($object) = @_; return @{$order_of{refaddr $object} || []} }

sub parse_value {
    my ($text) = @_; # a reference, whose pos() moves on
    $$text =~ /\G\s+/gc;
    return parse_object($text) if $$text =~ /\G\{\s*/gc;
    return parse_array($text) if $$text =~ /\G\[\s*/gc;
    return parse_string($text) if $$text =~ /\G(?=")/gc;
    return undef if $$text =~ /\Gnull\b/gc;
    return \"$1" if $$text =~ /\G(true\b|false\b|-?[0-9][0-9.eE+-]*)/gc; # a reference tells them from texts
    die 'the description is not JSON at ' . (pos($$text) || 0) . "\n";
}

sub parse_object {
    my ($text) = @_;
    my (%object, @names);
    until ($$text =~ /\G\s*\}/gc) {
        my $name = parse_string($text);
        $$text =~ /\G\s*:/gc or die "a name without a value\n";
        push @names, $name;
        $object{$name} = parse_value($text);
        $$text =~ /\G\s*,\s*/gc;
    }
    my $object = \%object;
    $order_of{refaddr $object} = \@names;
    return $object;
}

sub parse_array {
    my ($text) = @_;
    my @array;
    until ($$text =~ /\G\s*\]/gc) {
        push @array, parse_value($text);
        $$text =~ /\G\s*,\s*/gc;
    }
    return \@array;
}

my %ESCAPES = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");
sub parse_string {
    my ($text) = @_;
    $$text =~ /\G"((?:[^"\\]|\\.)*)"/gc or die "a text does not end\n";
    my $string = $1;
    $string =~ s/\\(?:u([0-9a-fA-F]{4})|(.))/defined $1 ? chr hex $1 : $ESCAPES{$2} \/\/ $2/ge;
    return $string;
}

sub format_string {
    my ($string) = @_;
    $string =~ s/(["\\])/\\$1/g;
    $string =~ s/([\x00-\x1f'])/sprintf '\\u%04x', ord $1/ge; # ' as well: it ends a word of the shell
    return "\"$string\"";
}

# A value as text, indented.
sub format_value {
    my ($value, $indent) = @_;
    $indent //= '';
    my $inner = "$indent  ";
    return 'null' unless defined $value;
    if (ref $value eq 'HASH') {
        my @members = map { $inner . format_string($_) . ': ' . format_value($value->{$_}, $inner) } names_of($value);
        return @members ? "{\n" . join(",\n", @members) . "\n$indent}" : '{}';
    }
    if (ref $value eq 'ARRAY') {
        my @items = map { $inner . format_value($_, $inner) } @$value;
        return @items ? "[\n" . join(",\n", @items) . "\n$indent]" : '[]';
    }
    return ref $value ? $$value : format_string($value);
}

# A number, true or false, or a text as it stands.
sub plain { my ($value) = @_; return ref $value ? $$value : $value }

# -- HTML ------------------------------------------------------------------------------------------

my $text = do { local $/; <STDIN> };
my $api = parse_value(\$text);

sub escape {
    my ($text) = @_;
    my %entities = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
    return ($text // '') =~ s/([&<>"])/$entities{$1}/gr;
}

sub code { return '<code>' . escape($_[0]) . '</code>' }

sub anchor { return lc($_[0]) =~ s/[^a-z0-9]+/-/gr =~ s/\A-|-\z//gr }

# The object that a reference stands for.
sub resolve {
    my ($object) = @_;
    my $path = $object->{'$ref'} or return $object;
    my $found = $api;
    $found = $found->{$_} for grep { $_ ne '#' } split m{/}, $path;
    return resolve($found || die "nothing is at $path\n");
}

sub link_to_schema {
    my ($schema) = @_;
    my ($name) = ($schema->{'$ref'} || '') =~ m{([^/]+)\z} or return '';
    return '<a href="#' . anchor("data $name") . '">' . escape($name) . '</a>';
}

# A table whose rows become blocks where the screen is narrow, each cell with its heading; it stays a table for readers
# of the screen by its roles.
sub table {
    my ($caption, $heads, @rows) = @_;
    return '' unless @rows;
    my $head = join '', map { "<th role=\"columnheader\" scope=\"col\">$_</th>" } @$heads;
    my $body = join '', map {
        my ($first, @others) = @$_;
        my $place = 0;
        my $cells = join '', map { $place++; "<td role=\"cell\" data-name=\"$heads->[$place]\">$_</td>" } @others;
        "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">$first</th>$cells</tr>\n"
    } @rows;
    return '<div class="scroll" role="group" tabindex="0" aria-label="' . escape($caption) . "\">\n<table role=\"table\">\n<caption>"
        . escape($caption) . "</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">$head</tr></thead>\n"
        . "<tbody role=\"rowgroup\">\n$body</tbody>\n</table>\n</div>\n";
}

# -- what a schema allows --------------------------------------------------------------------------

sub type_of {
    my ($schema) = @_;
    return link_to_schema($schema) if $schema->{'$ref'};
    my @types = grep { $_ ne 'null' } ref $schema->{type} ? @{$schema->{type}} : $schema->{type} // ();
    my $type = join ' or ', @types;
    return "array of " . (type_of($schema->{items} || {}) || 'values') if $type eq 'array';
    return $type . (is_nullable($schema) ? ' or null' : '');
}

sub is_nullable {
    my ($schema) = @_;
    return ref $schema->{type} && grep { $_ eq 'null' } @{$schema->{type}};
}

sub constraints_of {
    my ($schema) = @_;
    my @words;
    push @words, 'one of ' . join ' ', map { code($_) } grep { defined } @{$schema->{enum}} if $schema->{enum};
    push @words, 'always ' . code(format_value($schema->{const})) if exists $schema->{const};
    push @words, escape($schema->{format}) if $schema->{format};
    push @words, 'like ' . code($schema->{pattern}) if $schema->{pattern};
    for my $bounds ([qw(minimum maximum), ''], [qw(minLength maxLength), 'characters'], [qw(minItems maxItems), 'entries']) {
        my ($low, $high, $unit) = @$bounds;
        my $range = join ' ', (defined $schema->{$low} ? 'from ' . plain($schema->{$low}) : ()),
            (defined $schema->{$high} ? (defined $schema->{$low} ? 'to ' : 'at most ') . plain($schema->{$high}) : ()), $unit || ();
        push @words, $range if defined $schema->{$low} || defined $schema->{$high};
    }
    push @words, 'default ' . code(plain($schema->{default})) if defined $schema->{default};
    push @words, 'one of ' . join ' ', map { code($_) } @{$schema->{'x-codes'}} if $schema->{'x-codes'};
    push @words, 'never returned' if $schema->{writeOnly};
    return join '; ', @words;
}

# Rows of a table for the properties of an object, and of the objects in them.
sub rows_of {
    my ($schema, $prefix) = @_;
    $prefix //= '';
    my %required = map { $_ => 1 } @{$schema->{required} || []};
    my @rows;
    for my $name (names_of($schema->{properties} || {})) {
        my $property = $schema->{properties}{$name};
        my $words = join '. ', grep { length } escape($property->{description} // '') =~ s/\.\z//r, constraints_of($property);
        push @rows, [code($prefix . $name), type_of($property), $required{$name} ? 'yes' : 'no', $words ? "\u$words." : ''];
        my $inner = $property->{items} && !$property->{items}{'$ref'} ? $property->{items} : $property;
        push @rows, rows_of($inner, $prefix . $name . ($inner == $property ? '.' : '[].')) if $inner->{properties};
    }
    return @rows;
}

# An example of a schema: its own, or one made of the examples that it refers to.
sub example_of {
    my ($schema) = @_;
    $schema = resolve($schema);
    return $schema->{examples}[0] if $schema->{examples};
    return [example_of($schema->{items})] if $schema->{items};
    return unless $schema->{properties};
    my @names = names_of($schema->{properties});
    my $example = { map { $_ => example_of($schema->{properties}{$_}) } @names };
    $order_of{refaddr $example} = \@names;
    return $example;
}

# -- the sections ----------------------------------------------------------------------------------

# [method, path, operation], in the order of the description.
sub operations {
    my @operations;
    for my $path (names_of($api->{paths})) {
        push @operations, map { [uc, $path, $api->{paths}{$path}{$_}] } grep { /\A(?:get|post|put|patch|delete)\z/ }
            names_of($api->{paths}{$path});
    }
    return @operations;
}

sub is_public {
    my ($operation) = @_;
    return $operation->{security} && !@{$operation->{security}};
}

sub body_schema {
    my ($operation) = @_;
    my $body = $operation->{requestBody} or return;
    return resolve($body)->{content}{'application/json'}{schema};
}

# A line for the shell, with the service in $U and the key in $A.
sub curl_of {
    my ($method, $path, $operation) = @_;
    my $example = format_value(example_of(body_schema($operation))) if body_schema($operation);
    my ($id) = $text =~ /"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;
    $path =~ s/\{[^}]*\}/$id/g;
    return join ' ', 'curl', $method =~ /\A(?:GET|POST)\z/ ? () : "-X $method", is_public($operation) ? () : '-H "$A"',
        defined $example ? "-H 'Content-Type: application/json'" : (), "\"\$U$path\"", defined $example ? "-d '$example'" : ();
}

sub responses_of {
    my ($name, $operation) = @_;
    my @rows;
    for my $status (names_of($operation->{responses})) {
        my $response = resolve($operation->{responses}{$status});
        my $content = $response->{content}{'application/json'} || {};
        my $code = $content->{example} && $content->{example}{error} ? code($content->{example}{error}{code}) : '';
        my @headers = grep { !/\A(?:X-Request-Id|RateLimit-.*)\z/ } names_of($response->{headers} || {});
        push @rows, [$status, join('. ', map { escape($_) =~ s/\.\z//r } $response->{description}) . '.',
            $code || ($content->{schema} ? link_to_schema($content->{schema}) : ''), join ' ', map { code($_) } @headers];
    }
    return table("Answers to $name", ['Status', 'Meaning', 'Body', 'Headers'], @rows);
}

sub operation_section {
    my ($method, $path, $operation) = @_;
    my @parameters = map { resolve($_) } @{$operation->{parameters} || []};
    my $schema = body_schema($operation);
    return '<section aria-labelledby="' . anchor("$method $path") . "\">\n<h3 id=\"" . anchor("$method $path") . '"><span class="method">'
        . "$method</span> " . code($path) . "</h3>\n<p><strong>" . escape($operation->{summary}) . ".</strong> "
        . escape($operation->{description}) . "</p>\n" . (is_public($operation) ? "<p>Needs no key.</p>\n" : '')
        . table("Parameters of $method $path", ['Name', 'Where', 'Type', 'Required', 'Meaning'], map {
            my $words = constraints_of($_->{schema});
            [code($_->{name}), $_->{in}, type_of($_->{schema}), plain($_->{required} // '') eq 'true' ? 'yes' : 'no',
                escape($_->{description}) . ($words ? " \u$words." : '')]
        } @parameters)
        . ($schema ? '<p>Body: ' . link_to_schema($schema) . ", as <code>application/json</code>.</p>\n" : '')
        . responses_of("$method $path", $operation)
        . '<pre tabindex="0"><code>' . escape(curl_of($method, $path, $operation)) . "</code></pre>\n</section>\n";
}

sub schema_section {
    my ($name, $schema) = @_;
    my $id = anchor("data $name");
    my $html = "<section aria-labelledby=\"$id\">\n<h3 id=\"$id\">" . escape($name) . "</h3>\n<p>" . escape($schema->{description}) . "</p>\n"
        . table("Fields of $name", ['Field', 'Type', 'Required', 'Meaning'], rows_of($schema));
    my @examples = map { format_value($_) } @{$schema->{examples} || []};
    $html .= "<details>\n<summary>Example of " . escape($name) . "</summary>\n<pre tabindex=\"0\"><code>" . escape(join "\n", @examples)
        . "</code></pre>\n</details>\n" if @examples;
    return "$html</section>\n";
}

sub headers_section {
    my @rows = map { [code($_), escape($api->{components}{headers}{$_}{description})] } names_of($api->{components}{headers});
    return table('Headers of answers', ['Header', 'Meaning'], @rows);
}

sub contents {
    my @items = map { my ($method, $path) = @$_; '<li><a href="#' . anchor("$method $path") . '">' . "$method " . escape($path) . '</a></li>' }
        operations();
    my @data = map { '<li><a href="#' . anchor("data $_") . '">' . escape($_) . '</a></li>' } names_of($api->{components}{schemas});
    return '<nav aria-label="Contents">' . "\n<ul>\n<li><a href=\"#begin\">Before you begin</a></li>\n<li><a href=\"#requests\">Requests</a>\n<ul>"
        . join("\n", @items) . "</ul></li>\n<li><a href=\"#headers\">Headers</a></li>\n<li><a href=\"#data\">Data</a>\n<ul>" . join("\n", @data)
        . "</ul></li>\n</ul>\n</nav>\n";
}

sub head {
    my ($title, $info) = @_;
    return <<"END";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>$title</title>
<link rel="icon" href="../pages/icon.svg"/>
<link rel="stylesheet" href="../pages/site.css"/>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top">
<div>
<a class="brand" href="../"><img src="../pages/icon.svg" alt="" width="26" height="26"/>QSOsync</a>
<nav aria-label="Pages">
<a href="../cluster/">Spots</a>
<a href="../profile/">Profile</a>
<a href="../docs/" aria-current="page">Documentation</a>
</nav>
</div>
</header>
<main id="content" class="docs">
<h1>$title</h1>
<p>${\escape($info->{summary})}. ${\escape($info->{description})}</p>
END
}

sub begin_section {
    return <<'END';
<section aria-labelledby="begin">
<h2 id="begin">Before you begin</h2>
<p>A program needs the address of the service, which ends with <code>/api/v1</code>, and a key, which a member makes. Put
both into variables, and every line of this page can be copied into a shell:</p>
<pre tabindex="0"><code>A="Authorization: Bearer qsosync_..."
U=https://log.example.org/api/v1</code></pre>
<p>For programs, all of this page is in <a href="../api/v1/openapi.json">openapi.json</a>. How to keep in step with a
log, and what to do when something fails, is in the manual page qsosync(7).</p>
</section>
END
}

sub foot {
    return <<"END";
<footer>
<p>Made from the description of version ${\escape($api->{info}{version})} of the API, OpenAPI ${\escape($api->{openapi})}.</p>
</footer>
</body>
</html>
END
}

my $schemas = $api->{components}{schemas};
print head(escape($api->{info}{title}) . ': the API', $api->{info}), contents(), begin_section(),
    "<h2 id=\"requests\">Requests</h2>\n", (map { operation_section(@$_) } operations()),
    "<h2 id=\"headers\">Headers</h2>\n", headers_section(),
    "<h2 id=\"data\">Data</h2>\n", (map { schema_section($_, $schemas->{$_}) } names_of($schemas)), "</main>\n", foot();
