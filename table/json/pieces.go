package json

import (
	"errors"
	"math"
	"strings"

	"catena/internal/lane"
	"catena/internal/parallel"
	"catena/table/content"
	"catena/table/infer"
)

// A long list of records is read in pieces by several workers. Where a piece ends is guessed by what stands between the
// records that have been read, and proved as it is read: the records before must end exactly there. A piece of which
// anything is out of the ordinary - a new member, a value of another kind, a wrong guess, an error - is not joined:
// from there on the rows are read one by one again, so that the result never depends on the workers.

// jsonPieceBytes is about the length of a piece: its cells fit the second cache.
const jsonPieceBytes = 128 << 10

// jsonPiece is a worker's reader of pieces.
type jsonPiece struct {
	rows    *jsonRows
	scan    scanner
	comma   bool            // records are parted by commas, else by spaces
	columns []*infer.Column // what the columns have at the beginning of a piece; nil for those without a value so far
}

// piecewise are the rows that several workers read.
type piecewise struct {
	from int // the position from which on it pays to try
	wait int // how much further that is after a try
}

// ahead reads the records from the scanner's position by several workers as far as that goes. The scanner stands at a
// record and does so afterwards.
func (j *jsonRows) ahead(p *scanner, comma bool) {
	if p.pos < j.pieces.from {
		return
	}
	cuts, workers := p.pieceCuts(), lane.Processors()
	j.pieces.wait *= 2
	j.pieces.from = p.pos + j.pieces.wait
	if len(cuts) < 3 || workers < 2 {
		return
	}
	j.expectRows(p)
	depth := p.depth
	work := parallel.Pieces[*jsonPiece]{
		Start: func() *jsonPiece { return j.pieceReader(p, comma, depth) },
		Do:    func(r *jsonPiece, i int) bool { return r.read(cuts[i], cuts[i+1]) },
		Join:  j.join,
	}
	joined := work.InTurn(workers, len(cuts)-1)
	p.pos = cuts[joined]
	j.pieces.from = p.pos + j.pieces.wait
}

// pieceCuts gives where pieces of the rest may begin: places like the scanner's, which has the end of a record and what
// parts records before it and a record with the same first member behind it.
func (p *scanner) pieceCuts() []int {
	const longest = 256
	open := p.peek()
	from, to := p.pos, p.pos+1
	for from > 0 && strings.IndexByte(" \n\t\r,", p.s[from-1]) >= 0 {
		from--
	}
	if from--; from < 0 || p.s[from] != '}' && p.s[from] != ']' {
		return nil
	}
	if open == '{' {
		if name := strings.IndexByte(p.s[to:], '"'); name >= 0 {
			to += name + 1
			to += max(strings.IndexByte(p.s[to:min(len(p.s), to+longest)], '"'), 0)
		}
	}
	if to-from > longest {
		return nil
	}
	seam, cuts := p.s[from:to], []int{p.pos}
	for at := p.pos + p.piece; at < len(p.s); at += p.piece {
		i := strings.Index(p.s[at:], seam)
		if i < 0 {
			break
		}
		at += i + p.pos - from
		cuts = append(cuts, at)
	}
	return cuts
}

// pieceReader makes a reader with the columns that there are.
func (j *jsonRows) pieceReader(p *scanner, comma bool, depth int) *jsonPiece {
	r := &jsonPiece{comma: comma, columns: make([]*infer.Column, len(j.cols))}
	r.rows = &jsonRows{index: j.index, lim: j.lim, fixed: true, cols: make([]*jsonColumn, len(j.cols))}
	r.rows.memory.Lim = &r.rows.lim
	r.scan = scanner{s: p.s, depth: depth, lim: p.lim, source: p.source}
	for i, c := range j.cols {
		r.rows.cols[i] = &jsonColumn{name: c.name, cut: c.cut, want: c.want, typed: c.typed, fixed: c.fixed,
			class: c.class, collect: c.collect, skip: c.skip}
		if c.cells == nil || c.collect || c.skip {
			continue
		}
		kind := c.cells.Kind
		if c.cells.Failed {
			kind = infer.NoCells
		}
		r.columns[i] = &infer.Column{Name: c.name, Kind: kind, Whole: true}
		r.columns[i].Pending.Usual = infer.BlockRows
	}
	return r
}

// read reads the records from one cut to the next, and reports whether all is as before.
func (r *jsonPiece) read(from, to int) bool {
	j, p := r.rows, &r.scan
	j.rows, j.present, j.padded, j.doubled, j.next = 0, 0, 0, 0, 0
	for i, c := range j.cols {
		c.n, c.kinds, c.texts = 0, c.kinds[:0], c.texts[:0]
		if c.cells = r.columns[i]; c.cells != nil {
			c.cells.Failed = false
			c.cells.Pending.Reset(c.cells.Kind)
		}
	}
	depth := p.depth
	for p.pos = from; p.pos < to; p.peek() {
		if j.row(p) != nil {
			p.depth = depth
			return false
		}
		if next := p.peek(); r.comma {
			if next != ',' {
				return false
			}
			p.pos++
		}
	}
	return p.pos == to && r.usual()
}

// usual ends a piece and reports whether its cells are of the kinds of the columns.
func (r *jsonPiece) usual() bool {
	j := r.rows
	if j.doubled > 0 || content.TooSparse(j.rows, len(j.cols), j.present) {
		return false
	}
	for i, c := range j.cols {
		if c.skip {
			continue
		}
		if c.pad(j.rows); c.cells != r.columns[i] {
			return false // its first value
		}
		if c.cells != nil && c.cells.Kind != infer.NoCells && (c.cells.Failed || c.cells.Pending.Failed) {
			return false
		}
	}
	return true
}

// Join appends a piece; false when there are too many rows, or too few cells in them.
func (j *jsonRows) join(r *jsonPiece) bool {
	n := r.rows.rows
	if j.rows+n > j.lim.Rows || content.TooSparse(j.rows+n, len(j.cols), j.present+r.rows.present) {
		return false
	}
	for i, c := range r.rows.cols {
		to := j.cols[i]
		if to.skip {
			continue
		}
		to.pad(j.rows)
		to.n += n
		switch {
		case to.collect:
			to.kinds, to.texts = append(to.kinds, c.kinds...), append(to.texts, c.texts...)
		case to.cells != nil && !to.cells.Failed:
			to.cells.Flush()
			to.cells.Append(&c.cells.Pending)
		}
	}
	j.rows, j.present, j.padded = j.rows+n, j.present+r.rows.present, j.padded+r.rows.padded
	return true
}

// errNewColumn is what a piece says of a member that no record had before.
var errNewColumn = errors.New("table: a new column")

// whenPieces is where reading by pieces may begin: after some rows have shown what the columns are.
func (p *scanner) whenPieces() piecewise {
	if p.piece == 0 {
		return piecewise{from: math.MaxInt}
	}
	return piecewise{from: p.pos + p.piece, wait: p.piece}
}
