# Makes random choices for tests. The choices depend on srand.
package QSOsync::Chance;
use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(pick chance shuffle);

sub pick { return $_[rand @_] }
sub chance { return rand() < $_[0] }
sub shuffle { my @from = @_; return map { splice @from, rand @from, 1 } 1 .. @from }

1;
