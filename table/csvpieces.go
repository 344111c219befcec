package table

import (
	"sync"

	"catena/internal/parallel"
)

// pieceJoin brings the pieces of a plain text together, which several workers read. Each cuts and reads a piece into blocks of its own; when it is its turn it takes room for
// them in the columns; then it copies them there beside the others.
type pieceJoin struct {
	columns []*cellColumn
	rows    int
	pieces  int // that were joined
	// putting is held by those who copy; who has to move a column's cells must be alone.
	putting sync.RWMutex
}

// pieceReader is a worker's own.
type pieceReader struct {
	cutter cutter
	blocks []block
	seats  []seat // of the blocks; an empty one is none
	bytes  int64  // of the piece
}

// readMiddle reads the pieces; false when a record is not plain.
func (p *plain) readMiddle(workers int) bool {
	join, pieces := &pieceJoin{columns: p.columns}, len(p.cuts)-1
	work := parallel.Pieces[*pieceReader]{
		Start: func() *pieceReader {
			return &pieceReader{cutter: p.cutter, blocks: make([]block, len(p.columns)), seats: make([]seat, len(p.columns))}
		},
		Do: func(r *pieceReader, piece int) bool { return r.read(p.text[p.cuts[piece]:p.cuts[piece+1]], p.columns) },
		Join: func(r *pieceReader) bool {
			p.passed(join.pieces)
			return join.place(r)
		},
		After: join.put,
	}
	joined := work.InTurn(workers, pieces)
	p.rows = join.rows
	return joined == pieces
}

// passed says that so many pieces, and the one behind them, have been read.
func (p *plain) passed(pieces int) {
	if tell := p.cutter.lim.passed; tell != nil {
		tell(p.text[:p.cuts[pieces+1]])
	}
}

// read cuts a piece and reads its cells by the kinds of their columns.
func (r *pieceReader) read(text string, columns []*cellColumn) bool {
	if r.cutter.lim.Ended() != nil || !r.cutter.cut(text) {
		return false
	}
	r.bytes = int64(len(text))
	for i, column := range columns {
		r.blocks[i].reset(column.kind)
		r.cutter.read(text, i, &r.blocks[i])
	}
	return true
}

// place takes room for a worker's blocks, which put has to fill.
func (j *pieceJoin) place(r *pieceReader) bool {
	if !j.pay(r) {
		return false
	}
	for i, column := range j.columns {
		if r.seats[i] = (seat{}); column.fits(&r.blocks[i]) && (column.built.hasRoom(&r.blocks[i]) || j.makeRoom(column, &r.blocks[i])) {
			r.seats[i] = column.built.place(&r.blocks[i])
		}
	}
	j.pieces++
	j.rows += len(r.cutter.spans) / r.cutter.width
	j.putting.RLock()
	return true
}

// pay draws what the cells of a piece take in the columns; false when there is no more.
func (j *pieceJoin) pay(r *pieceReader) bool {
	return r.cutter.lim.Reserve(int64(len(r.cutter.spans))*typedCells+r.bytes) == nil
}

// put copies a worker's blocks to their room.
func (j *pieceJoin) put(r *pieceReader) {
	defer j.putting.RUnlock()
	for i := range r.seats {
		r.seats[i].put(&r.blocks[i])
	}
}

// makeRoom moves the cells of a column when those who copy are done.
func (j *pieceJoin) makeRoom(column *cellColumn, b *block) bool {
	j.putting.Lock()
	defer j.putting.Unlock()
	return column.makeRoom(b)
}
