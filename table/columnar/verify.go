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

// The Arrow reader takes the counts in a stream's metadata at their word: one damaged count makes it ask for more
// memory than there is, which ends the process. So the metadata are looked at before it sees them. They are
// FlatBuffers (flatbuffers.dev/internals) of the tables in Arrow's Schema.fbs, Message.fbs and File.fbs; the numbers
// of fields below are places in those.

// ipcCheck counts what the library makes of a stream's metadata and holds it against the limits.
type ipcCheck struct {
	lim    *table.Limits
	fields int64
	rows   int64
	// unpacked is what the packed buffers of all batches unfold to: all of them are held at once, so what is too much
	// is refused before any is read.
	unpacked int64
	views    map[int64]int64 // columns of views outside dictionaries, by noDictionary, and in that of each id

	messages []ipcMessage
	footer   []byte // of a file
	packed   bool   // some message's buffers are packed by Zstandard
}

const noDictionary = -1 << 63

// What the library takes for each thing that metadata list, in bytes and beside their texts.
const (
	fieldMemory = 512 // a field of a schema
	entryMemory = 96  // a key and a value
	nodeMemory  = 512 // an array of a batch
	knownMemory = 128 // a message, where ipcCheck notes it
)

// Values and places of the fields in Message.fbs.
const (
	messageSchema     = 1
	messageDictionary = 2
	messageBatch      = 3
	messageBody       = 3 // its length
	batchBuffers      = 2
	bufferSize        = 16 // where it begins and how long it is
	batchPacked       = 3
	packedByZstd      = 1
)

// verifyIPC walks the metadata of a stream or file, and reserves the memory that they take when they are read.
func verifyIPC(data []byte, lim *table.Limits) (*ipcCheck, error) {
	c := &ipcCheck{lim: lim, views: map[int64]int64{}}
	if bytes.HasPrefix(data, []byte(MagicArrowFile)) {
		return c, c.file(data)
	}
	return c, c.stream(data)
}

func (c *ipcCheck) stream(data []byte) error {
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
		m := ipcMessage{head: data[:prefix], meta: data[prefix : prefix+int(size)], body: data[prefix+int(size):]}
		data = m.body
		body, err := c.message(m)
		if err != nil {
			return err
		}
		data = data[body:]
	}
	return nil
}

// verifyOrigin walks the Arrow schema that writers of Parquet leave in its metadata, as a stream in base64 with
// padding or without.
func verifyOrigin(meta metadata.KeyValueMetadata, lim *table.Limits) error {
	text := meta.FindValue(originKey)
	if text == nil {
		return nil
	}
	stream, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(*text, "="))
	if err != nil {
		return table.ErrDamaged
	}
	_, err = verifyIPC(stream, lim)
	return err
}

// ipcTail is what stands behind a file's footer: its size and the mark.
const ipcTail = 4 + len(MagicArrowFile)

func (c *ipcCheck) file(data []byte) error {
	if len(data) < 8+ipcTail {
		return table.ErrDamaged
	}
	size := int(binary.LittleEndian.Uint32(data[len(data)-ipcTail:]))
	if size > len(data)-ipcTail {
		return table.ErrDamaged
	}
	c.footer = data[len(data)-ipcTail-size : len(data)-ipcTail]
	footer := c.flat(c.footer)
	root := footer.indirect(0)
	if err := footer.schema(footer.child(root, 1)); err != nil {
		return err
	}
	for _, place := range []int{2, 3} { // dictionaries, batches
		start, n, err := footer.vector(root, place, blockSize)
		if err != nil {
			return err
		}
		for at := start; at < start+n*blockSize; at += blockSize {
			m, err := footer.block(at, data)
			if err != nil {
				return err
			}
			if _, err := c.message(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// blockSize is how many bytes say in a footer where a message is (File.fbs, Block).
const blockSize = 24

// block is the message of a file that a place of its footer tells of.
func (f *flat) block(at int, data []byte) (ipcMessage, error) {
	offset, meta, body := f.int64(at), int64(int32(f.uint32(at+8))), f.int64(at+16)
	all := int64(len(data))
	if begins := 0 <= offset && offset <= all; !begins || meta < 8 || body < 0 {
		return ipcMessage{}, table.ErrDamaged
	}
	if meta > all-offset || body > all-offset-meta {
		return ipcMessage{}, table.ErrDamaged
	}
	head := data[offset : offset+4]
	if binary.LittleEndian.Uint32(head) == 0xffffffff {
		head = data[offset : offset+8]
	}
	m := ipcMessage{head: head, meta: data[offset : offset+meta][len(head):], block: at}
	m.body = data[offset+meta:][:body]
	return m, nil
}

// message walks one message and gives the size of its body, which m's begins with.
func (c *ipcCheck) message(m ipcMessage) (body int64, err error) {
	if err := c.lim.Ended(); err != nil {
		return 0, err
	}
	f, rest := c.flat(m.meta), m.body
	root := f.indirect(0)
	if at := f.field(root, messageBody); at > 0 {
		if body = f.int64(at); body < 0 || body > int64(len(rest)) {
			return 0, table.ErrDamaged
		}
	}
	if err := f.keyValues(root, 4); err != nil {
		return 0, err
	}
	if c.footer == nil {
		m.body = rest[:body] // a file's footer says how long it is
	}
	if err := c.note(f, m); err != nil {
		return 0, err
	}
	switch header := f.child(root, 2); f.enum(root, 1) {
	case messageSchema:
		err = f.schema(header)
	case messageDictionary:
		id := int64(0)
		if at := f.field(header, 0); at > 0 {
			id = f.int64(at)
		}
		err = f.batch(f.child(header, 1), id, rest[:body])
	case messageBatch:
		if err = f.countRows(header); err == nil {
			err = f.batch(header, noDictionary, rest[:body])
		}
	}
	return body, err
}

// note keeps a message for who reads it unpacked.
func (c *ipcCheck) note(f *flat, m ipcMessage) error {
	if err := c.lim.Reserve(knownMemory); err != nil {
		return err
	}
	c.messages = append(c.messages, m)
	c.packed = c.packed || f.packedBatch() > 0
	return nil
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

// batch checks the lists of a record batch: nodes, buffers, counts of variadic buffers. Where the body is packed it
// looks at what the packed buffers need to be unpacked.
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
	buffers, n, err := f.vector(tbl, batchBuffers, bufferSize)
	if err == nil {
		err = f.variadic(tbl, int64(n), f.c.views[dictionary])
	}
	if err != nil || f.child(tbl, batchPacked) == 0 {
		return err
	}
	for at := buffers; at < buffers+bufferSize*n; at += bufferSize {
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
