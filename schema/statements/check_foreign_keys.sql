SELECT printf('row %d of %s points at a row of %s that is not there', rowid, "table", parent)
FROM pragma_foreign_key_check
