-- Who made a batch, as far as applying its changes goes by that: {"name": …, "may": […]}, see model/log/change-author.ts.
-- Null: they apply whoever made them, as all did before.
ALTER TABLE batches ADD COLUMN stamp jsonb;
