UPDATE members SET active = :active WHERE id = :id
