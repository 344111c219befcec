package server

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// patientWriter writes answers piece by piece, each with a time of its own: a client that takes nothing for
// Options.StallTimeout is let go, and one that is slow has as long as it needs. Without it a client that reads nothing
// would hold an answer for ever.
type patientWriter struct {
	gin.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
}

// pieceBytes is what a client must take within that time.
const pieceBytes = 64 << 10

// Unwrap lets http.ResponseController reach the connection.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// wait gives the client its time for what is written next.
func (w *patientWriter) wait() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.stall)) // a writer without deadlines, as in tests, cannot stall
}

// Write writes all of p.
func (w *patientWriter) Write(p []byte) (n int, err error) {
	for {
		piece := p[n:min(len(p), n+pieceBytes)]
		w.wait()
		wrote, err := w.ResponseWriter.Write(piece)
		if n += wrote; err != nil || n == len(p) {
			return n, err
		}
	}
}

// WriteString writes all of a text.
func (w *patientWriter) WriteString(text string) (int, error) {
	if len(text) > pieceBytes {
		return w.Write([]byte(text))
	}
	w.wait()
	return w.ResponseWriter.WriteString(text)
}
