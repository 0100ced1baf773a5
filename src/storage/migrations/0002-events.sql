-- The ledger: one chain of hashes for each writer. The body is the event's canonical JSON with its hash, byte for byte, since a
-- hash is of bytes; the columns repeat what is searched by, and verification compares them with the body.
create table events (
  writer uuid not null,
  seq bigint not null,
  -- UUIDv7, ascending within a writer: the order of ids is the order of the ledger over all writers.
  id uuid not null unique,
  type text not null,
  actor text not null,
  tier text,
  run_id uuid not null,
  trace_id uuid not null,
  body text not null,
  primary key (writer, seq)
);
create index events_run on events (run_id);
create index events_trace on events (trace_id);
-- A run has the id of its first event.
create index events_first on events (id) where id = run_id;

create table event_writers (
  id uuid primary key,
  -- The last event stored, kept beside the events so that a cut tail is no new beginning.
  head_seq bigint not null default 0,
  head_hash text not null,
  -- The last event that was archived and dropped from the table.
  archived_seq bigint not null default 0,
  archived_hash text not null,
  -- Who may append: whoever knows the token, until it expires or another took over.
  token uuid,
  expires_at timestamptz not null,
  host text not null,
  pid integer not null,
  process_start text
) with (fillfactor = 50);
