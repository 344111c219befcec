package columnar

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/parquet/metadata"

	"catena/table"
	"catena/table/content"
)

// The Arrow reader takes the counts in a stream's metadata at their word: one damaged count makes it ask for more memory than there is, which ends the
// process. So the metadata are looked at before it sees them. They are FlatBuffers (flatbuffers.dev/internals) of the tables in Arrow's
// Schema.fbs, Message.fbs and File.fbs; the numbers of fields below are places in those.

// flat is one FlatBuffer. Reading beyond its end panics, as in the Arrow reader; ipcFromBytes turns panics into errors.
type flat struct {
	b    []byte
	work int // what may still be read: parts that are shared by many owners would otherwise grow without end
	c    *ipcCheck
}

const (
	flatWork  = 64      // times the size of the metadata
	flatBasic = 1 << 16 // and this much for the smallest
)

// ipcCheck counts what the library makes of a stream's metadata and holds it against the limits.
type ipcCheck struct {
	lim    *table.Limits
	fields int64
	rows   int64
	// unpacked is what the packed buffers of all batches unfold to: all of them are held at once, so what is too much is refused before any is read.
	unpacked int64
	views    map[int64]int64 // columns of views outside dictionaries, by noDictionary, and in that of each id
}

const noDictionary = -1 << 63

// What the library takes for each thing that metadata list, in bytes and beside their texts.
const (
	fieldMemory = 512 // a field of a schema
	entryMemory = 96  // a key and a value
	nodeMemory  = 512 // an array of a batch
)

// verifyIPC walks the metadata of a stream or file, and reserves the memory that they take when they are read.
func verifyIPC(data []byte, lim *table.Limits) error {
	c := &ipcCheck{lim: lim, views: map[int64]int64{}}
	if bytes.HasPrefix(data, []byte("ARROW1")) {
		return c.file(data)
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
			return table.ErrDamaged
		}
		meta := data[prefix : prefix+int(size)]
		data = data[prefix+int(size):]
		body, err := c.message(meta, data)
		if err != nil {
			return err
		}
		data = data[body:]
	}
	return nil
}

// verifyOrigin walks the Arrow schema that writers of Parquet leave in its metadata, as a stream in base64 with padding or without.
func verifyOrigin(meta metadata.KeyValueMetadata, lim *table.Limits) error {
	text := meta.FindValue(originKey)
	if text == nil {
		return nil
	}
	stream, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(*text, "="))
	if err != nil {
		return table.ErrDamaged
	}
	return verifyIPC(stream, lim)
}

func (c *ipcCheck) file(data []byte) error {
	const tail = 10 // the footer's size and the mark
	if len(data) < 8+tail {
		return table.ErrDamaged
	}
	size := int(binary.LittleEndian.Uint32(data[len(data)-tail:]))
	if size > len(data)-tail {
		return table.ErrDamaged
	}
	footer := c.flat(data[len(data)-tail-size : len(data)-tail])
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
				return table.ErrDamaged
			}
			message := data[offset : offset+meta]
			if binary.LittleEndian.Uint32(message) == 0xffffffff {
				message = message[4:]
			}
			if _, err := c.message(message[4:], data[offset+meta:][:body]); err != nil {
				return err
			}
		}
	}
	return nil
}

// message walks one message and gives the size of its body, which rest begins with.
func (c *ipcCheck) message(meta, rest []byte) (body int64, err error) {
	if err := c.lim.Ended(); err != nil {
		return 0, err
	}
	f := c.flat(meta)
	root := f.indirect(0)
	if at := f.field(root, 3); at > 0 {
		if body = f.int64(at); body < 0 || body > int64(len(rest)) {
			return 0, table.ErrDamaged
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
		id := int64(0)
		if at := f.field(header, 0); at > 0 {
			id = f.int64(at)
		}
		err = f.batch(f.child(header, 1), id, rest[:body])
	case batch:
		if err = f.countRows(header); err == nil {
			err = f.batch(header, noDictionary, rest[:body])
		}
	}
	return body, err
}

func (c *ipcCheck) flat(b []byte) *flat { return &flat{b: b, work: flatWork*len(b) + flatBasic, c: c} }

func (f *flat) uint32(at int) uint32 { return binary.LittleEndian.Uint32(f.b[at:]) }

func (f *flat) int64(at int) int64 { return int64(binary.LittleEndian.Uint64(f.b[at:])) }

func (f *flat) indirect(at int) int { return at + int(f.uint32(at)) }

// field is where a table has a field, 0 when it has not.
func (f *flat) field(tbl, place int) int {
	if tbl == 0 {
		return 0
	}
	rules := tbl - int(int32(f.uint32(tbl)))
	at := 4 + 2*place
	if at >= int(binary.LittleEndian.Uint16(f.b[rules:])) { // as the library has it, also where the last of the places is cut
		return 0
	}
	if offset := int(binary.LittleEndian.Uint16(f.b[rules+at:])); offset > 0 {
		return tbl + offset
	}
	return 0
}

// child is the table that a field refers to, 0 when there is none.
func (f *flat) child(tbl, place int) int {
	if at := f.field(tbl, place); at > 0 {
		return f.indirect(at)
	}
	return 0
}

// vector is where the elements of a list begin and how many there are; they must be there.
func (f *flat) vector(tbl, place, size int) (start, n int, err error) {
	at := f.child(tbl, place)
	if at == 0 {
		return 0, 0, nil
	}
	n = int(f.uint32(at))
	f.work -= 16 + n*size
	if n > (len(f.b)-at-4)/size || f.work < 0 {
		return 0, 0, table.ErrDamaged
	}
	return at + 4, n, nil
}

func (f *flat) schema(tbl int) error {
	if _, _, err := f.vector(tbl, 3, 8); err != nil {
		return err
	}
	if err := f.keyValues(tbl, 2); err != nil {
		return err
	}
	return f.fields(tbl, 1, 0, noDictionary)
}

// fields walks a list of fields and their children.
func (f *flat) fields(tbl, place, depth int, dictionary int64) error {
	start, n, err := f.vector(tbl, place, 4)
	if err != nil {
		return err
	}
	if depth > f.c.lim.Depth {
		return tooDeep("", f.c.lim).Err
	}
	if f.c.fields += int64(n); f.c.fields > product(elementsEach, int64(f.c.lim.Columns)) {
		return &table.LimitError{What: table.LimitColumns, Limit: int64(f.c.lim.Columns), Text: fmt.Sprintf("there are more than %d columns", f.c.lim.Columns)}
	}
	if err := f.c.lim.Reserve(int64(n) * fieldMemory); err != nil {
		return err
	}
	for at := start; at < start+4*n; at += 4 {
		field := f.indirect(at)
		if err := f.text(field, 0); err != nil {
			return err
		}
		in := dictionary
		if coded := f.child(field, 4); coded > 0 {
			in = 0
			if at := f.field(coded, 0); at > 0 {
				in = f.int64(at)
			}
		}
		if kind := f.field(field, 2); kind > 0 && (f.b[kind] == typeBinaryView || f.b[kind] == typeTextView) {
			f.c.views[in]++
		}
		if kind := f.field(field, 2); kind > 0 && (f.b[kind] == typeUnion || f.b[kind] == typeTimestamp) { // ids, a time zone
			if _, _, err := f.vector(f.child(field, 3), 1, 1); err != nil {
				return err
			}
		}
		if err := errors.Join(f.keyValues(field, 6), f.fields(field, 5, depth+1, in)); err != nil {
			return err
		}
	}
	return nil
}

// The types of Schema.fbs whose second field is a list, and those of views.
const (
	typeTimestamp  = 10
	typeUnion      = 14
	typeBinaryView = 23
	typeTextView   = 24
)

func (f *flat) keyValues(tbl, place int) error {
	start, n, err := f.vector(tbl, place, 4)
	if err == nil {
		err = f.c.lim.Reserve(int64(n) * entryMemory)
	}
	if err != nil {
		return err
	}
	for at := start; at < start+4*n; at += 4 {
		pair := f.indirect(at)
		for _, place := range []int{0, 1} {
			if err := f.text(pair, place); err != nil {
				return err
			}
		}
	}
	return nil
}

// text reserves what a text takes.
func (f *flat) text(tbl, place int) error {
	_, n, err := f.vector(tbl, place, 1)
	if err != nil {
		return err
	}
	return f.c.lim.Reserve(int64(n))
}

// countRows counts the rows of a batch.
func (f *flat) countRows(tbl int) error {
	at := f.field(tbl, 0)
	if at == 0 {
		return nil
	}
	rows := f.int64(at)
	if rows < 0 {
		return table.ErrDamaged
	}
	if f.c.rows = plus(f.c.rows, rows); f.c.rows > int64(f.c.lim.Rows) {
		return &table.LimitError{What: table.LimitRows, Limit: int64(f.c.lim.Rows), Text: fmt.Sprintf("there are more than %d rows", f.c.lim.Rows)}
	}
	return nil
}

// batch checks the lists of a record batch: nodes, buffers, counts of variadic buffers. Where the body is packed it looks
// at what the packed buffers need to be unpacked.
func (f *flat) batch(tbl int, dictionary int64, body []byte) error {
	nodes, n, err := f.vector(tbl, 1, 16)
	if err == nil {
		err = f.c.lim.Reserve(int64(n) * nodeMemory)
	}
	if err != nil {
		return err
	}
	for at := nodes; at < nodes+16*n; at += 16 {
		if f.int64(at) < 0 || f.int64(at) > math.MaxInt64/2 {
			return table.ErrDamaged
		}
	}
	buffers, n, err := f.vector(tbl, 2, 16)
	if err == nil {
		err = f.variadic(tbl, int64(n), f.c.views[dictionary])
	}
	if err != nil || f.child(tbl, 3) == 0 {
		return err
	}
	for at := buffers; at < buffers+16*n; at += 16 {
		unpacked, err := checkPacked(body, f.int64(at), f.int64(at+8))
		if err == nil && dictionary == noDictionary { // a dictionary may take the place of another
			err = f.c.unpacks(unpacked)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unpacks counts what a buffer unfolds to, and holds the sum against what the allocator and the budget will give.
func (c *ipcCheck) unpacks(bytes int64) error {
	if c.unpacked = plus(c.unpacked, bytes); c.unpacked > product(memoryFactor, c.lim.Bytes) {
		return unfoldsTooFar(c.lim)
	}
	return c.lim.MayReserve(c.unpacked)
}

// variadic checks how many buffers each column of views says that it has: they are among the batch's.
// There must be one for each, as the library reads on behind the last.
func (f *flat) variadic(tbl int, buffers, views int64) error {
	counts, n, err := f.vector(tbl, 4, 8)
	if err == nil && int64(n) < views {
		return table.ErrDamaged
	}
	for at := counts; err == nil && at < counts+8*n; at += 8 {
		if buffers -= max(0, f.int64(at)); f.int64(at) < 0 || buffers < 0 {
			err = table.ErrDamaged
		}
	}
	return err
}

// checkPacked looks at a packed buffer: the number of bytes that it unfolds to, which it gives, and what packs them.
func checkPacked(body []byte, from, size int64) (unpacked int64, err error) {
	if size == 0 {
		return 0, nil
	}
	if from < 0 || size < 8 || from > int64(len(body))-size {
		return 0, table.ErrDamaged
	}
	packed := body[from : from+size]
	switch unpacked = int64(binary.LittleEndian.Uint64(packed)); {
	case unpacked < -1:
		return 0, table.ErrDamaged
	case unpacked == -1: // it is not packed
		return 0, nil
	case !bytes.HasPrefix(packed[8:], []byte(content.MagicZstd)): // LZ4 has blocks of 4 MiB at the most
		return unpacked, nil
	}
	return unpacked, checkWindows(packed[8:], max(leastWindow, unpacked))
}

func tooDeep(source string, lim *table.Limits) *table.FormatError {
	return table.OverLimit(source, 0, table.LimitDepth, int64(lim.Depth), "its types are nested more than %d deep", lim.Depth)
}
