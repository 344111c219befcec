package buffer

import "sync"

// pieceSize is how large a piece is. What is shorter has a slice of its own, which doubles.
const pieceSize = 256 << 10

// pieces are those that nobody uses now.
var pieces = sync.Pool{New: func() any { return new([pieceSize]byte) }}

// Pieces collects bytes of which nobody knows how many come, as a file does that is sent or unpacked. Long ones lie in pieces that are used
// again, so that what is refused in the end leaves no garbage, and what is taken no more than Go's copies of a slice that grows. The
// zero value is empty. It is not safe for concurrent use.
type Pieces struct {
	head []byte
	full []*[pieceSize]byte
	n    int // in the last of them
}

// Len is how many bytes there are.
func (p *Pieces) Len() int {
	if len(p.full) == 0 {
		return len(p.head)
	}
	return len(p.head) + (len(p.full)-1)*pieceSize + p.n
}

// Cap is how much room they take.
func (p *Pieces) Cap() int { return cap(p.head) + len(p.full)*pieceSize }

// Next is by how much Cap grows for the next byte: 0 while there is room.
func (p *Pieces) Next() int {
	switch {
	case len(p.head) < cap(p.head), len(p.full) > 0 && p.n < pieceSize:
		return 0
	case len(p.head) < pieceSize:
		return max(512, min(2*len(p.head), pieceSize)) - len(p.head)
	}
	return pieceSize
}

// Room is where the next bytes go, as many as fit; there is room for one at least. Took says how many came.
func (p *Pieces) Room() []byte {
	if p.Next() > 0 {
		if len(p.head) < pieceSize {
			p.head = Grow(p.head, cap(p.head)+p.Next())
		} else {
			piece, _ := pieces.Get().(*[pieceSize]byte)
			p.full, p.n = append(p.full, piece), 0
		}
	}
	if len(p.full) > 0 {
		return p.full[len(p.full)-1][p.n:]
	}
	return p.head[len(p.head):cap(p.head)]
}

// Took takes the first n bytes of Room.
func (p *Pieces) Took(n int) {
	if len(p.full) > 0 {
		p.n += n
		return
	}
	p.head = p.head[:len(p.head)+n]
}

// Bytes are all bytes as one slice, which is the caller's. Nothing is left here.
func (p *Pieces) Bytes() []byte {
	all := p.head
	if len(p.full) > 0 {
		all = Grow(p.head, p.Len())
		for _, piece := range p.full[:len(p.full)-1] {
			all = inSteps(all, piece[:])
		}
		all = inSteps(all, p.full[len(p.full)-1][:p.n])
	}
	p.Free()
	return all
}

// Free gives the pieces back. Nothing is left here.
func (p *Pieces) Free() {
	for _, piece := range p.full {
		pieces.Put(piece)
	}
	*p = Pieces{}
}
