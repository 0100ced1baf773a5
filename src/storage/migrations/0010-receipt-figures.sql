-- What sums over receipts are made of, so that no body has to be parsed for them. Double precision, since a target may report any
-- number; null in receipts that are older than these columns.
alter table receipts
  add column duration_ms double precision,
  add column input_tokens double precision,
  add column output_tokens double precision,
  add column cost_amount double precision,
  add column cost_currency text,
  add column fallback_reason text;
