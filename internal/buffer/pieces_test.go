package buffer

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Bytes come out as they went in, however they came, and never those that somebody else left in a piece.
func TestPieces(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	for _, size := range []int{0, 1, 511, 512, 513, pieceSize - 1, pieceSize, pieceSize + 1, 2 * pieceSize, 5*pieceSize + 77} {
		want := make([]byte, size)
		_, _ = random.Read(want)
		var p Pieces
		for rest := want; len(rest) > 0; {
			before, next := p.Cap(), p.Next()
			room := p.Room()
			if len(room) == 0 || p.Cap() != before+next {
				t.Fatalf("of %d bytes %d: room for %d, %d bytes in all where %d+%d were told", size, p.Len(), len(room), p.Cap(), before, next)
			}
			n := copy(room[:min(len(room), 1+len(rest)/3)], rest)
			p.Took(n)
			rest = rest[n:]
		}
		if p.Len() != size || p.Cap() > max(2*size, 512)+pieceSize {
			t.Errorf("%d bytes of %d, in room for %d", p.Len(), size, p.Cap())
		}
		if got := p.Bytes(); !bytes.Equal(got, want) || cap(got) > max(2*size, 512) {
			t.Errorf("%d bytes with room for %d, or other ones, of %d", len(got), cap(got), size)
		}
		if p.Len() != 0 || p.Cap() != 0 {
			t.Errorf("%d bytes are left", p.Len())
		}
	}
}

// What was taken stays as it is when its pieces are used again.
func TestPiecesAgain(t *testing.T) {
	fill := func(c byte) []byte {
		var p Pieces
		for p.Len() < 3*pieceSize {
			room := p.Room()
			for i := range room {
				room[i] = c
			}
			p.Took(len(room))
		}
		return p.Bytes()
	}
	first := fill('a')
	fill('b')
	if bytes.Contains(first, []byte("b")) {
		t.Error("it changed")
	}
}
