SELECT id, client_id FROM qsos WHERE member_id = :member_id
