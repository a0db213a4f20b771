-- Claims that come are counted by the page that brings them.

DROP TRIGGER claims_count_insert;
