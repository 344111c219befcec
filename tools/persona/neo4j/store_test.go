package neo4j_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"catena/tools/persona"
	"catena/tools/persona/neo4j"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestUnreachable uses a store whose server is not there: typed errors, soon.
func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close() // nobody listens there now
	s, err := neo4j.Open(neo4j.Options{URI: "bolt://" + addr, Timeout: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	ctx := t.Context()
	if err := s.Healthy(ctx); !errors.Is(err, persona.ErrUnavailable) {
		t.Error("healthy:", err)
	}
	if _, err := s.Adjust(ctx, "ann", "a", "b", persona.Delta{}, time.Now()); !errors.Is(err, persona.ErrUnavailable) {
		t.Error("adjust:", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Persona(ended, "ann", "a"); !errors.Is(err, context.Canceled) {
		t.Error("cancelled:", err)
	}
}

func TestBadAddress(t *testing.T) {
	for _, uri := range []string{"", "http://127.0.0.1:7687", "::"} {
		if s, err := neo4j.Open(neo4j.Options{URI: uri}); err == nil {
			s.Close(context.Background())
			t.Errorf("%q was taken", uri)
		}
	}
}

func ExampleOpen() {
	s, err := neo4j.Open(neo4j.Options{URI: "neo4j://127.0.0.1:7687", User: "neo4j", Password: "secret"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close(context.Background())
	fmt.Println(s.Kind())
	// Output: neo4j
}
