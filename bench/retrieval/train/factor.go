package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
)

// sparse is a symmetric matrix by rows.
type sparse struct {
	cols [][]int32
	vals [][]float32
}

func (m *sparse) size() int {
	n := 0
	for _, r := range m.cols {
		n += len(r)
	}
	return n
}

// ppmi counts which words stand within ten words of each other, nearer ones for more, and gives the positive pointwise mutual
// information with smoothed contexts (Levy, Goldberg and Dagan, 2015).
func (c *corpus) ppmi(words []string) *sparse {
	id := make(map[string]int32, len(words))
	for i, w := range words {
		id[w] = int32(i)
	}
	const window = 10
	rows := make([]map[int32]float32, len(words))
	for i := range rows {
		rows[i] = map[int32]float32{}
	}
	for t, text := range c.texts {
		ids := make([]int32, 0, len(text))
		for _, w := range text {
			if i, ok := id[w]; ok {
				ids = append(ids, i)
			}
		}
		for i := range ids {
			for j := i + 1; j < min(len(ids), i+1+window); j++ {
				if ids[i] == ids[j] {
					continue
				}
				v := float32(c.weight[t] * float64(window+1-(j-i)) / window)
				rows[ids[i]][ids[j]] += v
				rows[ids[j]][ids[i]] += v
			}
		}
	}
	sum := make([]float64, len(words))
	total, smooth := 0.0, 0.0
	for i, r := range rows {
		for _, v := range r {
			sum[i] += float64(v)
		}
		total += sum[i]
		smooth += math.Pow(sum[i], 0.75)
	}
	m := &sparse{cols: make([][]int32, len(words)), vals: make([][]float32, len(words))}
	for i, r := range rows {
		keys := make([]int32, 0, len(r))
		for j := range r {
			keys = append(keys, j)
		}
		slices.Sort(keys)
		for _, j := range keys {
			v := float64(r[j])
			if v < 1.5 {
				continue
			}
			a := v * smooth / (sum[i] * math.Pow(sum[j], 0.75))
			b := v * smooth / (sum[j] * math.Pow(sum[i], 0.75))
			if pmi := math.Log(a)/2 + math.Log(b)/2; pmi > 0 {
				m.cols[i] = append(m.cols[i], j)
				m.vals[i] = append(m.vals[i], float32(pmi))
			}
		}
		rows[i] = nil
	}
	return m
}

// times multiplies the matrix with a dense one of n columns.
func (m *sparse) times(x []float32, n int) []float32 {
	out := make([]float32, len(m.cols)*n)
	var wg sync.WaitGroup
	for part := range 2 {

		wg.Go(func() {

			for i := part; i < len(m.cols); i += 2 {
				row := out[i*n : i*n+n]
				for k, j := range m.cols[i] {
					v, from := m.vals[i][k], x[int(j)*n:int(j)*n+n]
					for d := range row {
						row[d] += v * from[d]
					}
				}
			}
		})
	}
	wg.Wait()
	return out
}

// factor gives the words' vectors: the leading eigenvectors by subspace iteration (Halko, Martinsson and Tropp, 2011), each times
// the root of its eigenvalue, scaled to length one.
func (m *sparse) factor(dims int) [][]float32 {
	n := dims + 20
	random := rand.New(rand.NewPCG(7, 9))
	x := make([]float32, len(m.cols)*n)
	for i := range x {
		x[i] = float32(random.NormFloat64())
	}
	orthonormal(x, n)
	values := make([]float64, n)
	for range 8 {
		x = m.times(x, n)
		values = orthonormal(x, n)
	}
	out := make([][]float32, len(m.cols))
	for i := range out {
		v := make([]float32, dims)
		norm := 0.0
		for d := range v {
			v[d] = x[i*n+d] * float32(math.Pow(math.Abs(values[d]), 0.5))
			norm += float64(v[d] * v[d])
		}
		norm = math.Sqrt(norm) + 1e-9
		for d := range v {
			v[d] /= float32(norm)
		}
		out[i] = v
	}
	return out
}

// orthonormal makes the columns orthonormal by Gram and Schmidt's way and gives their lengths.
func orthonormal(x []float32, n int) []float64 {
	rows := len(x) / n
	values := make([]float64, n)
	for d := range n {
		for e := range d {
			dot := 0.0
			for i := range rows {
				dot += float64(x[i*n+d]) * float64(x[i*n+e])
			}
			for i := range rows {
				x[i*n+d] -= float32(dot) * x[i*n+e]
			}
		}
		norm := 0.0
		for i := range rows {
			norm += float64(x[i*n+d]) * float64(x[i*n+d])
		}
		values[d] = math.Sqrt(norm)
		for i := range rows {
			x[i*n+d] /= float32(values[d] + 1e-12)
		}
	}
	return values
}

// kept is how many neighbours a stem keeps, and how near they must be at least.
const (
	kept      = 8
	nearLeast = 0.6
)

// neighbour is a stem and the cosine of the angle to it.
type neighbour struct {
	id     int
	cosine float32
}

// nearest gives the nearest neighbours of each vector, nearest first. The vectors have length one.
func nearest(vecs [][]float32) [][]neighbour {
	out := make([][]neighbour, len(vecs))
	var wg sync.WaitGroup
	for part := range 2 {
		wg.Go(func() {
			for i := part; i < len(vecs); i += 2 {
				out[i] = nearestTo(vecs, i)
			}
		})
	}
	wg.Wait()
	return out
}

func nearestTo(vecs [][]float32, i int) []neighbour {
	var best []neighbour
	least := float32(nearLeast)
	for j, v := range vecs {
		dot := float32(0)
		for d, x := range v {
			dot += x * vecs[i][d]
		}
		if j == i || dot < least {
			continue
		}
		best = append(best, neighbour{j, dot})
		slices.SortFunc(best, func(a, b neighbour) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.id, b.id)) })
		if len(best) > kept {
			best = best[:kept]
			least = best[kept-1].cosine
		}
	}
	return best
}

// write stores the stems, a line each, and behind an empty line each one's neighbours: how many, then two bytes for the number of the
// stem and one for the cosine times 255.
func write(path string, words []string, near [][]neighbour) error {
	var b bytes.Buffer
	for _, w := range words {
		b.WriteString(w + "\n")
	}
	b.WriteByte('\n')
	for _, list := range near {
		b.WriteByte(byte(len(list)))
		for _, n := range list {
			b.Write(binary.LittleEndian.AppendUint16(nil, uint16(n.id)))
			b.WriteByte(byte(math.Round(float64(n.cosine) * 255)))
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
