UPDATE members SET log_revision = :log_revision
WHERE id = (SELECT member_id FROM qsos WHERE id = :id)
