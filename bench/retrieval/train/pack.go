package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"catena/planner/retrieval"
)

// pack writes a model as the retriever reads it: the number of dimensions, the pieces, and behind an empty line a byte of scale for
// each piece, then four bits for each dimension of each, the lower half of a byte first.
func (s *student) pack(path string, pieces []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n%s\n\n", s.dims, strings.Join(pieces, "\n"))
	codes := make([]byte, 0, len(s.vecs)/2)
	for p := range pieces {
		row := s.vecs[p*s.dims : (p+1)*s.dims]
		scale := scaleFor(row)
		b.WriteByte(scale)
		for d := 0; d < s.dims; d += 2 {
			codes = append(codes, code(row[d], scale)|code(row[d+1], scale)<<4)
		}
	}
	b.Write(codes)
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// scaleFor is the scale with the least squared error.
func scaleFor(row []float32) byte {
	most := 0.0
	for _, x := range row {
		most = max(most, math.Abs(float64(x)))
	}
	top := 0
	for top < 255 && retrieval.Scale(byte(top)) < most {
		top++
	}
	best, least := byte(top), math.Inf(1)
	for b := max(0, top-24); b <= top; b++ {
		sum := 0.0
		for _, x := range row {
			miss := float64(x) - (float64(code(x, byte(b)))-7.5)*retrieval.Scale(byte(b))/7.5
			sum += miss * miss
		}
		if sum < least {
			best, least = byte(b), sum
		}
	}
	return best
}

func code(x float32, scale byte) byte {
	return byte(min(15, max(0, math.Floor(float64(x)/retrieval.Scale(scale)*7.5+8))))
}
