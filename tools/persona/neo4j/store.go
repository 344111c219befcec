// Package neo4j keeps personas in a Neo4j server (5 and newer) by its official driver.
//
// The graph is (:PersonaAgent)-[:RELATIONSHIP]-(:PersonaAgent), with (:PersonaAgent)-[:SENT]->(:Interaction)-[:RECEIVED_BY]->(:PersonaAgent)
// beside it; every node and relationship has the property owner. A node (:PersonaGraph) per owner carries the version of its graph.
// Each write first takes the lock of that node, so that changes of one owner come one after the other, and then changes everything in
// one transaction. Values go as parameters; no text of anybody's becomes Cypher.
//
// What other programs have written without the property owner belongs to nobody and is not seen. To adopt it:
//
//	MATCH (p:PersonaAgent) WHERE p.owner IS NULL SET p.owner = 'local'
//	MATCH ()-[r:RELATIONSHIP]->() WHERE r.owner IS NULL SET r.owner = 'local'
package neo4j

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"

	"catena/tools/persona"
)

// Options say where the server is. URI is needed.
type Options struct {
	URI      string // neo4j://host:7687, bolt://..., with +s for TLS
	User     string // "" means that the server asks for nobody
	Password string
	Database string // "" is the user's own
	// Timeout bounds connecting and the repetition of what failed for a moment; 0 means 10 s.
	Timeout time.Duration
}

// Store is a persona.Store on a server. It is safe for concurrent use. Close ends its connections.
type Store struct {
	driver    driver.DriverWithContext
	database  string
	bookmarks driver.BookmarkManager
	writing   chan struct{} // holds one for each write under way

	mu    sync.Mutex
	ready bool // constraints and indexes are there
}

var _ persona.Store = (*Store)(nil)

// Open makes a store. It does not connect: the server may come later, and Healthy says whether it is there. An error means that
// the options cannot be used.
func Open(o Options) (*Store, error) {
	auth := driver.NoAuth()
	if o.User != "" {
		auth = driver.BasicAuth(o.User, o.Password, "")
	}
	limit := o.Timeout
	if limit <= 0 {
		limit = 10 * time.Second
	}
	d, err := driver.NewDriverWithContext(o.URI, auth, func(c *config.Config) {
		c.SocketConnectTimeout = limit
		c.ConnectionAcquisitionTimeout = 3 * limit // it includes waiting for others' transactions
		c.MaxTransactionRetryTime = limit
	})
	if err != nil {
		return nil, fmt.Errorf("the address of the Neo4j server cannot be used: %w", err)
	}
	return &Store{driver: d, database: o.Database, bookmarks: driver.NewBookmarkManager(driver.BookmarkManagerConfig{}), writing: make(chan struct{}, maxWrites)}, nil
}

// maxWrites is how many write at once. Writes of one owner take turns at the server, each with a connection: who waits for a turn here
// waits as long as its context, and leaves the driver's connections, and their limit of time, to others.
const maxWrites = 16

// Close ends the connections.
func (s *Store) Close(ctx context.Context) error { return s.driver.Close(ctx) }

// Kind implements persona.Store.
func (s *Store) Kind() string { return "neo4j" }

// Healthy implements persona.Store: it connects, and makes what is missing of constraints and indexes.
func (s *Store) Healthy(ctx context.Context) error {
	if err := s.driver.VerifyConnectivity(ctx); err != nil {
		return unavailable(ctx, err)
	}
	return unavailable(ctx, s.prepare(ctx))
}

// schema is made before the first use. Uniqueness keeps two writers from making a persona twice; the other indexes are those that
// people search the graph by.
var schema = []string{
	"CREATE CONSTRAINT catena_persona IF NOT EXISTS FOR (p:PersonaAgent) REQUIRE (p.owner, p.persona_id) IS UNIQUE",
	"CREATE CONSTRAINT catena_interaction IF NOT EXISTS FOR (i:Interaction) REQUIRE (i.owner, i.interaction_id) IS UNIQUE",
	"CREATE CONSTRAINT catena_graph IF NOT EXISTS FOR (o:PersonaGraph) REQUIRE o.owner IS UNIQUE",
	"CREATE INDEX catena_persona_id IF NOT EXISTS FOR (p:PersonaAgent) ON (p.persona_id)",
	"CREATE INDEX catena_persona_name IF NOT EXISTS FOR (p:PersonaAgent) ON (p.owner, p.name)",
	"CREATE INDEX catena_attachment_style IF NOT EXISTS FOR (p:PersonaAgent) ON (p.attachment_style)",
	"CREATE INDEX catena_relationship_type IF NOT EXISTS FOR ()-[r:RELATIONSHIP]-() ON (r.relationship_type)",
	"CREATE INDEX catena_interaction_time IF NOT EXISTS FOR (i:Interaction) ON (i.owner, i.timestamp)",
}

func (s *Store) prepare(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready {
		return nil
	}
	session := s.session(ctx)
	for _, query := range schema {
		res, err := session.Run(ctx, query, nil)
		if err == nil {
			_, err = res.Consume(ctx)
		}
		if err != nil {
			return errors.Join(err, session.Close(ctx))
		}
	}
	s.ready = true
	return session.Close(ctx)
}

func (s *Store) session(ctx context.Context) driver.SessionWithContext {
	return s.driver.NewSession(ctx, driver.SessionConfig{DatabaseName: s.database, BookmarkManager: s.bookmarks})
}

// tx is a transaction for one owner.
type tx struct {
	ctx   context.Context
	run   driver.ManagedTransaction
	owner string
}

// params are those of a query; the owner is added.
type params = map[string]any

// all runs a query and returns its rows.
func (t tx) all(query string, p params) ([]*driver.Record, error) {
	if p == nil {
		p = params{}
	}
	p["owner"] = t.owner
	res, err := t.run.Run(t.ctx, query, p)
	if err != nil {
		return nil, err
	}
	return res.Collect(t.ctx)
}

// one runs a query that gives a row or none; then the row is nil.
func (t tx) one(query string, p params) (*driver.Record, error) {
	rows, err := t.all(query, p)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// count runs a query that gives one number.
func (t tx) count(query string, p params) (int, error) {
	row, err := t.one(query, p)
	if err != nil || row == nil {
		return 0, err
	}
	n, _, err := driver.GetRecordValue[int64](row, "n")
	return int(n), err
}

// read runs f in a reading transaction. f may run again when the server says that it failed for a moment.
func (s *Store) read(ctx context.Context, owner string, f func(tx) error) error {
	return s.work(ctx, owner, false, f)
}

// write runs f in a writing transaction, alone for this owner, and leads the version on. An error leaves everything as it was.
func (s *Store) write(ctx context.Context, owner string, f func(tx) error) error {
	return s.work(ctx, owner, true, func(t tx) error {
		_, err := t.all(`MERGE (o:PersonaGraph {owner: $owner}) ON CREATE SET o.version = 1
			ON MATCH SET o.version = coalesce(o.version, 0) + 1`, nil)
		if err != nil {
			return err
		}
		return f(t)
	})
}

func (s *Store) work(ctx context.Context, owner string, writes bool, f func(tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return unavailable(ctx, err)
	}
	if writes {
		select {
		case s.writing <- struct{}{}:
			defer func() { <-s.writing }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	session := s.session(ctx)
	execute := session.ExecuteRead
	if writes {
		execute = session.ExecuteWrite
	}
	committing := false
	_, err := execute(ctx, func(run driver.ManagedTransaction) (any, error) {
		err := f(tx{ctx: ctx, run: run, owner: owner})
		committing = err == nil
		return nil, err
	})
	if err != nil && writes && committing && !driver.IsNeo4jError(err) {
		// The server did not say that it refused: it may have committed before it was lost.
		err = fmt.Errorf("%w: %w: %w", persona.ErrUnavailable, persona.ErrOutcomeUnknown, err)
	}
	// The transaction has ended; what closing says is of no more interest to who asked, unless nothing else went wrong.
	if closed := session.Close(context.WithoutCancel(ctx)); err == nil {
		err = closed
	}
	return unavailable(ctx, err)
}

// unavailable tells the context's end apart from the server's failures.
func unavailable(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && !errors.Is(err, persona.ErrOutcomeUnknown) {
		return ctx.Err()
	}
	return persona.Unavailable(err)
}
