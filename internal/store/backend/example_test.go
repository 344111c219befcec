package backend_test

import (
	"fmt"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// A store sends the epoch of its lease along with each write. When the write is refused it remembers that the lease is
// lost.
func ExampleLeases() {
	var held backend.Leases[struct{}]
	held.Put("run_1", 3)
	fmt.Println(held.Epoch("run_1"), held.Epoch("run_2"))
	err := held.Lose("run_1", &store.LeaseError{Run: "run_1", Held: 3, Epoch: 4})
	fmt.Println(err)
	fmt.Println(len(held.Alive()))
	// Output:
	// 3 0
	// store: run run_1 was taken over: its epoch is 4, and the write carried 3; stop working on it
	// 0
}
