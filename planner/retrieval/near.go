package retrieval

import (
	_ "embed"
	"encoding/binary"
	"strings"
	"sync"
)

//go:embed near.bin
var nearBytes string

// alike is a stem that stands for nearly the same as another.
type alike struct {
	stem   string
	weight float64 // what meeting it counts for, beside 1 for the word itself
}

// likeness of two stems: the cosine of their vectors, from the least that is kept on, counts for these shares of a word. Measured on
// the retrieval set: with more, near words outdo the words themselves.
const (
	leastCosine = 0.6
	leastWeight = 0.16
	mostWeight  = 0.4
)

type nearTable struct {
	stems []string
	id    map[string]int
	at    []int // where each stem's neighbours begin
	data  string
}

var nearStems = sync.OnceValue(func() *nearTable {
	text, data, _ := strings.Cut(nearBytes, "\n\n")
	t := &nearTable{stems: strings.Split(text, "\n"), data: data}
	t.id = make(map[string]int, len(t.stems))
	t.at = make([]int, len(t.stems))
	at := 0
	for i, s := range t.stems {
		t.id[s], t.at[i] = i, at
		at += 1 + 3*int(data[at])
	}
	return t
})

// near gives the stems that mean nearly the same as one, nearest first.
func (t *nearTable) near(stem string) []alike {
	i, ok := t.id[stem]
	if !ok {
		return nil
	}
	list := t.data[t.at[i]+1 : t.at[i]+1+3*int(t.data[t.at[i]])]
	out := make([]alike, 0, len(list)/3)
	for ; len(list) > 0; list = list[3:] {
		cosine := float64(list[2]) / 255
		out = append(out, alike{t.stems[binary.LittleEndian.Uint16([]byte(list))], leastWeight + (mostWeight-leastWeight)*(cosine-leastCosine)/(1-leastCosine)})
	}
	return out
}

// Known reports whether a stem is one of the common words of English that the near words were computed for.
func Known(stem string) bool {
	_, ok := nearStems().id[stem]
	return ok
}

// Near says how near in meaning a stem is to another: 1 for the same, 0 for those that are not near, else the cosine of their vectors.
func Near(a, b string) float64 {
	if a == b {
		return 1
	}
	t := nearStems()
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		i, ok := t.id[pair[0]]
		j, also := t.id[pair[1]]
		if !ok || !also {
			return 0
		}
		for list := t.data[t.at[i]+1 : t.at[i]+1+3*int(t.data[t.at[i]])]; len(list) > 0; list = list[3:] {
			if int(binary.LittleEndian.Uint16([]byte(list[:2]))) == j {
				return float64(list[2]) / 255
			}
		}
	}
	return 0
}

// Stand is a stem that stands for nearly the same as another.
type Stand struct {
	Stem   string
	Cosine float64 // of the angle between their vectors
}

// Alike gives the stems that mean nearly the same as one, nearest first.
func Alike(stem string) []Stand {
	t := nearStems()
	i, ok := t.id[stem]
	if !ok {
		return nil
	}
	var out []Stand
	for list := t.data[t.at[i]+1 : t.at[i]+1+3*int(t.data[t.at[i]])]; len(list) > 0; list = list[3:] {
		out = append(out, Stand{t.stems[binary.LittleEndian.Uint16([]byte(list[:2]))], float64(list[2]) / 255})
	}
	return out
}
