/** Who may see the office's page, and what each has asked and done. Secrets are kept as their hashes. */
export const peopleTables = `
CREATE TABLE sign_in_links (
  token_hash bytea PRIMARY KEY,
  person text NOT NULL,
  role text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

-- Between the way to an OpenID provider and the way back, which may be to another process.
CREATE TABLE sign_ins_begun (
  state_hash bytea PRIMARY KEY,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ins_begun_by_end ON sign_ins_begun (expires_at);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  person text NOT NULL,
  role text NOT NULL,
  signed_in_by text NOT NULL,
  began_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE audit (
  entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  person text NOT NULL,
  role text NOT NULL,
  signed_in_by text NOT NULL,
  act text NOT NULL,
  about jsonb NOT NULL
);
`;
