//go:build integration

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"catena/internal/store/storetest"
)

// TestIntegrationUploadNames sends 240 files of one name into one session by two replicas, all at once: each has a name of its own, and
// each answer is of its own file. What one replica has taken the other answers questions about.
func TestIntegrationUploadNames(t *testing.T) {
	const uploads = 240
	server := storetest.StartRedis(t)
	both := []*replica{startReplica(t, server.Addr), startReplica(t, server.Addr)}
	defer both[0].stop()
	defer both[1].stop()
	for _, r := range both { // both know the session before
		if status, said := r.call(http.MethodPost, "/api/v1/chat", `{"message":"count the rows of sales","session_id":"mine"}`, "application/json"); status != http.StatusOK {
			t.Fatalf("%d %s", status, said)
		}
	}
	type answer struct {
		Names  []string
		Tables []struct {
			Name string
			Rows int
		}
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	rows := map[string]int{} // by name
	busy := make(chan struct{}, 16)
	for i := range uploads {
		all.Go(func() {
			busy <- struct{}{}
			defer func() { <-busy }()
			text := "n\n"
			for j := range i + 1 {
				text += fmt.Sprintln(1000*i + j)
			}
			body, _ := json.Marshal(map[string]string{"name": "mine.csv", "session_id": "mine", "text": text, "on_conflict": "keep_both"}) // strings always encode
			status, said := both[i%2].call(http.MethodPost, "/api/v1/tables", string(body), "application/json")
			var got answer
			if err := json.Unmarshal(said, &got); err != nil || status != http.StatusCreated || len(got.Names) != 1 || len(got.Tables) != 1 {
				t.Errorf("%d %v %s", status, err, said)
				return
			}
			if got.Tables[0].Name != got.Names[0] || got.Tables[0].Rows != i+1 {
				t.Errorf("the answer to a file of %d rows is about %+v", i+1, got.Tables[0])
			}
			mu.Lock()
			defer mu.Unlock()
			if other, ok := rows[got.Names[0]]; ok {
				t.Errorf("%s is the name of the files of %d and %d rows", got.Names[0], other, i+1)
			}
			rows[got.Names[0]] = i + 1
		})
	}
	all.Wait()
	if len(rows) != uploads {
		t.Errorf("%d names for %d uploads", len(rows), uploads)
	}
	for i, r := range both { // asked at the one, after it was sent to the other
		name := fmt.Sprintf("last%d", i)
		body := fmt.Sprintf(`{"name":"%s.csv","session_id":"mine","text":"n\n1\n2\n3\n"}`, name)
		if i == 1 {
			body = fmt.Sprintf(`{"name":"%s.csv","session_id":"mine","text":"n\n4\n5\n6\n"}`, name)
		}
		if status, said := both[1-i].call(http.MethodPost, "/api/v1/tables", body, "application/json"); status != http.StatusCreated {
			t.Fatalf("%d %s", status, said)
		}
		status, said := r.call(http.MethodPost, "/api/v1/chat", fmt.Sprintf(`{"message":"how many rows are in %s?","session_id":"mine"}`, name), "application/json")
		var resp struct{ Tables []struct{ Rows [][]any } }
		if err := json.Unmarshal(said, &resp); err != nil || status != http.StatusOK || len(resp.Tables) != 1 || fmt.Sprint(resp.Tables[0].Rows) != "[[3]]" {
			t.Errorf("%d %v %s", status, err, said)
		}
	}
}
