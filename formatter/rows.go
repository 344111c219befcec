package formatter

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	fewCells  = 20_000 // that are not worth a goroutine
	chunkRows = 4096
)

// appendRow writes one row of the view at the end of b.
type appendRow func(b []byte, row int) []byte

// writeText writes head, all rows in their order, and tail. Rows are guessed to take guess bytes each.
func (v *View) writeText(head, tail []byte, guess int, row appendRow) string {
	var out strings.Builder
	parts := v.parts(head, tail, guess, row)
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	out.Grow(size)
	for _, p := range parts {
		out.Write(p)
	}
	return out.String()
}

// writeBytes is writeText as bytes.
func (v *View) writeBytes(head, tail []byte, guess int, row appendRow) []byte {
	return bytes.Join(v.parts(head, tail, guess, row), nil)
}

// parts writes head, rows and tail in pieces; of large views several ranges of rows at a time, on as many processors as there are.
func (v *View) parts(head, tail []byte, guess int, row appendRow) [][]byte {
	rows := v.NumRows()
	if rows*(len(v.Columns)+1) < fewCells {
		b := make([]byte, 0, len(head)+rows*guess+len(tail))
		b = append(b, head...)
		for r := range rows {
			b = row(b, r)
		}
		return [][]byte{append(b, tail...)}
	}
	chunks := (rows + chunkRows - 1) / chunkRows
	parts := make([][]byte, chunks+2)
	parts[0], parts[chunks+1] = head, tail
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), chunks) {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= chunks; i = int(next.Add(1)) {
				from, to := (i-1)*chunkRows, min(i*chunkRows, rows)
				b := make([]byte, 0, (to-from)*guess)
				for r := from; r < to; r++ {
					b = row(b, r)
				}
				parts[i] = b
			}
		})
	}
	wg.Wait()
	return parts
}
