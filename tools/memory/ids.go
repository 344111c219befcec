package memory

import (
	"crypto/rand"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// idPrefix begins every id.
const idPrefix = "mem_"

// idSource makes ids: ULIDs, which sort by time. Within a millisecond they count on from a random number, so that two of one
// process are never equal; between processes 80 random bits keep them apart, and the store refuses an id that is taken.
type idSource struct {
	mu      sync.Mutex
	entropy io.Reader
}

func (s *idSource) next(at time.Time) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entropy == nil {
		s.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	id, err := ulid.New(ulid.Timestamp(at), s.entropy)
	if err != nil {
		return "", err
	}
	return idPrefix + id.String(), nil
}

// isID reports whether s has the form of an id; it says nothing of whether there is such a memory.
func isID(s string) bool {
	rest, ok := strings.CutPrefix(s, idPrefix)
	if !ok {
		return false
	}
	_, err := ulid.ParseStrict(rest)
	return err == nil
}
