package mcp

import (
	"errors"
	"testing"
	"time"

	"catena/internal/access"
	"catena/server"
)

func TestMCPSessionsAreBounded(t *testing.T) {
	now := time.Now()
	gone := 0
	m := newSessionIDs(func(string) { gone++ })
	m.now = func() time.Time { return now }
	bob := m.as("bob").Generate() // the oldest of all
	first := m.as("ann").Generate()
	for range maxSessions {
		now = now.Add(time.Millisecond)
		m.as("ann").Generate()
	}
	if n := m.count["ann"]; n != maxSessionsEach || len(m.seen) != n+1 {
		t.Errorf("%d sessions of one caller are kept, %d in all", n, len(m.seen))
	}
	if _, err := m.as("bob").Validate(bob); err != nil {
		t.Errorf("another caller's session went: %v", err)
	}
	if _, err := m.as("ann").Validate(first); !errors.Is(err, errNoSession) {
		t.Errorf("the oldest is still good: %v", err)
	}
	id := m.as("ann").Generate()
	now = now.Add(sessionIdle + time.Second)
	if _, err := m.as("ann").Validate(id); !errors.Is(err, errNoSession) {
		t.Errorf("an idle session is still good: %v", err)
	}
	if gone < 3 {
		t.Errorf("%d sessions were told to be gone", gone)
	}
}

// An id that was never given out, as that of a connection of the legacy transport, loses nothing by being asked for; nor does another's.
func TestForeignSessionsLoseNothing(t *testing.T) {
	var gone []string
	m := newSessionIDs(func(id string) { gone = append(gone, id) })
	bob := m.as("bob").Generate()
	for _, id := range []string{"legacy-connection", "", bob} {
		if _, err := m.as("ann").Validate(id); !errors.Is(err, errNoSession) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if len(gone) > 0 {
		t.Errorf("%q lost what they had", gone)
	}
}

// Where all callers together have too many, who has the most loses one.
func TestMCPSessionsOfAll(t *testing.T) {
	now := time.Now()
	m := newSessionIDs(func(string) {})
	m.now = func() time.Time { return now }
	for range maxSessionsEach {
		m.as("ann").Generate()
	}
	for i := len(m.seen); i < maxSessions; i++ {
		m.as(string(rune('a' + i%26))).Generate()
	}
	late := m.as("late").Generate()
	if len(m.seen) != maxSessions || m.count["ann"] != maxSessionsEach-1 || m.seen[late] == nil {
		t.Errorf("%d sessions, %d of who has the most", len(m.seen), m.count["ann"])
	}
}

// A session with an open stream is not idle, however long it makes no call.
func TestOpenStreamsKeepSessions(t *testing.T) {
	now := time.Now()
	m := newSessionIDs(func(string) {})
	m.now = func() time.Time { return now }
	ann := m.as("ann")
	held := ann.Generate()
	release := m.hold(held)
	now = now.Add(3 * sessionIdle)
	if _, err := ann.Validate(held); err != nil {
		t.Errorf("a session with a stream: %v", err)
	}
	for range maxSessionsEach {
		ann.Generate()
	}
	if _, err := ann.Validate(held); err != nil {
		t.Errorf("a session with a stream made room: %v", err)
	}
	now = now.Add(3 * sessionIdle)
	release()
	now = now.Add(sessionIdle - time.Second)
	if _, err := ann.Validate(held); err != nil {
		t.Errorf("soon after the stream has ended: %v", err)
	}
	now = now.Add(sessionIdle + time.Second)
	if _, err := ann.Validate(held); err == nil {
		t.Error("long after the stream has ended it is still good")
	}
	m.hold("nothing")()
}

// What keeps mcp-go's side of a session is taken by it.
func TestTouch(t *testing.T) {
	s, _, _ := newTest(t)
	session := s.mcp.ids.as("local").Generate()
	ctx := server.WithCaller(t.Context(), access.Local("http"))
	if status := s.mcp.touch(ctx, session, "2025-11-25"); status != 202 {
		t.Errorf("%d", status)
	}
	if status := s.mcp.touch(ctx, "made up", "2025-11-25"); status != 404 {
		t.Errorf("a session that is not there: %d", status)
	}
}
