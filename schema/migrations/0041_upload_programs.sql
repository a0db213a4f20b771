-- The program that used an upload token, for the member's list of tokens.

ALTER TABLE upload_tokens ADD COLUMN last_program TEXT CHECK (length(last_program) BETWEEN 1 AND 40);
