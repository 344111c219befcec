package table

import (
	"bytes"
	"encoding/binary"
)

// slots is an open-addressing index of numbers from 0 on: each slot holds the upper half of a hash and a number plus
// one; 0 is free. A hash's place follows from its upper bits, so that the index grows without hashing again. At most
// half of the slots are taken.
type slots struct {
	at    []uint64
	shift uint // of a hash's upper 32 bits, to its place
	n     int
	entry int64 // bytes that whoever has the index takes for a number, with what grows
	work  *Work
}

const fewSlots = 9 // bits

// drawnEntries is how many entries memory is drawn for at once.
const drawnEntries = 1 << (fewSlots - 1)

func newSlots(w *Work, entry int64) slots {
	return slots{at: make([]uint64, 1<<fewSlots), shift: 32 - fewSlots, entry: entry, work: w}
}

// place is where the probing for a hash begins.
func (s *slots) place(h uint64) uint64 { return h >> 32 >> s.shift }

func (s *slots) next(i uint64) uint64 { return (i + 1) & uint64(len(s.at)-1) }

// put takes the number n for a hash into the free slot i.
func (s *slots) put(i, h uint64, n int) {
	s.at[i] = h&^0xffffffff | uint64(uint32(n)+1)
	if s.n++; s.n%drawnEntries == 0 && s.work != nil {
		s.work.scratch(drawnEntries * s.entry)
	}
	if s.n > len(s.at)/2 {
		s.grow()
	}
}

func (s *slots) grow() {
	old := s.at
	s.work.scratch(4 * 8 * int64(len(old)))
	s.at, s.shift = make([]uint64, 4*len(old)), s.shift-2
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := s.place(slot)
		for s.at[i] != 0 {
			i = s.next(i)
		}
		s.at[i] = slot
	}
}

// wordDict numbers distinct words in order of appearance.
type wordDict struct {
	slots
	words []uint64
}

// wordEntry is, with what grows, a word, its group's number and its first row.
const wordEntry = 3 * (8 + shortNumber + rowNumber)

func newWordDict(w *Work) *wordDict { return &wordDict{slots: newSlots(w, wordEntry)} }

// find gives the number of a word, or -1 and where it belongs.
func (d *wordDict) find(w, h uint64) (id int32, at uint64) {
	for i := d.place(h); ; i = d.next(i) {
		slot := d.at[i]
		if slot == 0 {
			return -1, i
		}
		if slot>>32 == h>>32 {
			if n := uint32(slot) - 1; d.words[n] == w {
				return int32(n), i
			}
		}
	}
}

func (d *wordDict) put(w uint64) (id int32, fresh bool) {
	h := hashWord(w)
	id, at := d.find(w, h)
	if id >= 0 {
		return id, false
	}
	d.words = append(d.words, w)
	d.slots.put(at, h, len(d.words)-1)
	return int32(len(d.words) - 1), true
}

// get is the number of a word, -1 when it has none.
func (d *wordDict) get(w uint64) int32 {
	id, _ := d.find(w, hashWord(w))
	return id
}

// textDict numbers distinct texts in order of appearance. The texts stay where they are.
type textDict struct {
	slots
	keys  []textKey
	texts [][]byte
}

// textEntry is, with what grows, a text's key and place, its group's number and its first row.
const textEntry = 3 * (16 + 24 + shortNumber + rowNumber)

func newTextDict(w *Work) *textDict { return &textDict{slots: newSlots(w, textEntry)} }

func (d *textDict) find(b []byte, key textKey, h uint64) (id int32, at uint64) {
	for i := d.place(h); ; i = d.next(i) {
		slot := d.at[i]
		if slot == 0 {
			return -1, i
		}
		if slot>>32 == h>>32 {
			if n := uint32(slot) - 1; d.keys[n] == key && (key.tail < longText || bytes.Equal(d.texts[n], b)) {
				return int32(n), i
			}
		}
	}
}

func (d *textDict) put(b []byte) (id int32, fresh bool) {
	key := keyOfText(b)
	h := key.hash()
	id, at := d.find(b, key, h)
	if id >= 0 {
		return id, false
	}
	d.keys, d.texts = append(d.keys, key), append(d.texts, b)
	d.slots.put(at, h, len(d.texts)-1)
	return int32(len(d.texts) - 1), true
}

// get is the number of a text, -1 when it has none.
func (d *textDict) get(b []byte) int32 {
	key := keyOfText(b)
	id, _ := d.find(b, key, key.hash())
	return id
}

// textKey tells texts apart: of short texts it is the text itself and its length; of longer ones a hash and the length,
// so that texts of equal keys are to be compared.
type textKey struct{ head, tail uint64 }

const (
	shortText = 15                // bytes of a text that is its own key
	longText  = uint64(255) << 56 // tails from here on are of longer texts
)

// textMasks keep the first n bytes of sixteen.
var textMasks = func() (masks [shortText + 1][2]uint64) {
	for n := range masks {
		masks[n] = [2]uint64{1<<(8*min(n, 8)) - 1, 1<<(8*max(n-8, 0)) - 1}
	}
	return masks
}()

// keyOfText reads sixteen bytes at once where the memory that a text is a part of goes on so far, which nobody may
// change.
func keyOfText(b []byte) textKey {
	if len(b) > shortText {
		return textKey{hashBytes(b), longText | uint64(len(b))}
	}
	var room [16]byte
	w := room[:]
	if cap(b) >= 16 {
		w = b[:16]
	} else {
		copy(w, b)
	}
	mask := &textMasks[len(b)]
	return textKey{binary.LittleEndian.Uint64(w) & mask[0],
		binary.LittleEndian.Uint64(w[8:])&mask[1] | uint64(len(b)+1)<<56}
}

func (k textKey) hash() uint64 { return mix(k.head^seeds[0], k.tail^seeds[1]) }
