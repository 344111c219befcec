package lru_test

import (
	"fmt"
	"sync"
	"testing"

	"catena/internal/lru"
)

func Example() {
	c := lru.New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	fmt.Println(c.At("a", func() int { return 10 }), c.At("c", func() int { return 3 }))
	_, ok := c.Get("b") // was used least recently
	fmt.Println(ok)
	// Output:
	// 1 3
	// false
}

func TestPutAgain(t *testing.T) {
	c := lru.New[int, string](0)
	c.Put(1, "a")
	c.Put(1, "b")
	if got, ok := c.Get(1); got != "b" || !ok {
		t.Error(got, ok)
	}
	c.Put(2, "c")
	if _, ok := c.Get(1); ok {
		t.Error("more are kept than may be")
	}
}

func TestTogether(t *testing.T) {
	c := lru.New[int, int](8)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := range 500 {
				if got := c.At((n+i)%20, func() int { return (n + i) % 20 }); got != (n+i)%20 {
					t.Errorf("%d is kept as %d", (n+i)%20, got)
				}
			}
		})
	}
	all.Wait()
}

// The weight of all is bounded; one value stays whatever it weighs.
func TestWeight(t *testing.T) {
	c := lru.New[string, string](10)
	c.AtWeight("heavy", 20, func() string { return "heavy" })
	if _, ok := c.Get("heavy"); !ok {
		t.Error("the only value is gone")
	}
	for _, key := range []string{"a", "b"} {
		c.AtWeight(key, 5, func() string { return key })
	}
	for key, want := range map[string]bool{"heavy": false, "a": true, "b": true} {
		if _, ok := c.Get(key); ok != want {
			t.Errorf("%s is kept: %v, want %v", key, ok, want)
		}
	}
	c.Put("a", "light")
	c.AtWeight("c", 4, func() string { return "c" })
	for _, key := range []string{"a", "b", "c"} {
		if _, ok := c.Get(key); !ok {
			t.Errorf("%s went although 10 are kept", key)
		}
	}
}
