SELECT last_stamp, log_epoch FROM logbook WHERE id = 1
