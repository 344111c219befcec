package persona

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"sync"
)

//go:embed bundle.json
var bundleFile []byte

// Bundle returns the bundled personas, lila and don, with their relationship and interactions: what every owner has at first.
func Bundle() Graph {
	g := readBundle()
	g.Personas, g.Relationships, g.Interactions = slices.Clone(g.Personas), slices.Clone(g.Relationships), slices.Clone(g.Interactions)
	return g
}

var readBundle = sync.OnceValue(func() Graph {
	g, err := Read(bytes.NewReader(bundleFile))
	if err != nil {
		panic(fmt.Sprintf("the bundled personas: %v", err)) // a test reads them
	}
	return g
})

// bundled is the bundle as a mirror. It is only read, under its lock like any other.
var bundled = sync.OnceValue(func() *mirror {
	m, g := newMirror(), Bundle()
	if err := m.add(g); err != nil {
		panic(fmt.Sprintf("the bundled personas: %v", err)) // a test reads them
	}
	m.said = slices.Clone(g.Interactions)
	slices.SortFunc(m.said, func(a, b Interaction) int { return b.At.Compare(a.At) })
	m.events = int64(len(m.said))
	return m
})
