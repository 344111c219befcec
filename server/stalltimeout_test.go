package server

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
)

// stalled is a client that takes some bytes and then nothing.
type stalled struct {
	gin.ResponseWriter
	takes  int
	pieces []int
	until  time.Time
}

func (w *stalled) SetWriteDeadline(at time.Time) error { w.until = at; return nil }

func (w *stalled) Write(p []byte) (int, error) {
	w.pieces = append(w.pieces, len(p))
	if n := w.takes; n < len(p) {
		w.takes = 0
		return n, os.ErrDeadlineExceeded
	}
	w.takes -= len(p)
	return len(p), nil
}

// An answer goes out in pieces, each with a time of its own, and ends where the client takes no more.
func TestPatientWriter(t *testing.T) {
	for name, c := range map[string]struct {
		takes, size, wrote int
		pieces             int
	}{
		"empty":            {0, 0, 0, 1},
		"one piece":        {1 << 20, 10, 10, 1},
		"several":          {1 << 20, 2*pieceBytes + 1, 2*pieceBytes + 1, 3},
		"a client stalled": {pieceBytes + 7, 1 << 20, pieceBytes + 7, 2},
	} {
		t.Run(name, func(t *testing.T) {
			under := &stalled{takes: c.takes}
			w := &patientWriter{ResponseWriter: under, control: http.NewResponseController(under), stall: DefaultStallTimeout}
			n, err := w.Write([]byte(strings.Repeat("x", c.size)))
			if n != c.wrote || len(under.pieces) != c.pieces || (err != nil) != (c.wrote < c.size) {
				t.Errorf("wrote %d in pieces %v: %v", n, under.pieces, err)
			}
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error(err)
			}
			if left := time.Until(under.until); left < DefaultStallTimeout/2 || left > DefaultStallTimeout {
				t.Errorf("a piece has %v", left)
			}
		})
	}
}
