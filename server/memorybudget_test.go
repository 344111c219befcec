package server

import (
	"context"
	"testing"
	"time"

	"catena/server/servertest"
)

// TestRoomInOrder has several wait for room: each that is given back goes to the one that came first and finds it enough.
func TestRoomInOrder(t *testing.T) {
	r := newRoom(100)
	if !r.take("a", 60) || !r.take("b", 40) {
		t.Fatal("there is no room")
	}
	got := make(chan string, 3)
	wait := func(name, caller string, n int64, waiting int) {
		go func() {
			if r.takeWithin(context.Background(), caller, n, time.Minute) {
				got <- name
			}
		}()
		servertest.Within(t, became(func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.waiting) == waiting }))
	}
	wait("too much for its caller", "a", 30, 1)
	wait("first", "c", 40, 2)
	wait("second", "d", 40, 3)
	r.give("b", 40)
	if first := <-got; first != "first" {
		t.Errorf("%s had its turn first", first)
	}
	r.give("c", 40)
	if next := <-got; next != "second" {
		t.Errorf("%s had its turn next", next)
	}
	if r.takeWithin(context.Background(), "e", 1, time.Millisecond) {
		t.Error("there was room for more than all of it")
	}
	r.give("a", 60)
	if last := <-got; last != "too much for its caller" {
		t.Errorf("%s had its turn last", last)
	}
	if len(r.waiting) != 0 || r.taken != 70 {
		t.Errorf("%d wait, %d are taken", len(r.waiting), r.taken)
	}
}

// became is a channel that is closed once something holds.
func became(holds func() bool) chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !holds() {
			time.Sleep(time.Millisecond)
		}
	}()
	return done
}
