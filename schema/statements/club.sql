-- The club's description of itself.

-- name: read_club
-- Reads the settings. restore_club also needs to know whether the logbook has members.
SELECT name, text, link, contact, legal, address, numbers, accent, name_set_at, text_set_at, link_set_at, contact_set_at,
    legal_set_at, address_set_at, numbers_set_at, accent_set_at,
    clusters, clusters_set_at, station, station_set_at, filter, filter_set_at, pictures, pictures_set_at,
    sandbox, sandbox_set_at, alerts, alerts_set_at,
    clusters_by_command,
    EXISTS (SELECT 1 FROM members WHERE id > 0) AS has_members
FROM club WHERE id = 1;

-- name: update_club
-- Writes the settings. If a column's time is NULL, the stored value and the stored time are kept.
UPDATE club SET
    name = iif(:name_set_at IS NULL, name, :name), name_set_at = ifnull(:name_set_at, name_set_at),
    text = iif(:text_set_at IS NULL, text, :text), text_set_at = ifnull(:text_set_at, text_set_at),
    link = iif(:link_set_at IS NULL, link, :link), link_set_at = ifnull(:link_set_at, link_set_at),
    contact = iif(:contact_set_at IS NULL, contact, :contact), contact_set_at = ifnull(:contact_set_at, contact_set_at),
    legal = iif(:legal_set_at IS NULL, legal, :legal), legal_set_at = ifnull(:legal_set_at, legal_set_at),
    address = iif(:address_set_at IS NULL, address, :address), address_set_at = ifnull(:address_set_at, address_set_at),
    numbers = iif(:numbers_set_at IS NULL, numbers, :numbers), numbers_set_at = ifnull(:numbers_set_at, numbers_set_at),
    accent = iif(:accent_set_at IS NULL, accent, :accent), accent_set_at = ifnull(:accent_set_at, accent_set_at),
    clusters_by_command = CASE
        WHEN :clusters_set_at IS NULL THEN clusters_by_command
        WHEN clusters IS :clusters THEN max(clusters_by_command, :by_command)
        ELSE :by_command END,
    clusters = iif(:clusters_set_at IS NULL, clusters, :clusters),
    clusters_set_at = ifnull(:clusters_set_at, clusters_set_at),
    station = iif(:station_set_at IS NULL, station, :station),
    station_set_at = ifnull(:station_set_at, station_set_at),
    filter = iif(:filter_set_at IS NULL, filter, :filter),
    filter_set_at = ifnull(:filter_set_at, filter_set_at),
    pictures = iif(:pictures_set_at IS NULL, pictures, :pictures),
    pictures_set_at = ifnull(:pictures_set_at, pictures_set_at),
    sandbox = iif(:sandbox_set_at IS NULL, sandbox, :sandbox), sandbox_set_at = ifnull(:sandbox_set_at, sandbox_set_at),
    alerts = iif(:alerts_set_at IS NULL, alerts, :alerts), alerts_set_at = ifnull(:alerts_set_at, alerts_set_at)
WHERE id = 1;

-- name: restore_club
-- Used by a restore: each column keeps the later decision. If the replaced logbook had no members, its decisions are
-- kept only for columns that the backup's operator never set.
UPDATE club SET
    name = iif(:name_set_at > name_set_at AND (:has_members OR name_set_at = 0), :name, name),
    name_set_at = iif(:name_set_at > name_set_at AND (:has_members OR name_set_at = 0), :name_set_at, name_set_at),
    text = iif(:text_set_at > text_set_at AND (:has_members OR text_set_at = 0), :text, text),
    text_set_at = iif(:text_set_at > text_set_at AND (:has_members OR text_set_at = 0), :text_set_at, text_set_at),
    link = iif(:link_set_at > link_set_at AND (:has_members OR link_set_at = 0), :link, link),
    link_set_at = iif(:link_set_at > link_set_at AND (:has_members OR link_set_at = 0), :link_set_at, link_set_at),
    contact = iif(:contact_set_at > contact_set_at AND (:has_members OR contact_set_at = 0), :contact, contact),
    contact_set_at = iif(:contact_set_at > contact_set_at AND (:has_members OR contact_set_at = 0), :contact_set_at, contact_set_at),
    legal = iif(:legal_set_at > legal_set_at AND (:has_members OR legal_set_at = 0), :legal, legal),
    legal_set_at = iif(:legal_set_at > legal_set_at AND (:has_members OR legal_set_at = 0), :legal_set_at, legal_set_at),
    address = iif(:address_set_at > address_set_at AND (:has_members OR address_set_at = 0), :address, address),
    address_set_at = iif(:address_set_at > address_set_at AND (:has_members OR address_set_at = 0), :address_set_at, address_set_at),
    numbers = iif(:numbers_set_at > numbers_set_at AND (:has_members OR numbers_set_at = 0), :numbers, numbers),
    numbers_set_at = iif(:numbers_set_at > numbers_set_at AND (:has_members OR numbers_set_at = 0), :numbers_set_at, numbers_set_at),
    accent = iif(:accent_set_at > accent_set_at AND (:has_members OR accent_set_at = 0), :accent, accent),
    accent_set_at = iif(:accent_set_at > accent_set_at AND (:has_members OR accent_set_at = 0), :accent_set_at, accent_set_at),
    clusters_by_command = iif(:clusters_set_at > clusters_set_at AND (:has_members OR clusters_set_at = 0), :clusters_by_command,
        clusters_by_command),
    clusters = iif(:clusters_set_at > clusters_set_at AND (:has_members OR clusters_set_at = 0), :clusters, clusters),
    clusters_set_at = iif(:clusters_set_at > clusters_set_at AND (:has_members OR clusters_set_at = 0), :clusters_set_at, clusters_set_at),
    station = iif(:station_set_at > station_set_at AND (:has_members OR station_set_at = 0), :station, station),
    station_set_at = iif(:station_set_at > station_set_at AND (:has_members OR station_set_at = 0), :station_set_at, station_set_at),
    filter = iif(:filter_set_at > filter_set_at AND (:has_members OR filter_set_at = 0), :filter, filter),
    filter_set_at = iif(:filter_set_at > filter_set_at AND (:has_members OR filter_set_at = 0), :filter_set_at, filter_set_at),
    pictures = iif(:pictures_set_at > pictures_set_at AND (:has_members OR pictures_set_at = 0), :pictures, pictures),
    pictures_set_at = iif(:pictures_set_at > pictures_set_at AND (:has_members OR pictures_set_at = 0), :pictures_set_at, pictures_set_at),
    sandbox = iif(:sandbox_set_at > sandbox_set_at AND (:has_members OR sandbox_set_at = 0), :sandbox, sandbox),
    sandbox_set_at = iif(:sandbox_set_at > sandbox_set_at AND (:has_members OR sandbox_set_at = 0), :sandbox_set_at, sandbox_set_at),
    alerts = iif(:alerts_set_at > alerts_set_at AND (:has_members OR alerts_set_at = 0), :alerts, alerts),
    alerts_set_at = iif(:alerts_set_at > alerts_set_at AND (:has_members OR alerts_set_at = 0), :alerts_set_at, alerts_set_at)
WHERE id = 1;
