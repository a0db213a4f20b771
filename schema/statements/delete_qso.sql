DELETE FROM qsos WHERE id = :id
