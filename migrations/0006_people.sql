-- People, rules, personal context, calendar. Owners: src/features/{contacts,rules,context,calendar}.

CREATE TABLE contacts (
  n           INTEGER PRIMARY KEY,          -- never leaves the machine
  id          TEXT NOT NULL UNIQUE,
  user_id     TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  kind        TEXT NOT NULL,                -- person | role | automated
  person_hmac BLOB,                         -- of the person's name, where name and address pattern agree; ties addresses together
  vip         INTEGER NOT NULL DEFAULT 0,
  imported    INTEGER NOT NULL DEFAULT 0,   -- from an address book: listed even without mail
  notes       BLOB,                         -- sealed
  threads     INTEGER NOT NULL DEFAULT 0,   -- as of the last settling; see stale
  last_at     INTEGER NOT NULL DEFAULT 0,   -- ms; 0: never
  counted_n   INTEGER NOT NULL DEFAULT 0,   -- the newest message (n) that threads and last_at count
  stale       INTEGER NOT NULL DEFAULT 1    -- 1: later messages are to be counted too; 2: all are to be counted anew
) STRICT;
CREATE INDEX contacts_list ON contacts(user_id, last_at DESC, id DESC);
CREATE INDEX contacts_person ON contacts(user_id, person_hmac) WHERE person_hmac IS NOT NULL;
CREATE INDEX contacts_stale ON contacts(user_id) WHERE stale > 0;

CREATE TABLE contact_aliases (              -- ids of contacts that were joined into another one still work
  id        TEXT PRIMARY KEY,
  user_id   TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  contact_n INTEGER NOT NULL REFERENCES contacts(n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_aliases_target ON contact_aliases(contact_n);

CREATE TABLE contact_addresses (
  n            INTEGER PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  contact_n    INTEGER NOT NULL REFERENCES contacts(n) ON DELETE CASCADE,
  address_hmac BLOB NOT NULL,
  profile      BLOB NOT NULL,               -- sealed: { name, email }
  name_rank    INTEGER NOT NULL,            -- who gave the name: 0 nobody, 1 the user, 2 its owner, 3 an address book
  name_at      INTEGER NOT NULL,            -- of the message that gave it, ms
  UNIQUE (user_id, address_hmac)
) STRICT;
CREATE INDEX contact_addresses_contact ON contact_addresses(contact_n);

CREATE TABLE contact_messages (             -- who wrote a message to the user, or got it from them
  message_n INTEGER NOT NULL REFERENCES messages(n) ON DELETE CASCADE,
  address_n INTEGER NOT NULL REFERENCES contact_addresses(n) ON DELETE CASCADE,
  PRIMARY KEY (message_n, address_n)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_messages_address ON contact_messages(address_n, message_n);

-- Whatever changes what they count marks the contact, and reading counts: so no way of moving, deleting or synchronising mail
-- can make the counts wrong. Only what comes after everything that was counted is added; all else is counted anew.
CREATE TRIGGER contact_messages_added AFTER INSERT ON contact_messages BEGIN
  UPDATE contacts SET stale = max(stale, CASE WHEN NEW.message_n > counted_n THEN 1 ELSE 2 END)
  WHERE n = (SELECT contact_n FROM contact_addresses WHERE n = NEW.address_n);
END;
CREATE TRIGGER contact_messages_removed AFTER DELETE ON contact_messages BEGIN
  UPDATE contacts SET stale = 2
  WHERE n = (SELECT contact_n FROM contact_addresses WHERE n = OLD.address_n) AND stale < 2;
END;
CREATE TRIGGER contacts_follow_threads AFTER UPDATE OF thread_id ON messages WHEN OLD.thread_id <> NEW.thread_id BEGIN
  UPDATE contacts SET stale = 2 WHERE stale < 2 AND n IN (
    SELECT a.contact_n FROM contact_messages cm JOIN contact_addresses a ON a.n = cm.address_n WHERE cm.message_n = NEW.n);
END;
CREATE TRIGGER contacts_follow_state AFTER UPDATE OF state ON threads
WHEN (OLD.state IN ('spam', 'trash')) <> (NEW.state IN ('spam', 'trash')) BEGIN
  UPDATE contacts SET stale = 2 WHERE stale < 2 AND n IN (
    SELECT a.contact_n FROM messages m JOIN contact_messages cm ON cm.message_n = m.n
      JOIN contact_addresses a ON a.n = cm.address_n WHERE m.thread_id = NEW.id);
END;

CREATE TABLE rules (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  account_id TEXT REFERENCES accounts(id) ON DELETE CASCADE,  -- only for this mailbox; null: for all of the user's
  kind       TEXT NOT NULL,                 -- inbox | agent
  priority   INTEGER NOT NULL,
  body       BLOB NOT NULL,                 -- sealed: { conditions, actions }
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, priority)
) STRICT;

CREATE TABLE rule_runs (                    -- a rule applied to mail that was here before it
  rule_id     TEXT PRIMARY KEY REFERENCES rules(id) ON DELETE CASCADE,
  user_id     TEXT NOT NULL,
  state       TEXT NOT NULL,                -- running | done
  since       INTEGER NOT NULL,             -- received from here on, ms
  next_n      INTEGER NOT NULL,             -- messages from here on down are still to come
  done        INTEGER NOT NULL,
  total       INTEGER NOT NULL,
  matched     INTEGER NOT NULL,
  changed     INTEGER NOT NULL,
  started_at  INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;

CREATE TABLE context_profiles (
  id          TEXT PRIMARY KEY,
  user_id     TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  domain_hmac BLOB NOT NULL,
  body        BLOB NOT NULL,                -- sealed: { domain, name, summary, variables, notes }
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  UNIQUE (user_id, domain_hmac)
) STRICT;

CREATE TABLE context_variables (
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  key_hmac   BLOB NOT NULL,
  type       TEXT NOT NULL,                 -- string | number | boolean | date
  body       BLOB NOT NULL,                 -- sealed: { key, value }
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, key_hmac)
) STRICT, WITHOUT ROWID;

CREATE TABLE context_files (                -- the bytes lie sealed in blobs/
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  profile_id TEXT REFERENCES context_profiles(id) ON DELETE CASCADE,
  info       BLOB NOT NULL,                 -- sealed: { name, mime }
  text       BLOB,                          -- sealed; null: none could be read
  bytes      INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX context_files_user ON context_files(user_id, id DESC);
CREATE INDEX context_files_profile ON context_files(profile_id) WHERE profile_id IS NOT NULL;

CREATE TABLE calendars (                    -- on CalDAV servers
  id           TEXT PRIMARY KEY,
  user_id      TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  url_hmac     BLOB NOT NULL,
  settings     BLOB NOT NULL,               -- sealed: { url, username, password, name }
  is_default   INTEGER NOT NULL,            -- new events go there
  sync_state   BLOB,                        -- sealed: { sync_token, ctag }; null: everything is to be read
  status       TEXT NOT NULL,               -- active | auth_failed | unreachable
  last_error   BLOB,                        -- sealed
  last_sync_at INTEGER,
  created_at   INTEGER NOT NULL,
  UNIQUE (user_id, url_hmac)
) STRICT;

CREATE TABLE calendar_events (              -- a row for all that has one UID: the event or series with its exceptions
  id          TEXT PRIMARY KEY,
  user_id     TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  calendar_id TEXT REFERENCES calendars(id) ON DELETE CASCADE,  -- null: kept here only
  uid_hmac    BLOB NOT NULL,
  source      TEXT NOT NULL,                -- api | mail | caldav
  ics         BLOB NOT NULL,                -- sealed: the calendar object
  answer      TEXT,                         -- the user's own: needs_action | accepted | tentative | declined; null: not invited
  start_at    INTEGER,                      -- of the first occurrence, ms; null: none known (cancelled before it was heard of)
  end_at      INTEGER,                      -- of the last one; null: none
  href        BLOB,                         -- sealed: its name on the server
  href_hmac   BLOB,
  etag        TEXT,
  pending     TEXT,                         -- put | delete: what the server does not know yet
  deleted     INTEGER NOT NULL DEFAULT 0,   -- kept, so that mail that is read anew does not bring it back
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  UNIQUE (user_id, uid_hmac)
) STRICT;
CREATE INDEX calendar_events_window ON calendar_events(user_id, start_at) WHERE deleted = 0;
CREATE UNIQUE INDEX calendar_events_href ON calendar_events(calendar_id, href_hmac) WHERE href_hmac IS NOT NULL;
CREATE INDEX calendar_events_pending ON calendar_events(calendar_id) WHERE pending IS NOT NULL;

CREATE TABLE calendar_feeds (               -- the private address that phones read
  user_id    TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,          -- SHA-256
  token      BLOB NOT NULL,                 -- sealed
  created_at INTEGER NOT NULL
) STRICT;
