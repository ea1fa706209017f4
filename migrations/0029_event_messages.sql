-- The mail that events came with. Owner: src/features/calendar
-- The message whose invitation made the event what it is. Null: not from mail, or from before this migration.
ALTER TABLE calendar_events ADD COLUMN message_id TEXT;
