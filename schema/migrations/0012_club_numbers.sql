-- Whether the front page tells how many members and QSOs there are.

-- 'off': no; NULL, as at first, and 'on': yes
ALTER TABLE club ADD COLUMN numbers TEXT CHECK (numbers IN ('on', 'off'));
