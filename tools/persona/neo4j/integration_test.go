//go:build integration

package neo4j_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"catena/tools/persona"
	"catena/tools/persona/neo4j"
	"catena/tools/persona/personatest"
)

// The server is Neo4j's own harness, from Maven Central: Java (a JDK of 17 or newer) and Maven are needed. The first run fetches
// 150 MB; later ones find them. A test fails when they are missing.

const serverFolder = "../../../internal/e2e/testdata/neo4j"

// server is a running Neo4j.
type server struct {
	uri, password string
	cmd           *exec.Cmd
	in            io.Closer // its end ends the server
}

// startServer starts a server of its own, which ends with the test.
func startServer(t *testing.T) *server {
	t.Helper()
	java, err := exec.LookPath("java")
	if err != nil {
		t.Fatalf("java is needed: install a JDK of 17 or newer, such as openjdk-17-jdk-headless (%v)", err)
	}
	lib := filepath.Join(serverFolder, "target", "lib")
	if list, err := filepath.Glob(filepath.Join(lib, "neo4j-harness-*.jar")); err != nil || len(list) == 0 {
		fetch(t)
	}
	s := &server{password: "a password of 1 test"}
	// A server of two minutes is no place for the optimizing compiler: it takes more than it gives.
	s.cmd = exec.Command(java, "-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", filepath.Join(lib, "*"), filepath.Join(serverFolder, "Server.java"), t.TempDir(), s.password)
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in = in
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s.cmd.Stderr = &log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop() })
	slow := time.AfterFunc(4*time.Minute, func() { s.cmd.Process.Kill() })
	defer slow.Stop()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if s.uri = lines.Text(); strings.HasPrefix(s.uri, "bolt://") {
			go io.Copy(io.Discard, out)
			return s
		}
	}
	s.stop()
	t.Fatalf("the server did not start:\n%s", log.String())
	return nil
}

// stop ends the server by its input, and by its process if that does not help.
func (s *server) stop() {
	s.in.Close()
	late := time.AfterFunc(20*time.Second, func() { s.cmd.Process.Kill() })
	defer late.Stop()
	_ = s.cmd.Wait() // a second time, or killed: nothing to tell
}

// kill ends the server at once, as a crash does.
func (s *server) kill() {
	s.cmd.Process.Kill()
	_ = s.cmd.Wait() // killed
}

// fetch lets Maven fetch the server.
func fetch(t *testing.T) {
	t.Helper()
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		t.Fatalf("Maven is needed to fetch Neo4j's harness: install maven (%v)", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, mvn, "-q", "-B", "-f", filepath.Join(serverFolder, "pom.xml"), "dependency:copy-dependencies", "-DoutputDirectory=target/lib")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("Maven could not fetch Neo4j's harness: %v\n%s", err, out)
	}
}

func open(t *testing.T, s *server, user, password string) *neo4j.Store {
	t.Helper()
	store, err := neo4j.Open(neo4j.Options{URI: s.uri, User: user, Password: password, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close(context.Background()) })
	return store
}

// TestIntegrationNeo4j runs the whole suite against a real server, then what only a server can show.
func TestIntegrationNeo4j(t *testing.T) {
	s := startServer(t)
	store := open(t, s, "neo4j", s.password)
	t.Run("Suite", func(t *testing.T) { personatest.Run(t, store) })
	t.Run("Schema", func(t *testing.T) { checkSchema(t, s) })
	t.Run("Adopted", func(t *testing.T) { checkAdopted(t, s, store) })
	t.Run("WrongPassword", func(t *testing.T) {
		if err := open(t, s, "neo4j", "wrong").Healthy(t.Context()); !errors.Is(err, persona.ErrUnavailable) {
			t.Errorf("healthy: %v", err)
		}
	})
	t.Run("Gone", func(t *testing.T) { checkGone(t, s, store) })
}

// query runs Cypher past the store, and returns the first column.
func query(t *testing.T, s *server, cypher string) []string {
	t.Helper()
	d, err := driver.NewDriverWithContext(s.uri, driver.BasicAuth("neo4j", s.password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(context.Background())
	res, err := driver.ExecuteQuery(t.Context(), d, cypher, nil, driver.EagerResultTransformer)
	if err != nil {
		t.Fatalf("%s: %v", cypher, err)
	}
	var out []string
	for _, r := range res.Records {
		out = append(out, fmt.Sprint(r.Values[0]))
	}
	return out
}

func checkSchema(t *testing.T, s *server) {
	have := strings.Join(query(t, s, "SHOW INDEXES YIELD labelsOrTypes, properties, state WHERE state = 'ONLINE' RETURN labelsOrTypes[0] + properties[-1] + size(properties)"), " ")
	for _, want := range []string{"PersonaAgentpersona_id1", "PersonaAgentpersona_id2", "PersonaAgentattachment_style1", "RELATIONSHIPrelationship_type1", "Interactiontimestamp2"} {
		if !strings.Contains(have, want) {
			t.Errorf("there is no index %s among %s", want, have)
		}
	}
	if without := query(t, s, "MATCH (n) WHERE n.owner IS NULL RETURN count(n)"); without[0] != "0" {
		t.Errorf("%s nodes have no owner", without[0])
	}
	if without := query(t, s, "MATCH ()-[r]->() WHERE r.owner IS NULL RETURN count(r)"); without[0] != "0" {
		t.Errorf("%s relationships have no owner", without[0])
	}
}

// checkAdopted reads a graph that another program wrote: few properties, and the other direction.
func checkAdopted(t *testing.T, s *server, store *neo4j.Store) {
	query(t, s, `CREATE (a:PersonaAgent {owner: 'adopted', persona_id: 'a', name: 'A'}), (z:PersonaAgent {owner: 'adopted', persona_id: 'z', name: 'Z', attachment_style: 'anxious'}),
		(z)-[:RELATIONSHIP {owner: 'adopted', trust_level: 9}]->(a)`)
	ctx := t.Context()
	if v, err := store.Version(ctx, "adopted"); err != nil || v != "0" {
		t.Errorf("version %q, %v", v, err)
	}
	p, err := store.Persona(ctx, "adopted", "a")
	if err != nil || p.Traits != persona.DefaultTraits() || p.AttachmentStyle != "secure" {
		t.Errorf("%+v, %v", p, err)
	}
	r, err := store.Adjust(ctx, "adopted", "a", "z", persona.Delta{Trust: 3, Intimacy: 1}, time.Now())
	if err != nil || r.Trust != 10 || r.Intimacy != 6 || r.Persona1Name != "A" {
		t.Errorf("%+v, %v", r, err)
	}
	list, total, err := store.Relationships(ctx, "adopted", 0)
	if err != nil || total != 1 || list[0].Persona1ID != "a" || list[0].Trust != 10 {
		t.Errorf("%+v, %v", list, err)
	}
	if err := store.Merge(ctx, "adopted", persona.Graph{Relationships: []persona.Relationship{r}}); err != nil {
		t.Error(err)
	}
	if n := query(t, s, "MATCH (:PersonaAgent {owner: 'adopted'})-[r:RELATIONSHIP]->() RETURN count(r)"); n[0] != "1" {
		t.Errorf("%s relationships after a merge", n[0])
	}
}

// checkGone kills the server while many write: each gets a typed error or was done.
func checkGone(t *testing.T, s *server, store *neo4j.Store) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := store.Reset(ctx, "gone"); err != nil {
		t.Fatal(err)
	}
	errs, wrote := make(chan error, 20), make(chan struct{}, 1)
	for range 20 {
		go func() {
			for {
				if _, err := store.Adjust(ctx, "gone", "lila", "don", persona.Delta{Trust: 0.01}, time.Now()); err != nil {
					errs <- err
					return
				}
				select {
				case wrote <- struct{}{}:
				default: // another has told that writes are under way
				}
			}
		}()
	}
	select {
	case <-wrote:
	case <-ctx.Done():
		t.Error("nobody could write")
	}
	s.kill()
	for range 20 {
		if err := <-errs; !errors.Is(err, persona.ErrUnavailable) {
			t.Errorf("a write while the server goes: %v", err)
		}
	}
	if err := store.Healthy(ctx); !errors.Is(err, persona.ErrUnavailable) {
		t.Errorf("healthy: %v", err)
	}
	if _, err := store.Persona(ctx, "gone", "lila"); !errors.Is(err, persona.ErrUnavailable) {
		t.Errorf("a read: %v", err)
	}
}
