package profiler

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// What is remembered of a name is what reading it gives, also when more names come than are kept, and from many readers.
func TestNamesAreRemembered(t *testing.T) {
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range cachedNames / 2 {
				name := fmt.Sprintf("rev_%d_usd", (i+g*cachedNames/2)%(cachedNames+100))
				if got, want := ReadName(name), readAll("", []string{name})[0]; !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %+v, want %+v", name, got, want)
					return
				}
			}
		})
	}
	all.Wait()
	ReadName(strings.Repeat("long ", 100))
	readNames.mu.RLock()
	defer readNames.mu.RUnlock()
	if len(readNames.known) > cachedNames {
		t.Errorf("%d names are kept", len(readNames.known))
	}
	for name := range readNames.known {
		if len(name) > cachedNameSize {
			t.Errorf("a name of %d bytes is kept", len(name))
		}
	}
}
