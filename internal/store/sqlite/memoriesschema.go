package sqlite

// memorySchema makes the tables of memories. A scope is an owner's namespace; its number stands in every key. memory_index has
// no content of its own: terms are kept with the memory, because taking a row out needs what was put in. With secure-delete
// what is taken out leaves the index at once, not at a later merge. Small transactions leave many small segments, and a look-up
// seeks in each of them: merging four of a size instead of sixteen leaves 6 instead of 18 for 30,000 memories, a look-up takes a
// third of the time, and writing takes a quarter more (own measurement).
const memorySchema = `
CREATE TABLE memory_owners (
	owner TEXT PRIMARY KEY, memories INTEGER NOT NULL, changes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_scopes (
	id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, namespace TEXT NOT NULL,
	memories INTEGER NOT NULL DEFAULT 0, words INTEGER NOT NULL DEFAULT 0,
	UNIQUE (owner, namespace)
) STRICT;

CREATE TABLE memories (
	number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, scope INTEGER NOT NULL REFERENCES memory_scopes (id),
	content TEXT NOT NULL, tags TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, version INTEGER NOT NULL,
	digest BLOB NOT NULL, length INTEGER NOT NULL, terms TEXT NOT NULL, bands TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX memories_by_digest ON memories (scope, digest);
CREATE INDEX memories_by_scope ON memories (scope, number);

CREATE TABLE memory_versions (
	memory INTEGER NOT NULL REFERENCES memories (number) ON DELETE CASCADE, version INTEGER NOT NULL,
	content TEXT NOT NULL, tags TEXT NOT NULL, created INTEGER NOT NULL, superseded INTEGER NOT NULL,
	PRIMARY KEY (memory, version)
) STRICT;

CREATE TABLE memory_words (
	scope INTEGER NOT NULL, word TEXT NOT NULL, reversed TEXT NOT NULL,
	PRIMARY KEY (scope, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_words_reversed ON memory_words (scope, reversed);

CREATE TABLE memory_bands (
	scope INTEGER NOT NULL, band INTEGER NOT NULL, memory INTEGER NOT NULL,
	PRIMARY KEY (scope, band, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_vectors (
	scope INTEGER NOT NULL, memory INTEGER NOT NULL REFERENCES memories (number) ON DELETE CASCADE,
	model TEXT NOT NULL, vector BLOB NOT NULL,
	PRIMARY KEY (scope, memory)
) STRICT;
CREATE INDEX memory_vectors_by_memory ON memory_vectors (memory);
CREATE INDEX memory_vectors_by_model ON memory_vectors (scope, model);

CREATE VIRTUAL TABLE memory_index USING fts5(terms, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '=_'");
INSERT INTO memory_index (memory_index, rank) VALUES ('secure-delete', 1);
INSERT INTO memory_index (memory_index, rank) VALUES ('crisismerge', 4);
`
