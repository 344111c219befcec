package csv

import (
	"sync"

	"catena/internal/parallel"
	"catena/table"
	"catena/table/infer"
)

// pieceJoin brings the pieces of a plain text together, which several workers read. Each cuts and reads a piece into
// blocks of its own; when it is its turn it takes room for them in the columns; then it copies them there beside the
// others.
type pieceJoin struct {
	columns []*infer.Column
	rows    int
	pieces  int // that were joined
	// putting is held by those who copy; who has to move a column's cells must be alone.
	putting sync.RWMutex
}

// pieceReader is a worker's own.
type pieceReader struct {
	cutter cutter
	blocks []infer.Block
	seats  []table.Seat // of the blocks; an empty one is none
	bytes  int64        // of the piece
}

// readMiddle reads the pieces; false when a record is not plain.
func (p *plain) readMiddle(workers int) bool {
	join, pieces := &pieceJoin{columns: p.columns}, len(p.cuts)-1
	work := parallel.Pieces[*pieceReader]{
		Start: func() *pieceReader {
			return &pieceReader{
				cutter: p.cutter,
				blocks: make([]infer.Block, len(p.columns)),
				seats:  make([]table.Seat, len(p.columns)),
			}
		},
		Do: func(r *pieceReader, piece int) bool { return r.read(p.text[p.cuts[piece]:p.cuts[piece+1]], p.columns) },
		Join: func(r *pieceReader) bool {
			p.tell(join.pieces)
			return join.place(r)
		},
		After: join.put,
	}
	joined := work.InTurn(workers, pieces)
	p.rows = join.rows
	return joined == pieces
}

// tell says that so many pieces, and the one behind them, have been read.
func (p *plain) tell(pieces int) {
	if p.passed != nil {
		p.passed(p.text[:p.cuts[pieces+1]])
	}
}

// read cuts a piece and reads its cells by the kinds of their columns.
func (r *pieceReader) read(text string, columns []*infer.Column) bool {
	if r.cutter.lim.Ended() != nil || !r.cutter.cut(text) {
		return false
	}
	r.bytes = int64(len(text))
	for i, column := range columns {
		r.blocks[i].Reset(column.Kind)
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
		if r.seats[i] = (table.Seat{}); column.Fits(&r.blocks[i]) &&
			(column.Built.HasRoom(&r.blocks[i].Block) || j.makeRoom(column, &r.blocks[i])) {
			r.seats[i] = column.Built.Place(&r.blocks[i].Block)
		}
	}
	j.pieces++
	j.rows += len(r.cutter.spans) / r.cutter.width
	j.putting.RLock()
	return true
}

// pay draws what the cells of a piece take in the columns; false when there is no more.
func (j *pieceJoin) pay(r *pieceReader) bool {
	return r.cutter.lim.Reserve(int64(len(r.cutter.spans))*table.TypedCellMemory+r.bytes) == nil
}

// put copies a worker's blocks to their room.
func (j *pieceJoin) put(r *pieceReader) {
	defer j.putting.RUnlock()
	for i := range r.seats {
		r.seats[i].Put(&r.blocks[i].Block)
	}
}

// makeRoom moves the cells of a column when those who copy are done.
func (j *pieceJoin) makeRoom(column *infer.Column, b *infer.Block) bool {
	j.putting.Lock()
	defer j.putting.Unlock()
	return column.MakeRoom(b)
}
