package main

import (
	"io"
	"strconv"
)

// Sizes of JSON that is small in depth and large in number: what routes take that take files, and what every route takes.
const (
	largeJSON = 30 << 20
	smallJSON = 1_000_000
)

// manifold are the attacks by valid JSON of very many values: it is dear to check and to decode, not to refuse. What a body that
// breaks costs is only the part before that.
func manifold(at int) []*attack {
	kind := func(name string, body func(size int64) io.Reader) *attack {
		right := []string{"200", "400", "404", "413", "503"}
		return sent(name, at, right, func(t *target, n int) message {
			size := [...]int64{largeJSON, smallJSON}[n%2]
			return message{route: t.json[n/2%len(t.json)], header: []string{jsonHeader}, body: body(size), length: size, valid: true}
		})
	}
	return []*attack{
		kind("JSON: an array of millions", manyValues),
		kind("JSON: an object of millions of members", func(size int64) io.Reader { return &members{left: size, key: plainKey} }),
		kind("JSON: millions of keys with an escape", func(size int64) io.Reader { return &members{left: size, key: escapedKey} }),
	}
}

func manyValues(size int64) io.Reader { return filled(size, "[0", ",0", "]") }

// members reads as a JSON object of left bytes, which has as many members as fit.
type members struct {
	left int64
	key  func(b []byte, n int) []byte // appends the key of the nth in its quotes
	n    int
	made []byte // what is to be read yet
}

// Read makes members as they are asked for: a writer at a pipe would wait for ever where the server reads only the beginning.
func (m *members) Read(p []byte) (int, error) {
	if len(m.made) == 0 {
		if m.left == 0 {
			return 0, io.EOF
		}
		m.made = m.more(m.made[:0])
		m.left -= int64(len(m.made))
	}
	n := copy(p, m.made)
	m.made = m.made[n:]
	return n, nil
}

// more appends some members, and at the end what closes the object, with blanks where no member fits.
func (m *members) more(b []byte) []byte {
	if m.n == 0 {
		b = append(b, `{"message":"x"`...)
	}
	for len(b) < 32<<10 {
		whole := len(b)
		b = m.key(append(b, ','), m.n)
		b = append(b, ":0"...)
		if int64(len(b)) >= m.left {
			b = b[:whole]
			for int64(len(b)) < m.left-1 {
				b = append(b, ' ')
			}
			return append(b, '}')
		}
		m.n++
	}
	return b
}

func plainKey(b []byte, n int) []byte {
	return append(strconv.AppendInt(append(b, '"'), int64(n), 10), '"')
}

// escapedKey is one that cannot be compared as it stands.
func escapedKey(b []byte, n int) []byte {
	return append(strconv.AppendInt(append(b, `"\n`...), int64(n), 16), '"')
}
