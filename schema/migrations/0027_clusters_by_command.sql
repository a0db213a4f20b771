-- Whether the command line set the clusters. Only such ones may be addresses of this machine or of a private network.

ALTER TABLE club ADD COLUMN clusters_by_command INTEGER NOT NULL DEFAULT 0 CHECK (clusters_by_command IN (0, 1));

UPDATE club SET clusters_by_command = ifnull((SELECT operator IS NULL FROM operator_log
    WHERE act = 'club set' AND ', ' || details || ',' LIKE '%, clusters,%' ORDER BY id DESC LIMIT 1), 0);
