-- One row for every call. Ids are UUIDv7, so the order of ids is the order of time and the primary key serves "newest first".
create table receipts (
  id uuid primary key,
  trace_id uuid not null,
  started_at timestamptz not null,
  role text,
  principal text not null,
  tier text,
  deployment text,
  outcome text not null,
  -- The JSON as it was given out, byte for byte. Text, because checking it as json costs the embedded engine 40 % of the hot path.
  body text not null,
  -- What was asked and answered, when `content` is `full`.
  request text,
  answer text
);
create index receipts_principal on receipts (principal, id);

create table api_keys (
  id uuid primary key,
  name text not null,
  principal text not null,
  admin boolean not null,
  -- The first characters, to tell keys apart in a list.
  prefix text not null,
  sha256 bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
-- A name may be given again once its key is revoked.
create unique index api_keys_name on api_keys (name) where revoked_at is null;

-- Append only: the value in force of a path is the one of its highest version.
create table setting_changes (
  version bigint generated always as identity primary key,
  path text not null,
  -- Null takes the override away, so that file and environment decide again.
  value jsonb,
  author text not null,
  at timestamptz not null default now()
);
create index setting_changes_path on setting_changes (path, version desc);
