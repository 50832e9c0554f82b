/** Who signed in: hashes only, so that a copy of the database opens no page. */
export const sessions = {
  version: 4,
  name: 'sessions',
  sql: `
create table sign_in_codes (
  hash text collate "C" primary key,
  subject text not null,
  expires_at timestamptz(3) not null
);

create table sessions (
  hash text collate "C" primary key,
  subject text not null,
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  idle interval not null,
  ends_at timestamptz(3) not null
);
`,
};
