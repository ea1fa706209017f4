-- Rules that are edited, paused and reordered. Owner: src/features/rules
ALTER TABLE rules ADD COLUMN enabled INTEGER NOT NULL DEFAULT 1;  -- 0: paused
ALTER TABLE rules ADD COLUMN revision INTEGER NOT NULL DEFAULT 1; -- grows with every edit
-- Sealed: { conditions, actions } when the run began, because the rule may be edited during the run. Null: the rule's own.
ALTER TABLE rule_runs ADD COLUMN body BLOB;
