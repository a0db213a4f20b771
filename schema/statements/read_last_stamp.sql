SELECT last_stamp FROM logbook WHERE id = 1
