package buffer

import (
	"bytes"
	"testing"
)

func TestAppend(t *testing.T) {
	var got, want []byte
	for i, size := range []int{0, 1, 100, step - 1, step, step + 1, 3*step + 7} {
		p := bytes.Repeat([]byte{byte('a' + i)}, size)
		got, want = Append(got, p), append(want, p...)
		if !bytes.Equal(got, want) {
			t.Fatalf("after %d bytes more: %d bytes, and they differ", size, len(got))
		}
	}
	grown := Grow(got, 10*step)
	if !bytes.Equal(grown, want) || cap(grown) < 10*step {
		t.Errorf("%d bytes with room for %d", len(grown), cap(grown))
	}
	if same := Grow(grown, 5); &same[0] != &grown[0] {
		t.Error("it was copied though there was room")
	}
}

func TestAppendInRoom(t *testing.T) {
	b := make([]byte, 0, 4*step)
	p := make([]byte, 3*step)
	if n := testing.AllocsPerRun(10, func() { Append(b, p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
