package formatter

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"catena/internal/lane"
)

const (
	fewCells  = 20_000 // that are not worth a goroutine
	chunkRows = 1024
)

// appendRow writes one row of the view at the end of b.
type appendRow func(b []byte, row int) []byte

// roomyWriter is a strings.Builder or a bytes.Buffer, whose writes never fail.
type roomyWriter interface {
	io.Writer
	Grow(n int)
}

// writeText writes head, all rows in their order, and tail. Rows are guessed to take guess bytes each.
func (v *View) writeText(head, tail []byte, guess int, row appendRow) string {
	if v.isSmall() {
		room := roomForRows.Get().(*[]byte)
		defer roomForRows.Put(room)
		*room = v.smallRows((*room)[:0], head, tail, guess, row)
		return string(*room)
	}
	var out strings.Builder
	v.writeRows(&out, head, tail, row)
	return out.String()
}

// writeBytes is writeText as bytes.
func (v *View) writeBytes(head, tail []byte, guess int, row appendRow) []byte {
	if v.isSmall() {
		return v.smallRows(nil, head, tail, guess, row)
	}
	var out bytes.Buffer
	v.writeRows(&out, head, tail, row)
	return out.Bytes()
}

// isSmall reports whether the view is written at once by one goroutine.
func (v *View) isSmall() bool { return v.NumRows()*(len(v.Columns)+1) < fewCells }

// roomForRows is where small views are written before they become texts of their own.
var roomForRows = sync.Pool{New: func() any { return new([]byte) }}

// smallRows writes a view at the end of b.
func (v *View) smallRows(b, head, tail []byte, guess int, row appendRow) []byte {
	rows := v.NumRows()
	b = slices.Grow(b, len(head)+rows*guess+len(tail))
	b = append(b, head...)
	for r := range rows {
		b = row(b, r)
	}
	return append(b, tail...)
}

// writeRows writes head, rows and tail, several ranges of rows at a time, on as many processors as there are. Each goroutine writes a range to memory of its own,
// which stays in its processor's cache, and copies it when it is the range's turn.
func (v *View) writeRows(out roomyWriter, head, tail []byte, row appendRow) {
	rows := v.NumRows()
	chunks := (rows + chunkRows - 1) / chunkRows
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	next, written := 0, 0
	write := func() {
		var b []byte
		mu.Lock()
		for next < chunks {
			chunk := next
			next++
			mu.Unlock()
			b = b[:0]
			for r := chunk * chunkRows; r < min((chunk+1)*chunkRows, rows); r++ {
				b = row(b, r)
			}
			mu.Lock()
			for written != chunk {
				turn.Wait()
			}
			if chunk == 0 {
				out.Grow(len(head) + len(b)*chunks*33/32 + len(tail)) // the others are about as long
				_, _ = out.Write(head)
			}
			_, _ = out.Write(b)
			written++
			turn.Broadcast()
		}
		mu.Unlock()
	}
	var wg sync.WaitGroup
	for range min(lane.Processors(), chunks) {
		wg.Go(write)
	}
	wg.Wait()
	_, _ = out.Write(tail)
}
