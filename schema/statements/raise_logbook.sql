UPDATE logbook SET last_stamp = max(last_stamp, :last_stamp), log_epoch = max(log_epoch, :log_epoch + 1)
WHERE id = 1
