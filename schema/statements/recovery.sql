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
-- Generated columns are left out. Into a table of the same columns that has neither index nor trigger, SQLite copies
-- whole records instead (https://www.sqlite.org/src/file/src/insert.c, xferOptimization), without testing each row's
-- constraints: the check of the backup has done so.
SELECT CASE WHEN is_plain
    THEN printf('INSERT INTO main."%w" SELECT * FROM candidate."%w"', name, name)
    ELSE printf('INSERT INTO main."%w" (%s) SELECT %s FROM candidate."%w"', name, columns, columns, name)
    END AS statement
FROM (SELECT name,
        (SELECT group_concat(printf('"%w"', name)) FROM pragma_table_info(tables.name, 'main')) AS columns,
        NOT EXISTS (SELECT 1 FROM sqlite_schema AS others
            WHERE others.tbl_name = tables.name AND others.type IN ('index', 'trigger'))
        AND (SELECT group_concat(printf('%w %w %d %Q %d %d', name, type, "notnull", dflt_value, pk, hidden))
                FROM pragma_table_xinfo(tables.name, 'main'))
            = (SELECT group_concat(printf('%w %w %d %Q %d %d', name, type, "notnull", dflt_value, pk, hidden))
                FROM pragma_table_xinfo(tables.name, 'candidate')) AS is_plain
    FROM sqlite_schema AS tables
    WHERE type = 'table' AND name NOT LIKE 'sqlite%');
