-- Transactions, and the savepoint of one entry of a batch.

-- name: begin_read
BEGIN;

-- name: begin_write
-- Begins a write transaction. The statement runs under the writer lock, so it does not wait.
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: begin_entry
SAVEPOINT entry;

-- name: release_entry
RELEASE entry;

-- name: rollback_to_entry
ROLLBACK TO entry;
