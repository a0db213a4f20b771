INSERT INTO members (callsign, locator, login, created_at)
VALUES (:callsign, :locator, :login, :created_at)
