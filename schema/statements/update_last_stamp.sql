UPDATE logbook SET last_stamp = :last_stamp WHERE id = 1
