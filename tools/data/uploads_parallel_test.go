package data_test

import (
	"fmt"
	"sync"
	"testing"

	"catena/table"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// Uploads of one name into one session, all at once: each has a name of its own, and its handle has its own content.
func TestUploadsInParallel(t *testing.T) {
	const uploads = 240
	kept := handle.New(handle.Options{})
	s := data.NewSources(kept, table.Limits{})
	var all sync.WaitGroup
	var mu sync.Mutex
	names := map[string]bool{}
	for i := range uploads {
		all.Go(func() {
			put, err := s.Attach(t.Context(), ann, tools.Upload{Session: "s1", Name: "sales.csv", OnConflict: tools.KeepBoth, Data: fmt.Appendf(nil, "region,amount\nNorth,%d\n", 1000+i)})
			if err != nil || len(put.Handles) != 1 {
				t.Errorf("%d: %v, %d tables", i, err, len(put.Handles))
				return
			}
			tab, meta, err := kept.Get(t.Context(), ann, put.Handles[0])
			if err != nil || meta.Name != put.Tables[0] || tab.Value(0, 1).Text() != fmt.Sprint(1000+i) {
				t.Errorf("%d: %v, named %s and kept as %s", i, err, put.Tables[0], meta.Name)
			}
			mu.Lock()
			defer mu.Unlock()
			if names[put.Tables[0]] {
				t.Errorf("two uploads are named %s", put.Tables[0])
			}
			names[put.Tables[0]] = true
		})
	}
	all.Wait()
}
