package table

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// The Arrow reader takes the counts in a stream's metadata at their word: one damaged count makes it ask for more memory than there is, which ends the
// process. So the metadata are looked at before it sees them. They are FlatBuffers (flatbuffers.dev/internals) of the tables in Arrow's
// Schema.fbs, Message.fbs and File.fbs; the numbers of fields below are places in those.

// errDamaged says that metadata promise more than they hold.
var errDamaged = errors.New("the metadata are damaged")

// flat is one FlatBuffer. Reading beyond its end panics, as in the Arrow reader; ipcFromBytes turns panics into errors.
type flat struct {
	b    []byte
	work int // what may still be read: parts that are shared by many owners would otherwise grow without end
}

const (
	flatWork  = 64      // times the size of the metadata
	flatBasic = 1 << 16 // and this much for the smallest
	flatDepth = 64      // of nested fields
)

// verifyIPC walks the metadata of a stream or file.
func verifyIPC(data []byte) error {
	if bytes.HasPrefix(data, []byte("ARROW1")) {
		return verifyFile(data)
	}
	for len(data) >= 4 {
		prefix, size := 4, binary.LittleEndian.Uint32(data)
		if size == 0xffffffff && len(data) >= 8 { // the mark of streams since format version 0.15
			prefix, size = 8, binary.LittleEndian.Uint32(data[4:])
		}
		if size == 0 {
			return nil
		}
		if uint64(size) > uint64(len(data)-prefix) {
			return errDamaged
		}
		data = data[prefix:]
		body, err := verifyMessage(data[:size])
		if err != nil {
			return err
		}
		if data = data[size:]; body > int64(len(data)) {
			return errDamaged
		}
		data = data[body:]
	}
	return nil
}

// verifyOrigin walks the Arrow schema that writers of Parquet leave in its metadata, as a stream in base64 with padding or without.
func verifyOrigin(meta metadata.KeyValueMetadata) error {
	text := meta.FindValue(originKey)
	if text == nil {
		return nil
	}
	stream, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(*text, "="))
	if err != nil {
		return errDamaged
	}
	return verifyIPC(stream)
}

func verifyFile(data []byte) error {
	const tail = 10 // the footer's size and the mark
	if len(data) < 8+tail {
		return errDamaged
	}
	size := int(binary.LittleEndian.Uint32(data[len(data)-tail:]))
	if size > len(data)-tail {
		return errDamaged
	}
	footer := newFlat(data[len(data)-tail-size : len(data)-tail])
	root := footer.indirect(0)
	if err := footer.schema(footer.child(root, 1)); err != nil {
		return err
	}
	for _, place := range []int{2, 3} { // dictionaries, batches
		const block = 24
		start, n, err := footer.vector(root, place, block)
		if err != nil {
			return err
		}
		for at := start; at < start+n*block; at += block {
			offset, meta, body := footer.int64(at), int64(int32(footer.uint32(at+8))), footer.int64(at+16)
			if offset < 0 || meta < 8 || body < 0 || offset > int64(len(data)) || meta > int64(len(data))-offset || body > int64(len(data))-offset-meta {
				return errDamaged
			}
			message := data[offset : offset+meta]
			if binary.LittleEndian.Uint32(message) == 0xffffffff {
				message = message[4:]
			}
			if _, err := verifyMessage(message[4:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyMessage walks one message and gives the size of its body.
func verifyMessage(meta []byte) (body int64, err error) {
	f := newFlat(meta)
	root := f.indirect(0)
	if at := f.field(root, 3); at > 0 {
		if body = f.int64(at); body < 0 {
			return 0, errDamaged
		}
	}
	kind := byte(0)
	if at := f.field(root, 1); at > 0 {
		kind = f.b[at]
	}
	if err := f.keyValues(root, 4); err != nil {
		return 0, err
	}
	const schema, dictionary, batch = 1, 2, 3
	switch header := f.child(root, 2); kind {
	case schema:
		err = f.schema(header)
	case dictionary:
		err = f.batch(f.child(header, 1))
	case batch:
		err = f.batch(header)
	}
	return body, err
}

func newFlat(b []byte) *flat { return &flat{b: b, work: flatWork*len(b) + flatBasic} }

func (f *flat) uint32(at int) uint32 { return binary.LittleEndian.Uint32(f.b[at:]) }

func (f *flat) int64(at int) int64 { return int64(binary.LittleEndian.Uint64(f.b[at:])) }

func (f *flat) indirect(at int) int { return at + int(f.uint32(at)) }

// field is where a table has a field, 0 when it has not.
func (f *flat) field(table, place int) int {
	if table == 0 {
		return 0
	}
	rules := table - int(int32(f.uint32(table)))
	at := 4 + 2*place
	if at+2 > int(binary.LittleEndian.Uint16(f.b[rules:])) {
		return 0
	}
	if offset := int(binary.LittleEndian.Uint16(f.b[rules+at:])); offset > 0 {
		return table + offset
	}
	return 0
}

// child is the table that a field refers to, 0 when there is none.
func (f *flat) child(table, place int) int {
	if at := f.field(table, place); at > 0 {
		return f.indirect(at)
	}
	return 0
}

// vector is where the elements of a list begin and how many there are; they must be there.
func (f *flat) vector(table, place, size int) (start, n int, err error) {
	at := f.child(table, place)
	if at == 0 {
		return 0, 0, nil
	}
	n = int(f.uint32(at))
	f.work -= 16 + n*size
	if n > (len(f.b)-at-4)/size || f.work < 0 {
		return 0, 0, errDamaged
	}
	return at + 4, n, nil
}

func (f *flat) schema(table int) error {
	if _, _, err := f.vector(table, 3, 8); err != nil {
		return err
	}
	if err := f.keyValues(table, 2); err != nil {
		return err
	}
	return f.fields(table, 1, 0)
}

// fields walks a list of fields and their children.
func (f *flat) fields(table, place, depth int) error {
	start, n, err := f.vector(table, place, 4)
	if err != nil {
		return err
	}
	if depth > flatDepth {
		return errDamaged
	}
	for at := start; at < start+4*n; at += 4 {
		field := f.indirect(at)
		if _, _, err := f.vector(field, 0, 1); err != nil {
			return err
		}
		if kind := f.field(field, 2); kind > 0 && (f.b[kind] == typeUnion || f.b[kind] == typeTimestamp) { // ids, a time zone
			if _, _, err := f.vector(f.child(field, 3), 1, 1); err != nil {
				return err
			}
		}
		if err := errors.Join(f.keyValues(field, 6), f.fields(field, 5, depth+1)); err != nil {
			return err
		}
	}
	return nil
}

// The types of Schema.fbs whose second field is a list.
const (
	typeTimestamp = 10
	typeUnion     = 14
)

func (f *flat) keyValues(table, place int) error {
	start, n, err := f.vector(table, place, 4)
	if err != nil {
		return err
	}
	for at := start; at < start+4*n; at += 4 {
		pair := f.indirect(at)
		for _, place := range []int{0, 1} {
			if _, _, err := f.vector(pair, place, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch checks the lists of a record batch: nodes, buffers, counts of variadic buffers.
func (f *flat) batch(table int) error {
	for _, list := range []struct{ place, size int }{{1, 16}, {2, 16}, {4, 8}} {
		if _, _, err := f.vector(table, list.place, list.size); err != nil {
			return err
		}
	}
	return nil
}
