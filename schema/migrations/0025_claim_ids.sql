-- The id by which a peer knows a claim names the member, too: each peer asks for everything again.

UPDATE logbook SET claims_epoch = claims_epoch + 1;
