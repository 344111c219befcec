package persona_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools/persona"
)

func ExampleCompare() {
	c, err := persona.Compare("avoidant", "anxious")
	fmt.Println(c.Level, err)
	fmt.Println(c.Reason)
	// Output:
	// Difficult <nil>
	// One side comes closer when it is afraid and the other steps back: each makes the other's fear come true.
}

func ExampleEmbedded() {
	ctx := context.Background()
	docs, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer docs.Close()
	s := persona.Embedded(docs)
	r, err := s.Adjust(ctx, "ann", "lila", "don", persona.Delta{Trust: 5}, time.Now())
	fmt.Println(r.Persona1Name, r.Persona2Name, r.Trust, err)
	// Output: Don Lila 10 <nil>
}

func ExampleRead() {
	_, err := persona.Read(strings.NewReader(`{"relationships": [{"persona1_id": "a", "persona2_id": "b", "trust_level": 12}]}`))
	fmt.Println(err)
	// Output: relationships[0].trust_level: 12 is not within 0 and 10
}
