use QSOsync::Test fronts => 'nginx';
use File::Temp ();

# ISA-L is recommended, not needed: where it is missing, or cannot be loaded, the worker leaves compression to the front
# server and serves as before.
plan skip_all => 'the worker was built without the library' unless QSOsync::Front::worker_compresses();
my $libraries = File::Temp->newdir;
open my $file, '>', "$libraries/libisal.so.2" or die $!;
close $file;
chmod 0755, "$libraries";
my $service = QSOsync::Service->start(environment => { LD_LIBRARY_PATH => "$libraries" });
is $service->post_batch([map { qso() } 1 .. 10])->status, 200, 'a worker without ISA-L saves';
my $page = $service->get('/logs', headers => { 'Accept-Encoding' => 'gzip' });
is $page->status . ' ' . ($page->header('Content-Encoding') // ''), '200 gzip',
    'a page of a worker without ISA-L is compressed by the front server';
is scalar($service->download), 10, 'a worker without ISA-L goes on serving';

done_testing;
