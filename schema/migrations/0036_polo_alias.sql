-- A QSO that was in the log already has its clientId, and PoLo knows it by another UUID.

ALTER TABLE polo_records ADD COLUMN alias BLOB CHECK (length(alias) = 16);
CREATE UNIQUE INDEX polo_records_by_alias ON polo_records (member_id, alias) WHERE alias IS NOT NULL;
