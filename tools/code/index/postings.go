package index

import (
	"encoding/binary"
	"math"
)

// The chunks that have a word are written one after the other in ascending order: the distance to the one before as a varint,
// shifted left by one bit. The bit is 0 where the word is once in the body and nowhere else, which most are; else a byte follows
// with a bit for each field that has the word, and a byte with the count (at most 255) for each of them.

// posting is the list of one word while it is being made.
type posting struct {
	data []byte
	last uint32
	docs uint32
}

func (p *posting) add(chunk uint32, n *counts) {
	delta := chunk - p.last
	p.last = chunk
	p.docs++
	mask, only := byte(0), true
	for f, c := range n {
		if c > 0 {
			mask |= 1 << f
			only = only && f == fieldBody && c == 1
		}
	}
	if only {
		p.data = binary.AppendUvarint(p.data, uint64(delta)<<1)
		return
	}
	p.data = binary.AppendUvarint(p.data, uint64(delta)<<1|1)
	p.data = append(p.data, mask)
	for _, c := range n {
		if c > 0 {
			p.data = append(p.data, byte(min(c, math.MaxUint8)))
		}
	}
}

// cursor walks through a list. It never reads beyond its data, whatever the data are.
type cursor struct {
	data  []byte
	chunk uint32
	n     [fieldCount]byte
	mask  byte
}

// next goes to the next chunk and reports whether there is one.
func (c *cursor) next() bool {
	if len(c.data) == 0 {
		return false
	}
	var v uint64
	if b := c.data[0]; b < 0x80 {
		v, c.data = uint64(b), c.data[1:]
	} else {
		var k int
		if v, k = binary.Uvarint(c.data); k <= 0 {
			c.data = nil
			return false
		}
		c.data = c.data[k:]
	}
	c.chunk += uint32(v >> 1)
	if v&1 == 0 {
		c.mask, c.n[fieldBody] = 1<<fieldBody, 1
		return true
	}
	return c.fields()
}

func (c *cursor) fields() bool {
	if len(c.data) == 0 {
		return false
	}
	c.mask = c.data[0]
	at := 1
	for f := range fieldCount {
		if c.mask&(1<<f) != 0 {
			if at >= len(c.data) {
				c.data = nil
				return false
			}
			c.n[f] = c.data[at]
			at++
		}
	}
	c.data = c.data[at:]
	return true
}

// list is the cursor over the chunks of a word, and how many they are.
func (s *segment) list(term uint32) (cursor, uint32) {
	return cursor{data: s.postings[s.termPost[term]:s.termPost[term+1]]}, s.termDocs[term]
}
