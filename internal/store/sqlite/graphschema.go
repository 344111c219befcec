package sqlite

// graphSchema is the migration that makes the tables of graphs. A document carries the version of its owner's graph in which it was
// last written, so that a reader who knows an earlier one reads only what is newer.
const graphSchema = `
CREATE TABLE graph_heads (
	owner TEXT PRIMARY KEY, epoch INTEGER NOT NULL, version INTEGER NOT NULL, events INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE graph_docs (
	owner TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL,
	PRIMARY KEY (owner, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX graph_docs_by_version ON graph_docs (owner, version);

CREATE TABLE graph_events (
	owner TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL,
	PRIMARY KEY (owner, id)
) STRICT;
CREATE INDEX graph_events_by_time ON graph_events (owner, at DESC, id DESC);
`
