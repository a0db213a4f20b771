-- Restoring. Each of these lists one statement for every table or index, for a logbook to which the backup's copy is
-- attached as candidate.

-- name: list_index_creations
-- Without those that belong to a column's UNIQUE.
SELECT sql AS statement
FROM sqlite_schema
WHERE type = 'index' AND sql IS NOT NULL;

-- name: list_index_removals
SELECT printf('DROP INDEX main."%w"', name) AS statement
FROM sqlite_schema
WHERE type = 'index' AND sql IS NOT NULL;

-- name: list_row_deletions
SELECT printf('DELETE FROM main."%w"', name) AS statement
FROM sqlite_schema
WHERE type = 'table' AND name NOT LIKE 'sqlite%';

-- name: list_row_copies
-- Generated columns are left out.
SELECT printf('INSERT INTO main."%w" (%s) SELECT %s FROM candidate."%w"', name, columns, columns, name) AS statement
FROM (SELECT name, (SELECT group_concat(printf('"%w"', name)) FROM pragma_table_info(tables.name, 'main')) AS columns
    FROM sqlite_schema AS tables
    WHERE type = 'table' AND name NOT LIKE 'sqlite%');
