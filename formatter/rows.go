package formatter

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"catena/internal/lane"
	"catena/table"
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

// writeText writes head, all rows in their order, and tail. Rows are guessed to take guess bytes each. What it takes is
// drawn from the work of the view's table. Where that does not go on the text ends early, as loops over its rows do.
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

// textMeter draws memory for a text as it grows.
type textMeter struct {
	work  *table.Work
	drawn int // bytes of text that are paid for
}

const (
	textStep   = 1 << 20 // bytes of text that are drawn for at a time
	textCopies = 4       // a text, the JSON that it stands in, and both while they grow
)

// takes draws for a text of n bytes, and reports whether the work goes on.
func (m *textMeter) takes(n int) bool {
	if n <= m.drawn {
		return true
	}
	more := max(n-m.drawn, textStep)
	m.drawn += more
	return m.work.Draw(int64(more)*textCopies) == nil
}

// roomForRows is where small views are written before they become texts of their own.
var roomForRows = sync.Pool{New: func() any { return new([]byte) }}

// smallRows writes a view at the end of b.
func (v *View) smallRows(b, head, tail []byte, guess int, row appendRow) []byte {
	rows := v.NumRows()
	meter := textMeter{v.shown.Work(), textStep} // texts of less are not counted
	b = slices.Grow(b, len(head)+rows*guess+len(tail))
	b = append(b, head...)
	for r := range rows {
		if b = row(b, r); !meter.takes(len(b)) {
			break
		}
	}
	return append(b, tail...)
}

// rowsWriter writes several ranges of a view's rows at a time.
type rowsWriter struct {
	out    roomyWriter
	head   []byte
	tail   []byte
	row    appendRow
	rows   int
	chunks int

	mu            sync.Mutex
	turn          *sync.Cond
	next, written int // chunks
	bytes         int
	meter         textMeter
	over          bool // the work does not go on
}

// writeRows writes head, rows and tail, several ranges of rows at a time, on as many processors as there are. Each
// goroutine writes a range to memory of its own, which stays in its processor's cache, and copies it when it is the
// range's turn.
func (v *View) writeRows(out roomyWriter, head, tail []byte, row appendRow) {
	w := &rowsWriter{
		out:   out,
		head:  head,
		tail:  tail,
		row:   row,
		rows:  v.NumRows(),
		meter: textMeter{work: v.shown.Work()},
	}
	w.chunks, w.turn = (w.rows+chunkRows-1)/chunkRows, sync.NewCond(&w.mu)
	var wg sync.WaitGroup
	for range min(lane.Processors(), w.chunks) {
		wg.Go(w.write)
	}
	wg.Wait()
	_, _ = out.Write(tail)
}

// write writes ranges until there are none, or the work does not go on.
func (w *rowsWriter) write() {
	var b []byte
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.next < w.chunks && !w.over {
		chunk := w.next
		w.next++
		w.mu.Unlock()
		b = b[:0]
		for r := chunk * chunkRows; r < min((chunk+1)*chunkRows, w.rows); r++ {
			b = w.row(b, r)
		}
		w.mu.Lock()
		for w.written != chunk {
			w.turn.Wait()
		}
		w.put(chunk, b)
		w.written++
		w.turn.Broadcast()
	}
}

// put copies a range whose turn it is.
func (w *rowsWriter) put(chunk int, b []byte) {
	size := w.bytes + len(b)
	if chunk == 0 {
		size = len(w.head) + len(b)*w.chunks*33/32 + len(w.tail) // the others are about as long
	}
	if w.over = w.over || w.meter.work.Err() != nil || !w.meter.takes(size); w.over {
		return
	}
	if chunk == 0 {
		w.out.Grow(size)
		_, _ = w.out.Write(w.head)
	}
	_, _ = w.out.Write(b)
	w.bytes += len(b)
}
