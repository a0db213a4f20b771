-- The accent colour of the pages.

-- NULL, as at first: blue
ALTER TABLE club ADD COLUMN accent TEXT CHECK (accent IN ('blue', 'green', 'teal', 'purple', 'pink', 'brown'));
ALTER TABLE club ADD COLUMN accent_set_at INTEGER NOT NULL DEFAULT 0;
