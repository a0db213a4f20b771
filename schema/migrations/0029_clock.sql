-- What is remembered of the clock, so that a wrong one makes nothing old.

ALTER TABLE logbook ADD COLUMN clock_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE logbook ADD COLUMN clock_boot INTEGER NOT NULL DEFAULT 0;
ALTER TABLE logbook ADD COLUMN clock_uptime INTEGER NOT NULL DEFAULT 0;
ALTER TABLE logbook ADD COLUMN clock_doubted_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE logbook ADD COLUMN clock_confirmed INTEGER NOT NULL DEFAULT 0;
