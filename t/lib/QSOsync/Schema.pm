# Checks a decoded value against a schema. Supports the part of JSON Schema that the API's description uses.
package QSOsync::Schema;
use strict;
use warnings;
use B ();
use JSON::PP ();

# new($document) returns a checker in which $ref refers to parts of the document.
sub new { bless { document => $_[1] }, $_[0] }

sub resolve {
    my ($self, $schema) = @_;
    while (ref $schema eq 'HASH' && defined $schema->{'$ref'}) {
        my $place = $self->{document};
        $place = $place->{$_} for grep { length } split m{/}, $schema->{'$ref'} =~ s/\A#//r;
        $schema = $place;
    }
    return $schema;
}

sub type_of {
    my ($value) = @_;
    return 'null' if !defined $value;
    return 'object' if ref $value eq 'HASH';
    return 'array' if ref $value eq 'ARRAY';
    return 'boolean' if JSON::PP::is_bool($value);
    return 'string' unless B::svref_2object(\$value)->FLAGS & (B::SVp_IOK | B::SVp_NOK);
    return $value == int $value ? 'integer' : 'number';
}

my %format = (
    uuid => qr/\A[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\z/,
    'date-time' => qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)\z/i,
);
my %known = map { $_ => 1 } qw($ref type enum const required properties additionalProperties items minItems maxItems
    minimum maximum minLength maxLength pattern format allOf anyOf oneOf not if then else description example examples
    default readOnly writeOnly title deprecated);

# Returns the value's faults as a list of texts, which is empty if the value is valid.
sub errors {
    my ($self, $schema, $value, $path) = @_;
    $path = '$' unless defined $path;
    $schema = $self->resolve($schema);
    return $schema ? () : "$path: nothing fits" if JSON::PP::is_bool($schema);
    return "$path: no schema" if ref $schema ne 'HASH';
    my @errors = map { "$path: this test does not support $_ in the schema" } grep { !$known{$_} && !/\Ax-/ }
        sort keys %$schema;
    my $type = type_of($value);
    my $text = ref $value ? JSON::PP->new->canonical->allow_nonref->encode($value) : defined $value ? $value : 'null';
    if (defined $schema->{type}) {
        my @types = ref $schema->{type} ? @{$schema->{type}} : $schema->{type};
        return (@errors, "$path: $text is $type, not @types")
            unless grep { $_ eq $type || ($_ eq 'number' && $type eq 'integer') } @types;
    }
    if ($schema->{enum}) {
        push @errors, "$path: $text is not one of the choices"
            unless grep { defined $_ && defined $value ? $_ eq $value : !defined $_ && !defined $value }
            @{$schema->{enum}};
    }
    push @errors, "$path: $text is not the constant" if exists $schema->{const}
        && $schema->{const} ne (defined $value ? $value : 'null');
    push @errors, $self->number_errors($schema, $value, $path) if $type =~ /\A(?:integer|number)\z/;
    push @errors, $self->string_errors($schema, $value, $path) if $type eq 'string';
    push @errors, $self->object_errors($schema, $value, $path) if $type eq 'object';
    push @errors, $self->array_errors($schema, $value, $path) if $type eq 'array';
    push @errors, $self->combined_errors($schema, $value, $path);
    return @errors;
}

sub number_errors {
    my ($self, $schema, $value, $path) = @_;
    return (defined $schema->{minimum} && $value < $schema->{minimum} ? "$path: $value is too small" : (),
        defined $schema->{maximum} && $value > $schema->{maximum} ? "$path: $value is too large" : ());
}

sub string_errors {
    my ($self, $schema, $value, $path) = @_;
    return (defined $schema->{maxLength} && length $value > $schema->{maxLength} ? "$path: too long" : (),
        defined $schema->{minLength} && length $value < $schema->{minLength} ? "$path: too short" : (),
        defined $schema->{pattern} && $value !~ /$schema->{pattern}/a
        ? "$path: $value does not match $schema->{pattern}" : (),
        # JSON Schema cannot limit a number in a text, so the API's description defines these keywords.
        defined $schema->{'x-minimum-khz'} && $value =~ /\A[0-9]+\.[0-9]+\z/
            && ($value * 1000 < $schema->{'x-minimum-khz'} || $value * 1000 > $schema->{'x-maximum-khz'})
            ? "$path: $value is out of the band" : (),
        $schema->{format} && $format{$schema->{format}} && $value !~ $format{$schema->{format}}
            ? "$path: $value is not a $schema->{format}" : ());
}

sub object_errors {
    my ($self, $schema, $value, $path) = @_;
    my $properties = $schema->{properties} || {};
    my @errors = map { "$path: $_ is missing" } grep { !exists $value->{$_} } @{$schema->{required} || []};
    push @errors, map { $self->errors($properties->{$_}, $value->{$_}, "$path.$_") }
        grep { exists $value->{$_} } sort keys %$properties;
    return @errors;
}

sub array_errors {
    my ($self, $schema, $value, $path) = @_;
    my @errors = defined $schema->{minItems} && @$value < $schema->{minItems} ? "$path: too few items" : ();
    push @errors, "$path: too many items" if defined $schema->{maxItems} && @$value > $schema->{maxItems};
    push @errors, map { $self->errors($schema->{items}, $value->[$_], "$path\[$_]") } 0 .. $#$value if $schema->{items};
    return @errors;
}

sub combined_errors {
    my ($self, $schema, $value, $path) = @_;
    my @errors = map { $self->errors($_, $value, $path) } @{$schema->{allOf} || []};
    for my $kind (qw(anyOf oneOf)) {
        my $list = $schema->{$kind} or next;
        my $fitting = grep { !$self->errors($_, $value, $path) } @$list;
        push @errors, "$path: $fitting schemas of $kind match" if $kind eq 'anyOf' ? $fitting < 1 : $fitting != 1;
    }
    push @errors, "$path: matches a forbidden schema"
        if $schema->{not} && !$self->errors($schema->{not}, $value, $path);
    if ($schema->{if}) {
        my $branch = $self->errors($schema->{if}, $value, $path) ? $schema->{else} : $schema->{then};
        push @errors, $self->errors($branch, $value, $path) if defined $branch;
    }
    return @errors;
}

1;
