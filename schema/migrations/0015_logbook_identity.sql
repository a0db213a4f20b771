-- Whose backup a file is, and when the club decided what it says of itself, column by column.

-- 16 random bytes; backups and restores keep them. A backup of an older schema gets others each time that it is brought
-- forward: a restore knows it by its members.
ALTER TABLE logbook ADD COLUMN identity BLOB CHECK (length(identity) = 16);
UPDATE logbook SET identity = randomblob(16);

-- stamps of the writes that set each of them or took it away; 0: nobody ever did, as far as is known
ALTER TABLE club ADD COLUMN name_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN text_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN link_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN contact_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN legal_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN address_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN numbers_set_at INTEGER NOT NULL DEFAULT 0;
UPDATE club SET
    name_set_at = iif(name IS NULL, 0, set_at), text_set_at = iif(text IS NULL, 0, set_at),
    link_set_at = iif(link IS NULL, 0, set_at), contact_set_at = iif(contact IS NULL, 0, set_at),
    legal_set_at = iif(legal IS NULL, 0, set_at), address_set_at = iif(address IS NULL, 0, set_at),
    numbers_set_at = iif(numbers IS NULL, 0, set_at);
ALTER TABLE club DROP COLUMN set_at;
