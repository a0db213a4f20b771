-- What a backup has to carry so that it alone brings everything back, and since when each of it holds: of what was
-- decided twice, a restore keeps the later decision.

-- what crypt(3) made of the password for the pages; NULL: none
ALTER TABLE members ADD COLUMN password_hash TEXT CHECK (length(password_hash) BETWEEN 1 AND 500);
-- stamp of the write that set it or took it away; 0: nobody ever did
ALTER TABLE members ADD COLUMN password_set_at INTEGER NOT NULL DEFAULT 0;

-- stamp of the write that switched uploads on or off; 0: nobody ever did
ALTER TABLE logbook ADD COLUMN uploads_set_at INTEGER NOT NULL DEFAULT 0;
UPDATE logbook SET uploads_set_at = last_stamp WHERE EXISTS (SELECT 1 FROM members);

-- stamp of the last restore; 0: none
ALTER TABLE logbook ADD COLUMN restored_at INTEGER NOT NULL DEFAULT 0;
