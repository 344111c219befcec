package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// remember adds a memory whose words are its terms.
func remember(t testing.TB, s *Store, owner, id string, words ...string) {
	t.Helper()
	_, outcome, err := s.AddMemory(context.Background(), owner, Memory{ID: id, Namespace: "default", Content: strings.Join(words, ""), Created: time.Now()}, wordIndex(words), 1e6)
	if err != nil || outcome != MemoryAdded {
		t.Fatal(id, outcome, err)
	}
}

func wordIndex(words []string) MemoryIndex {
	x := MemoryIndex{Words: words, Length: len(words), Digest: fmt.Append(nil, words)}
	for _, w := range words {
		x.Terms = append(x.Terms, "="+w)
	}
	return x
}

// TestDeletedMemoryIsGone deletes memories, changed ones too, among many others and looks for their words in the files: in the
// rows, in the full-text index with the terms that divide its pages, in the vocabulary, the vectors and the log.
func TestDeletedMemoryIsGone(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path)
	const n = 400
	for i := range n {
		remember(t, s, "ann", fmt.Sprint("mem_", i), "shared", fmt.Sprintf("zebra%04dstripes", i), fmt.Sprintf("quagga%04dhoof", i*7%n))
	}
	for i := range n {
		id := fmt.Sprint("mem_", i)
		if i%10 == 0 {
			if _, err := s.ChangeMemory(ctx, "ann", id, true, time.Now(), func(string, []string) (string, []string) {
				return fmt.Sprintf("okapi%04dneck", i), nil
			}, func(content string, _ []string) MemoryIndex { return wordIndex([]string{content}) }); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.PutMemoryVectors(ctx, "ann", "model", []MemoryVector{{Number: int64(i + 1), Version: 1, Vector: []byte("vectorofzebra")}}); err != nil {
			t.Fatal(err)
		}
		if i%100 == 1 {
			continue
		}
		if err := s.DeleteMemory(ctx, "ann", id); err != nil {
			t.Fatal(err)
		}
	}
	held := filesOf(t, path)
	for i := range n {
		for _, word := range []string{fmt.Sprintf("zebra%04d", i), fmt.Sprintf("okapi%04d", i)} {
			if i%100 != 1 && bytes.Contains(held, []byte(word)) {
				t.Errorf("the files still hold %s while other memories are there", word)
			}
		}
	}
	words, err := s.MemoryWords(ctx, "ann", "default", "zebra", "", n)
	if err != nil || len(words) != n/100 {
		t.Error("words left:", len(words), err)
	}
	for i := range n / 100 {
		if err := s.DeleteMemory(ctx, "ann", fmt.Sprint("mem_", 100*i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	held = filesOf(t, path)
	for _, word := range []string{"zebra", "quagga", "okapi", "ebra0", "arbez", "=shared", "1=z", "vectorofzebra"} {
		if at := bytes.Index(held, []byte(word)); at >= 0 {
			t.Errorf("the files still hold %q: %q", word, held[max(0, at-20):min(at+40, len(held))])
		}
	}
}

// filesOf is what a store has on disk, its log included.
func filesOf(t *testing.T, path string) []byte {
	t.Helper()
	var all []byte
	for _, name := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

func TestMemoriesAtOnce(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	defer s.Close()
	const writers, each = 8, 25
	var wg sync.WaitGroup
	remember(t, s, "ann", "mem_changed", "start")
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				remember(t, s, fmt.Sprint("owner", w%2), fmt.Sprintf("mem_%d_%d", w, i), fmt.Sprintf("w%dx%d", w, i), "common")
				_, err := s.ChangeMemory(ctx, "ann", "mem_changed", true, time.Now(), func(content string, _ []string) (string, []string) {
					return content + "x", nil
				}, func(content string, _ []string) MemoryIndex { return wordIndex([]string{content}) })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, owner := range []string{"owner0", "owner1"} {
		numbers, err := s.MemoryPostings(ctx, owner, "default", []string{"=common"}, 1000)
		if err != nil || len(numbers) != writers*each/2 {
			t.Error(owner, len(numbers), err)
		}
		foreign, err := s.MemoriesByNumber(ctx, "ann", "default", numbers)
		if err != nil || len(foreign) != 0 {
			t.Error("ann sees", len(foreign), err)
		}
	}
	m, err := s.GetMemory(ctx, "ann", "mem_changed")
	if err != nil || m.Version != writers*each+1 || len(m.Content) != len("start")+writers*each {
		t.Error("changes were lost:", m.Version, len(m.Content), err)
	}
	former, err := s.FormerMemories(ctx, "ann", []int64{m.Number})
	if err != nil || len(former) != writers*each {
		t.Error("former versions:", len(former), err)
	}
}

// TestMemoryQuota lets the owner have two memories.
func TestMemoryQuota(t *testing.T) {
	ctx := context.Background()
	s := open(t, ":memory:")
	defer s.Close()
	var got []string
	for _, word := range []string{"a", "a", "b", "c"} {
		_, outcome, err := s.AddMemory(ctx, "ann", Memory{ID: fmt.Sprint("mem_", len(got)), Namespace: word}, wordIndex([]string{"a"}), 2)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, outcome)
	}
	if d := cmp.Diff([]string{MemoryAdded, MemoryDuplicate, MemoryAdded, MemoryFull}, got); d != "" {
		t.Error(d)
	}
	if err := s.DeleteMemory(ctx, "ann", "mem_0"); err != nil {
		t.Fatal(err)
	}
	if n, changes, err := s.MemoryCount(ctx, "ann"); err != nil || n != 1 || changes != 3 {
		t.Error("counted:", n, changes, err)
	}
	if _, _, err := s.AddMemory(ctx, "bob", Memory{ID: "mem_2", Namespace: "b"}, wordIndex([]string{"a"}), 2); !errors.Is(err, fs.ErrExist) {
		t.Error("a taken id:", err)
	}
	for what, err := range map[string]error{
		"deleting another's":         s.DeleteMemory(ctx, "bob", "mem_2"),
		"deleting what is not there": s.DeleteMemory(ctx, "ann", "mem_0"),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error(what, err)
		}
	}
}

// TestCancelledDeleteIsTheTruth cancels deletions at any time: an error means that the memory is still there.
func TestCancelledDeleteIsTheTruth(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	defer s.Close()
	for i := range 60 {
		id := fmt.Sprint("mem_", i)
		remember(t, s, "ann", id, id)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*100*time.Microsecond)
		err := s.DeleteMemory(ctx, "ann", id)
		cancel()
		if _, gone := s.GetMemory(context.Background(), "ann", id); (err == nil) != errors.Is(gone, fs.ErrNotExist) {
			t.Errorf("%d: deleted: %v, read: %v", i, err, gone)
		}
	}
}

// TestDeleteDoesNotFailByTheLog keeps every reading connection busy, so that the log cannot be emptied: that is left to the sweep.
func TestDeleteDoesNotFailByTheLog(t *testing.T) {
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	defer s.Close()
	remember(t, s, "ann", "mem_1", "zebra")
	for range s.readDB.Stats().MaxOpenConnections {
		conn, err := s.readDB.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if err := s.DeleteMemory(ctx, "ann", "mem_1"); err != nil {
		t.Fatal(err)
	}
	if !s.unscrubbed.Load() {
		t.Error("the sweep was not told")
	}
}
