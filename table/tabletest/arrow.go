package tabletest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/klauspost/compress/zstd"
)

const (
	arrowRows = 20_000
	arrowText = 1 << 20
)

// stream is a stream of batches with one column, its buffers packed.
func stream(batches int, arrays ...arrow.Array) []byte {
	return named(batches, unnamed(arrays), arrays)
}

// unnamed are the fields of arrays whose names do not matter.
func unnamed(arrays []arrow.Array) []arrow.Field {
	fields := make([]arrow.Field, len(arrays))
	for i, a := range arrays {
		fields[i] = arrow.Field{Name: "a", Type: a.DataType(), Nullable: true}
	}
	return fields
}

func named(batches int, fields []arrow.Field, arrays []arrow.Array, options ...ipc.Option) []byte {
	schema := arrow.NewSchema(fields, nil)
	var buf bytes.Buffer
	options = append(options, ipc.WithSchema(schema), ipc.WithZstd(), ipc.WithDictionaryDeltas(true))
	out := ipc.NewWriter(&buf, options...)
	for range batches {
		if err := out.Write(array.NewRecordBatch(schema, arrays, int64(arrays[0].Len()))); err != nil {
			panic(err)
		}
	}
	if err := out.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

func numbers[T arrow.FixedWidthType](n int, value func(i int) T) *memory.Buffer {
	all := make([]T, n)
	for i := range all {
		all[i] = value(i)
	}
	return memory.NewBufferBytes(arrow.GetBytes(all))
}

func always[T any](v T) func(int) T { return func(int) T { return v } }

// longText is an array of the one text.
func longText() arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.Append(strings.Repeat("x", arrowText))
	return b.NewArray()
}

// indices is an array of n times the first text of a dictionary.
func indices(n int, words arrow.Array) arrow.Array {
	typ := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: words.DataType()}
	data := array.NewDataWithDictionary(typ, n, []*memory.Buffer{nil, numbers(n, always(int8(0)))}, 0, 0,
		words.Data().(*array.Data))
	return array.MakeFromData(data)
}

// views are n views of the same text.
func views(n int) arrow.Array {
	content := bytes.Repeat([]byte("x"), arrowText)
	b := array.NewStringViewBuilder(memory.DefaultAllocator)
	b.Append(string(content))
	one := b.NewArray().Data().Buffers()
	header := one[1].Bytes()
	all := memory.NewBufferBytes(bytes.Repeat(header, n))
	return array.MakeFromData(array.NewData(arrow.BinaryTypes.StringView, n,
		[]*memory.Buffer{nil, all, one[2]}, nil, 0, 0))
}

// listViews are n lists that are all of the same items.
func listViews(n int, items arrow.Array) arrow.Array {
	buffers := []*memory.Buffer{nil, numbers(n, always(int32(0))), numbers(n, always(int32(items.Len())))}
	return array.MakeFromData(array.NewData(arrow.ListViewOf(items.DataType()), n, buffers,
		[]arrow.ArrayData{items.Data()}, 0, 0))
}

// lists are n lists of size items each.
func lists(n, size int, items arrow.Array) arrow.Array {
	buffers := []*memory.Buffer{nil, numbers(n+1, func(i int) int32 { return int32(i * size) })}
	return array.MakeFromData(array.NewData(arrow.ListOf(items.DataType()), n, buffers,
		[]arrow.ArrayData{items.Data()}, 0, 0))
}

// runsOf is the one value of an array n times, as one run.
func runsOf(n int64, value arrow.Array) arrow.Array {
	ends := array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Int64, 1,
		[]*memory.Buffer{nil, numbers(1, always(n))}, nil, 0, 0))
	return array.NewRunEndEncodedArray(ends, value, int(n), 0)
}

func structs(name string, members ...arrow.Array) arrow.Array {
	names := make([]string, len(members))
	for i := range names {
		names[i] = name + strconv.Itoa(i)
	}
	s, err := array.NewStructArray(members, names)
	if err != nil {
		panic(err)
	}
	return s
}

func fixedLists(size int32, items arrow.Array) arrow.Array {
	data := array.NewData(arrow.FixedSizeListOf(size, items.DataType()), items.Len()/int(size), []*memory.Buffer{nil},
		[]arrow.ArrayData{items.Data()}, 0, 0)
	return array.MakeFromData(data)
}

func ints(n int) arrow.Array {
	return array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Int8, n,
		[]*memory.Buffer{nil, numbers(n, always(int8(1)))}, nil, 0, 0))
}

// deepType is a stream that has a schema of lists in each other, and no batch.
func deepType(depth int) []byte {
	typ := arrow.PrimitiveTypes.Int64
	for range depth {
		typ = arrow.ListOf(typ)
	}
	var buf bytes.Buffer
	out := ipc.NewWriter(&buf, ipc.WithSchema(arrow.NewSchema([]arrow.Field{{Name: "a", Type: typ}}, nil)))
	if err := out.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// asFile is a file of the same batch many times.
func asFile(batches int, arr arrow.Array) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: arr.DataType()}}, nil)
	var buf bytes.Buffer
	out, err := ipc.NewFileWriter(&buf, ipc.WithSchema(schema), ipc.WithZstd())
	if err != nil {
		panic(err)
	}
	for range batches {
		if err := out.Write(array.NewRecordBatch(schema, []arrow.Array{arr}, int64(arr.Len()))); err != nil {
			panic(err)
		}
	}
	if err := out.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// packedColumn is an array whose values are written as these bytes.
type packedColumn struct {
	arrow.Array
	values []byte
}

func (c packedColumn) Data() arrow.ArrayData {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(c.values)}
	return array.NewData(c.DataType(), c.Len(), buffers, nil, 0, 0)
}

// zeros is a stream of columns of so many zeros each. They are gigabytes, so one column is packed, and its bytes stand
// for all: a writer whom no packing saves enough puts -1 before the bytes that it leaves as they are, and there the
// size belongs of what unpacks.
func zeros(columns, rows int) []byte {
	content := make([]byte, 8*rows)
	var frame bytes.Buffer
	w, err := zstd.NewWriter(&frame)
	if err != nil {
		panic(err)
	}
	_, err = w.Write(content)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	numbers := array.MakeFromData(array.NewData(arrow.PrimitiveTypes.Int64, rows,
		[]*memory.Buffer{nil, memory.NewBufferBytes(content)}, nil, 0, 0))
	all := manyArrays(columns, packedColumn{numbers, frame.Bytes()})
	headed := func(size int64) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, uint64(size)), frame.Bytes()...)
	}
	written := named(1, unnamed(all), all, ipc.WithMinSpaceSavings(1))
	return bytes.ReplaceAll(written, headed(-1), headed(int64(len(content))))
}

// Arrow are hostile streams and files of this format, made once for all who ask; nobody changes their bytes.
func Arrow() []File { return slices.Clone(arrows()) }

var arrows = sync.OnceValue(makeArrow)

func makeArrow() []File {
	word, nulls := longText(), array.NewNull(math.MaxInt32)
	dictionary := indices(arrowRows, word)
	longName := strings.Repeat("n", arrowText)
	wide := structs("m", manyArrays(5000, ints(1))...)
	return []File{
		{"views.arrow", stream(1, views(arrowRows))},
		{"views-batches.arrow", stream(40, views(500))},
		{"dictionary.arrow", stream(1, dictionary)},
		{"dictionary-batches.arrow", stream(200, indices(100, word))},
		{"struct.arrow", stream(1, structs("m", dictionary, dictionary))},
		{"nested.arrow", stream(1, structs("m", structs("m", dictionary)))},
		{"list.arrow", stream(1, lists(arrowRows/10, 10, dictionary))},
		{"list-views.arrow", stream(1, listViews(arrowRows, ints(100_000)))},
		{"list-views-of-views.arrow", stream(1, listViews(arrowRows, listViews(1000, ints(100))))},
		{"list-views-of-texts.arrow", stream(1, listViews(arrowRows, word))},
		{"fixed.arrow", stream(1, fixedLists(10, dictionary))},
		{"runs.arrow", stream(1, runsOf(arrowRows, word))},
		{"runs-billion.arrow", stream(1, runsOf(1<<40, ints(1)))},
		{"runs-of-views.arrow", stream(1, runsOf(arrowRows, views(1)))},
		{"nulls.arrow", stream(1, array.NewNull(1<<40))},
		{"list-of-nulls.arrow", stream(1, lists(1, math.MaxInt32, nulls))},
		{"list-views-of-nulls.arrow", stream(1, listViews(arrowRows, nulls))},
		{"fixed-of-nulls.arrow", stream(1, fixedLists(math.MaxInt32, nulls))},
		{"names.arrow", stream(1, structs("m", structs(longName, ints(arrowRows))))},
		{"prefixes.arrow", named(1, []arrow.Field{{Name: longName, Type: wide.DataType()}}, []arrow.Array{wide})},
		{"deep.arrow", deepType(5000)},
		{"batches.arrow", asFile(300, views(500))},
		{"numbers.arrow", zeros(300, 2_000_000)},
	}
}

func manyArrays(n int, a arrow.Array) []arrow.Array {
	all := make([]arrow.Array, n)
	for i := range all {
		all[i] = a
	}
	return all
}
