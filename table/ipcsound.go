package table

import (
	"encoding/binary"
	"errors"
)

// errUnsound is what is wrong with Arrow metadata whose lengths or offsets lead out of it.
var errUnsound = errors.New("its metadata are damaged")

// flat is a FlatBuffers message as Arrow frames its metadata. The Arrow library asks for as much memory as a message says that it has fields, before it looks for them,
// which may be more than there is; so lengths are held against the message first. Positions out of range panic, which readers of damaged data catch.
type flat struct {
	b    []byte
	seen int // fields looked at: a message may name one many times
}

const maxFlatFields = 1 << 20

func (f *flat) u32(at int) int { return int(binary.LittleEndian.Uint32(f.b[at:])) }

// field gives where slot n of the table at a position has its value; 0 when it has none.
func (f *flat) field(table, n int) int {
	vtable := table - int(int32(f.u32(table)))
	if slot := 4 + 2*n; slot+2 <= int(binary.LittleEndian.Uint16(f.b[vtable:])) {
		if off := int(binary.LittleEndian.Uint16(f.b[vtable+slot:])); off > 0 {
			return table + off
		}
	}
	return 0
}

// child gives the table or vector that slot n refers to; 0 when there is none.
func (f *flat) child(table, n int) int {
	at := f.field(table, n)
	if at == 0 {
		return 0
	}
	return at + f.u32(at)
}

// vector gives the length of the vector of slot n and where its elements begin, if they all lie within the message.
func (f *flat) vector(table, n, size int) (length, from int, err error) {
	at := f.child(table, n)
	if at == 0 {
		return 0, 0, nil
	}
	if length = f.u32(at); length > (len(f.b)-at-4)/size {
		return 0, 0, errUnsound
	}
	return length, at + 4, nil
}

// vectors checks several vectors of a table: pairs of slot and size of an element.
func (f *flat) vectors(table int, pairs ...[2]int) error {
	for _, p := range pairs {
		if _, _, err := f.vector(table, p[0], p[1]); err != nil {
			return err
		}
	}
	return nil
}

// fields checks the fields in slot n of a table, and those within them.
func (f *flat) fields(table, n, depth int) error {
	length, from, err := f.vector(table, n, 4)
	if f.seen += length; err != nil || f.seen > maxFlatFields || depth > 64 {
		return errUnsound
	}
	for i := range length {
		at := from + 4*i
		field := at + f.u32(at)
		const union = 14
		if kind := f.field(field, 2); kind > 0 && f.b[kind] == union {
			if err := f.vectors(f.child(field, 3), [2]int{1, 4}); err != nil {
				return err
			}
		}
		if err := errors.Join(f.vectors(field, [2]int{6, 4}), f.fields(field, 5, depth+1)); err != nil {
			return err
		}
	}
	return nil
}

// schema checks a schema (format/Schema.fbs of Arrow).
func (f *flat) schema(table int) error {
	return errors.Join(f.fields(table, 1, 0), f.vectors(table, [2]int{2, 4}, [2]int{3, 8}))
}

// message checks a message (format/Message.fbs of Arrow) and gives the length of its body.
func (f *flat) message() (body int64, err error) {
	root := f.u32(0)
	header := f.child(root, 2)
	if at := f.field(root, 3); at > 0 {
		body = int64(binary.LittleEndian.Uint64(f.b[at:]))
	}
	kind := f.field(root, 1)
	if header == 0 || kind == 0 || body < 0 {
		return 0, errUnsound
	}
	batch := [][2]int{{1, 16}, {2, 16}, {4, 8}}
	switch f.b[kind] {
	case 1:
		err = f.schema(header)
	case 2:
		if header = f.child(header, 1); header == 0 {
			return 0, errUnsound
		}
		err = f.vectors(header, batch...)
	case 3:
		err = f.vectors(header, batch...)
	default:
		err = errUnsound
	}
	return body, errors.Join(err, f.vectors(root, [2]int{4, 4}))
}

// soundStream checks all messages of an Arrow stream, as far as it goes.
func soundStream(data []byte) error {
	for len(data) >= 8 {
		n, head := int64(binary.LittleEndian.Uint32(data)), int64(4)
		if n == 1<<32-1 {
			n, head = int64(binary.LittleEndian.Uint32(data[4:])), 8
		}
		if n == 0 {
			return nil
		}
		if n > int64(len(data))-head {
			return errUnsound
		}
		body, err := (&flat{b: data[head : head+n]}).message()
		if err != nil || body > int64(len(data))-head-n {
			return errors.Join(errUnsound, err)
		}
		data = data[head+n+body:]
	}
	return nil
}

// soundFile checks the footer of an Arrow file and the messages that it points to.
func soundFile(data []byte) error {
	const magic = 6
	end := len(data) - magic - 4
	if end < magic {
		return errUnsound
	}
	n := int(binary.LittleEndian.Uint32(data[end:]))
	if n > end {
		return errUnsound
	}
	f := &flat{b: data[end-n : end]}
	root := f.u32(0)
	schema := f.child(root, 1)
	if schema == 0 {
		return errUnsound
	}
	if err := errors.Join(f.schema(schema), f.vectors(root, [2]int{4, 4})); err != nil {
		return err
	}
	for slot := 2; slot <= 3; slot++ { // dictionaries, record batches
		length, from, err := f.vector(root, slot, 24)
		if err != nil {
			return err
		}
		for i := range length {
			block := f.b[from+24*i:]
			at, meta, body := int64(binary.LittleEndian.Uint64(block)), int64(int32(binary.LittleEndian.Uint32(block[8:]))), int64(binary.LittleEndian.Uint64(block[16:]))
			size := int64(len(data))
			if at < 0 || meta < 8 || body < 0 || at > size || meta > size-at || body > size-at-meta {
				return errUnsound
			}
			if err := soundStream(data[at : at+meta+body]); err != nil {
				return err
			}
		}
	}
	return nil
}
