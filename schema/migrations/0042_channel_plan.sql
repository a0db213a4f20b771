-- The plan by which a member numbers the CB channels.

-- NULL, as at first: the plan is guessed from the callsign
ALTER TABLE members ADD COLUMN channel_plan TEXT CHECK (length(channel_plan) BETWEEN 1 AND 10);
