package table

import "sync"

// pieceJoin reads the pieces of a plain text by several workers. Each cuts and reads a piece into blocks of its own; when it is its turn, by the order of the pieces, it takes room for them in
// the columns; then it copies them there beside the others. So the result does not depend on the number of workers.
type pieceJoin struct {
	text    string
	cuts    []int
	columns []*cellColumn
	rows    int

	mu     sync.Mutex
	placed *sync.Cond // turn or ok has changed
	next   int        // piece to be read
	turn   int        // piece to be placed
	ok     bool       // all pieces so far were plain
	// putting is held by those who copy; who has to move a column's cells must be alone.
	putting sync.RWMutex
}

// readMiddle reads the pieces; false when a record is not plain.
func (p *plain) readMiddle(workers int) bool {
	r := &pieceJoin{text: p.text, cuts: p.cuts, columns: p.columns, ok: true}
	r.placed = sync.NewCond(&r.mu)
	var wg sync.WaitGroup
	for range min(workers, len(p.cuts)-1) - 1 {
		wg.Go(func() { r.work(p.cutter) })
	}
	r.work(p.cutter)
	wg.Wait()
	p.rows = r.rows
	return r.ok
}

// work reads pieces until none is left.
func (r *pieceJoin) work(c cutter) {
	blocks, seats := make([]block, len(r.columns)), make([]seat, len(r.columns))
	for {
		piece, ok := r.take()
		if !ok {
			return
		}
		ok = readPiece(&c, r.text[r.cuts[piece]:r.cuts[piece+1]], r.columns, blocks)
		if !r.place(piece, len(c.spans)/c.width, ok, blocks, seats) {
			return
		}
		for i := range seats {
			seats[i].put(&blocks[i])
		}
		r.putting.RUnlock()
	}
}

// take gives the next piece, false when there is none.
func (r *pieceJoin) take() (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	return r.next - 1, r.ok && r.next < len(r.cuts)
}

// readPiece cuts a piece and reads its cells by the kinds of their columns.
func readPiece(c *cutter, text string, columns []*cellColumn, blocks []block) bool {
	if c.lim.ended() != nil || !c.cut(text) {
		return false
	}
	for i, column := range columns {
		blocks[i].reset(column.kind)
		c.read(text, i, &blocks[i])
	}
	return true
}

// place waits for the piece's turn and takes room for its blocks; an empty seat is none. Where it gives true the caller has to end putting.
func (r *pieceJoin) place(piece, rows int, plain bool, blocks []block, seats []seat) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.ok && r.turn != piece {
		r.placed.Wait()
	}
	defer r.placed.Broadcast()
	if r.ok = r.ok && plain; !r.ok {
		return false
	}
	for i, column := range r.columns {
		if seats[i] = (seat{}); column.fits(&blocks[i]) && (column.built.hasRoom(&blocks[i]) || r.makeRoom(column, &blocks[i])) {
			seats[i] = column.built.place(&blocks[i])
		}
	}
	r.rows += rows
	r.turn++
	r.putting.RLock()
	return true
}

// makeRoom moves the cells of a column when those who copy are done.
func (r *pieceJoin) makeRoom(column *cellColumn, b *block) bool {
	r.putting.Lock()
	defer r.putting.Unlock()
	return column.makeRoom(b)
}
