-- What was refused to a key, so that "it does not sync" has an answer.

-- The last refusal of each API key.
CREATE TABLE key_refusals (
    key_id INTEGER PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
    refused_at INTEGER NOT NULL,
    -- the error's code, or the code or sentence of the first rejected entry of a batch
    code TEXT NOT NULL,
    -- the field that it was about
    field TEXT,
    -- entries that were rejected together; 1 for a request that was refused whole
    entries INTEGER NOT NULL CHECK (entries >= 1)
) STRICT;
