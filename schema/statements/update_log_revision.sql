UPDATE members SET log_revision = :log_revision WHERE id = :id
