-- The switch that allows authors of programs to create sandboxes.

-- NULL, as at first: off
ALTER TABLE club ADD COLUMN sandbox TEXT CHECK (sandbox IN ('on', 'off'));
ALTER TABLE club ADD COLUMN sandbox_set_at INTEGER NOT NULL DEFAULT 0;
