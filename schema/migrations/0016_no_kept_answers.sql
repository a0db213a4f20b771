-- Answers about whole logs are counted each time they are asked for.
DROP TABLE IF EXISTS kept_answers;
DROP TABLE IF EXISTS kept_counts;
