package tabletest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
)

// The numbers of Parquet's parquet.thrift.
const (
	physicalInt64 = 2
	physicalBytes = 6
	physicalFixed = 7

	required = 0
	repeated = 2

	encodingPlain      = 0
	encodingRLE        = 3
	encodingDelta      = 5
	encodingDeltaBytes = 7
	encodingDictionary = 8

	pageOfData       = 0
	pageOfDictionary = 2

	codecNone   = 0
	codecSnappy = 1
	codecZstd   = 6
)

// page is a page with its header.
type page struct {
	kind, values, encoding int64
	content                []byte
	packed                 []byte // what stands in the file in place of the content as the codec packs it
	unpacked               int64  // what the header says, 0 for the truth
}

func (p page) bytes(codec int64) []byte {
	packed := p.packed
	if packed == nil {
		c, err := compress.GetCodec(compress.Compression(codec))
		if err != nil {
			panic(err)
		}
		packed = c.Encode(nil, p.content)
	}
	unpacked := p.unpacked
	if unpacked == 0 {
		unpacked = int64(len(p.content))
	}
	what := structure(5, i32(1, p.values), i32(2, p.encoding), i32(3, encodingRLE), i32(4, encodingRLE))
	if p.kind == pageOfDictionary {
		what = structure(7, i32(1, p.values), i32(2, encodingPlain))
	}
	return append(object(i32(1, p.kind), i32(2, unpacked), i32(3, int64(len(packed))), what), packed...)
}

// column is a column of a file that has the same pages in each group of rows.
type column struct {
	physical, length, codec, values int64
	pages                           []page
}

// parquetFile writes a file of groups, rows to each, whose chunks stand in the file once for each group, or once for
// all.
func parquetFile(rows int64, groups int, shared bool, columns ...column) []byte {
	elements := [][]byte{object(text(4, "schema"), i32(5, int64(len(columns))))}
	for i, c := range columns {
		fields := []field{i32(1, c.physical), i32(3, required), text(4, fmt.Sprintf("c%d", i))}
		if c.length > 0 {
			fields = append(fields, i32(2, c.length))
		}
		elements = append(elements, object(fields...))
	}
	return assemble(elements, rows, groups, shared, columns, func(i int) [][]byte {
		return [][]byte{path(fmt.Sprintf("c%d", i))}
	})
}

func path(name string) []byte { return append(uvarint(uint64(len(name))), name...) }

func assemble(
	elements [][]byte, rows int64, groups int, shared bool, columns []column, paths func(i int) [][]byte,
) []byte {
	out := []byte("PAR1")
	metas := make([][]byte, len(columns))
	var lists [][]byte
	for g := range groups {
		var chunks [][]byte
		for i, c := range columns {
			if g == 0 || !shared {
				metas[i], out = c.write(out, paths(i))
			}
			chunks = append(chunks, object(i64(2, 0), field{3, typeStruct, metas[i]}))
		}
		lists = append(lists, object(list(1, typeStruct, chunks...), i64(2, 1000), i64(3, rows)))
	}
	return footed(out, list(2, typeStruct, elements...), list(4, typeStruct, lists...), rows*int64(groups))
}

func (c column) write(out []byte, path [][]byte) (meta, with []byte) {
	start := int64(len(out))
	data := start
	for _, p := range c.pages {
		out = append(out, p.bytes(c.codec)...)
		if p.kind == pageOfDictionary {
			data = int64(len(out))
		}
	}
	fields := []field{
		i32(1, c.physical), list(2, typeI32, zigzag(encodingPlain)), list(3, typeBinary, path...), i32(4, c.codec),
		i64(5, c.values),
		i64(6, int64(len(out))-start), i64(7, int64(len(out))-start), i64(9, data),
	}
	if data > start {
		fields = append(fields, i64(11, start))
	}
	return object(fields...), out
}

// footed ends a file.
func footed(out []byte, schema, groups field, rows int64) []byte {
	footer := object(i32(1, 2), schema, i64(3, rows), groups)
	out = append(out, footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...)
}

// run is a run of n times the value 0 in the encoding of runs.
func run(n uint64) []byte { return append(uvarint(n<<1), 0) }

// long is a text of so many bytes as it stands in a page.
func long(size int) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(size)), bytes.Repeat([]byte("x"), size)...)
}

// deltas is a list of n differences that are all least, after the number first.
func deltas(block, n uint64, first, least int64) []byte {
	b := deltaHead(block, n, first)
	for done := uint64(1); done < n; done += block {
		b = append(append(b, zigzag(least)...), 0, 0, 0, 0)
	}
	return b
}

// deltaHead is what stands before n differences, after the number first.
func deltaHead(block, n uint64, first int64) []byte {
	b := append(uvarint(block), uvarint(4)...)
	return append(append(b, uvarint(n)...), zigzag(first)...)
}

// words is a column of n times the one value of a dictionary.
func words(physical, length, codec, n int64, value []byte) column {
	return column{physical: physical, length: length, codec: codec, values: n, pages: []page{
		{kind: pageOfDictionary, values: 1, content: value},
		{kind: pageOfData, values: n, encoding: encodingDictionary, content: append([]byte{1}, run(uint64(n))...)},
	}}
}

func single(physical, values, encoding int64, content []byte) column {
	return column{physical: physical, values: values,
		pages: []page{{values: values, encoding: encoding, content: content}}}
}

// many is a column so many times.
func many(n int, c column) []column {
	all := make([]column, n)
	for i := range all {
		all[i] = c
	}
	return all
}

// Parquet are hostile files of this format, made once for all who ask; nobody changes their bytes.
func Parquet() []File { return slices.Clone(parquets()) }

var parquets = sync.OnceValue(makeParquet)

func makeParquet() []File {
	eight := make([]byte, 8)
	zeros := make([]byte, 64<<20)
	bomb := page{values: 1, content: zeros, unpacked: 100}
	prefixes := append(prefixOf(10_000, 1<<19), deltas(128, 10_000, 1<<19, 0)...)
	tails := append(prefixOf(10_000, 1<<19), suffixOf(10_000, 1<<19)...)
	return []File{
		{"dictionary.parquet", parquetFile(10_000, 1, false, words(physicalBytes, 0, codecZstd, 10_000, long(1<<20)))},
		{"dictionaries.parquet", parquetFile(10_000, 1, false,
			many(200, words(physicalBytes, 0, codecZstd, 10_000, long(1<<16)))...)},
		{"groups.parquet", parquetFile(10_000, 500, false, words(physicalBytes, 0, codecZstd, 10_000, long(1<<16)))},
		{"shared-chunks.parquet", parquetFile(10_000, 500, true,
			words(physicalBytes, 0, codecZstd, 10_000, long(1<<16)))},
		{"runs.parquet", parquetFile(9_000_000, 1, false,
			many(200, words(physicalInt64, 0, codecNone, 9_000_000, eight))...)},
		{"billion.parquet", parquetFile(math.MaxInt32, 1, false,
			words(physicalInt64, 0, codecNone, math.MaxInt32, eight))},
		{"wide-values.parquet", parquetFile(100_000, 1, false,
			words(physicalFixed, 1<<20, codecZstd, 100_000, zeros[:1<<20]))},
		{"delta-block.parquet", parquetFile(1000, 1, false,
			single(physicalInt64, 1000, encodingDelta, deltas(1<<31, 1000, 0, 0)))},
		{"delta-count.parquet", parquetFile(1000, 1, false,
			single(physicalInt64, 1000, encodingDelta, append(deltaHead(128, 1<<31, 0), make([]byte, 55)...)))},
		{"delta-prefixes.parquet", parquetFile(10_000, 1, false,
			single(physicalBytes, 10_000, encodingDeltaBytes, append(prefixes, bytes.Repeat([]byte("x"), 1<<19)...)))},
		{"delta-texts.parquet", parquetFile(10_000, 1, false,
			single(physicalBytes, 10_000, encodingDeltaBytes,
				append(tails, bytes.Repeat([]byte("x"), 1<<19+10_000)...)))},
		{"zstd.parquet", parquetFile(1, 1, false,
			column{physical: physicalInt64, codec: codecZstd, values: 1, pages: []page{bomb}})},
		{"snappy.parquet", parquetFile(1, 1, false,
			column{physical: physicalInt64, codec: codecSnappy, values: 1, pages: []page{
				{values: 1, content: eight, packed: append(uvarint(math.MaxUint32), 0, 0, 0)}}})},
		{"unpacked.parquet", parquetFile(1, 1, false,
			column{physical: physicalInt64, codec: codecZstd, values: 1,
				pages: []page{{values: 1, content: eight, unpacked: math.MaxInt32}}})},
		{"pages.parquet", parquetFile(1000, 1, false,
			column{physical: physicalInt64, codec: codecZstd, values: 1000,
				pages: manyPages(200, page{kind: 1, content: zeros})})},
		{"dictionary-count.parquet", parquetFile(1, 1, false, column{physical: physicalBytes, values: 1, pages: []page{
			{kind: pageOfDictionary, values: math.MaxInt32, content: long(1)},
			{values: 1, encoding: encodingDictionary, content: append([]byte{1}, run(1)...)}}})},
		{"rows.parquet", footed([]byte("PAR1"),
			list(2, typeStruct, object(text(4, "s"), i32(5, 1)),
				object(i32(1, physicalInt64), i32(3, required), text(4, "a"))), list(4, typeStruct), 1<<62)},
		{"deep.parquet", deepSchema(100_000)},
		{"deeper.parquet", deepSchema(5_000_000)},
		{"elements.parquet", emptyElements(16 << 20)},
		{"groups-empty.parquet", emptyGroups(16 << 20)},
		{"names.parquet", longNames(16_000, 1<<20)},
		{"list.parquet", listOfRuns(math.MaxInt32)},
	}
}

// prefixOf is a list of a zero and then always the same length.
func prefixOf(n uint64, size int64) []byte {
	b := append(uvarint(128), uvarint(4)...)
	b = append(append(b, uvarint(n)...), zigzag(0)...)
	for done := uint64(1); done < n; done += 128 {
		if done == 1 {
			// The second is so much more than the first, and all further ones are the same: the first piece has 32 bits
			// for each.
			b = append(append(b, zigzag(0)...), 32, 0, 0, 0)
			b = binary.LittleEndian.AppendUint32(b, uint32(size))
			b = append(b, make([]byte, 31*4)...)
			continue
		}
		b = append(append(b, zigzag(0)...), 0, 0, 0, 0)
	}
	return b
}

// suffixOf is a list of a length and then ones.
func suffixOf(n uint64, size int64) []byte {
	b := append(uvarint(128), uvarint(4)...)
	b = append(append(b, uvarint(n)...), zigzag(size)...)
	for done := uint64(1); done < n; done += 128 {
		if done == 1 {
			b = append(append(b, zigzag(1-size)...), 32, 32, 32, 32)
			b = append(b, make([]byte, 4)...)
			for range 127 {
				b = binary.LittleEndian.AppendUint32(b, uint32(size-1))
			}
			continue
		}
		b = append(append(b, zigzag(0)...), 0, 0, 0, 0)
	}
	return b
}

func manyPages(n int, p page) []page {
	packed, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(err)
	}
	p.packed, p.unpacked, p.content = packed.Encode(nil, p.content), int64(len(p.content)), nil
	all := make([]page, n)
	for i := range all {
		all[i] = p
	}
	return all
}

// deepSchema is a schema of groups in each other.
func deepSchema(depth int) []byte {
	group := object(i32(3, required), text(4, "g"), i32(5, 1))
	elements := append(listHead(typeStruct, depth+1), bytes.Repeat(group, depth)...)
	elements = append(elements, object(i32(1, physicalInt64), i32(3, required), text(4, "a"))...)
	return footed([]byte("PAR1"), field{2, typeList, elements}, list(4, typeStruct), 0)
}

// emptyElements is a schema of elements that say nothing.
func emptyElements(n int) []byte {
	return footed([]byte("PAR1"), field{2, typeList, append(listHead(typeStruct, n), make([]byte, n)...)},
		list(4, typeStruct), 0)
}

// emptyGroups has groups of rows that say nothing.
func emptyGroups(n int) []byte {
	schema := list(2, typeStruct, object(text(4, "s"), i32(5, 1)),
		object(i32(1, physicalInt64), i32(3, required), text(4, "a")))
	return footed([]byte("PAR1"), schema, field{4, typeList, append(listHead(typeStruct, n), make([]byte, n)...)}, 0)
}

// longNames is a group with a long name and many columns.
func longNames(columns, size int) []byte {
	elements := [][]byte{object(text(4, "s"), i32(5, 1)),
		object(i32(3, required), text(4, string(bytes.Repeat([]byte("n"), size))), i32(5, int64(columns)))}
	for i := range columns {
		elements = append(elements, object(i32(1, physicalInt64), i32(3, required), text(4, fmt.Sprint(i))))
	}
	return footed([]byte("PAR1"), list(2, typeStruct, elements...), list(4, typeStruct), 0)
}

// listOfRuns is one row with a list of so many numbers, all of them one run.
func listOfRuns(n int64) []byte {
	elements := [][]byte{
		object(text(4, "s"), i32(5, 1)), object(i32(3, required), text(4, "a"), i32(5, 1), i32(6, 3)),
		object(i32(3, repeated), text(4, "list"), i32(5, 1)),
		object(i32(1, physicalInt64), i32(3, required), text(4, "element")),
	}
	levels := func(first bool) []byte {
		b := append(uvarint(uint64(n)<<1), 1)
		if first { // the first value begins the row, the others go on with it
			b = append(append(uvarint(1<<1), 0), append(uvarint(uint64(n-1)<<1), 1)...)
		}
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
	}
	c := words(physicalInt64, 0, codecNone, n, make([]byte, 8))
	c.pages[1].content = bytes.Join([][]byte{levels(true), levels(false), c.pages[1].content}, nil)
	return assemble(elements, 1, 1, false, []column{c}, func(int) [][]byte {
		return [][]byte{path("a"), path("list"), path("element")}
	})
}
