package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"catena/internal/text"
	"catena/table"
)

// pageCheck walks the headers of all pages before the library reads any: what they say of sizes and counts decides
// what it takes memory for.
type pageCheck struct {
	data     []byte
	source   string
	lim      *table.Limits
	packed   int64      // bytes of the chunks so far; they lie beside each other, so no more than the file has
	unpacked int64      // bytes of the pages so far, as their headers have it
	leaves   []leafSize // of each column of the schema
	codec    compress.Codec
	longest  int64 // text of the dictionary of the chunk
}

// leafSize is what one column of the schema takes.
type leafSize struct {
	fixed   int64 // bytes of its values, where they have one size, or of what refers to them
	scratch int64 // bytes beside that, while it is read
	words   int64 // bytes that its texts may have where they refer to a dictionary
}

// parquetPage is what a page's header says.
type parquetPage struct {
	kind             int64
	packed, unpacked int64
	values, rows     int64
	encoding         int64
	definition       int64 // encodings of levels, in the first version
	repetition       int64
	// bytes of levels that stand before the values; those of the first version have none of it here
	levels int64
	plain  bool // the second version may leave values as they are
}

// The kinds of pages.
const (
	pageData       = 0
	pageDictionary = 2
	pageDataV2     = 3
)

// parquetPadding is what the library reads beyond the end of chunks that old programs wrote.
const parquetPadding = 100

// header reads the header of a page.
func (s *thriftScan) page() (p parquetPage) {
	number := func(to *int64, want int64, id int64, typ byte) bool {
		if id != want || typ != thriftI32 {
			return false
		}
		*to = s.number()
		return true
	}
	s.fields(0, func(id int64, typ byte) bool {
		if number(&p.kind, 1, id, typ) || number(&p.unpacked, 2, id, typ) || number(&p.packed, 3, id, typ) {
			return true
		}
		if typ != thriftStruct {
			return false
		}
		switch id {
		case 5, 7: // a data page's header, a dictionary's
			s.fields(1, func(id int64, typ byte) bool {
				return number(&p.values, 1, id, typ) || number(&p.encoding, 2, id, typ) ||
					number(&p.definition, 3, id, typ) || number(&p.repetition, 4, id, typ)
			})
		case 8:
			var repeated int64
			s.fields(1, func(id int64, typ byte) bool {
				if id == 7 && typ == thriftFalse {
					p.plain = true
				}
				return number(&p.values, 1, id, typ) || number(&p.rows, 3, id, typ) ||
					number(&p.encoding, 4, id, typ) ||
					number(&p.levels, 5, id, typ) || number(&repeated, 6, id, typ)
			})
			p.levels = plus(p.levels, repeated)
		default:
			return false
		}
		return true
	})
	return p
}

// chunk walks the pages of a column in a group of rows.
func (c *pageCheck) chunk(leaf int, col *schema.Column, chunk *metadata.ColumnChunkMetaData, rows int64) error {
	size, values := chunk.TotalCompressedSize(), chunk.NumValues()
	at := chunk.DataPageOffset()
	if dict := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && dict > 0 && dict < at {
		at = dict
	}
	whole := int64(len(c.data))
	if c.packed = plus(c.packed, max(size, 0)); size < 0 || at < 0 || at > whole-size || c.packed > whole {
		return fmt.Errorf("column %d goes beyond the end of the file, or into another one", leaf+1)
	}
	if values < 0 || col.MaxRepetitionLevel() == 0 && values > rows {
		return fmt.Errorf("column %d has %d values in %d rows", leaf+1, values, rows)
	}
	codec, err := compress.GetCodec(chunk.Compression())
	if err != nil {
		return err
	}
	c.codec, c.longest = codec, 0
	end := min(whole, at+size+parquetPadding)
	var seen, counted, most, texts int64
	for pages := 0; seen < values && at < end; pages++ {
		if pages%table.AskEvery == 0 {
			if err := c.lim.Ended(); err != nil {
				return err
			}
		}
		scan := &thriftScan{b: c.data[at:end]}
		page := scan.page()
		at += int64(scan.at)
		unfolded, err := c.page(col, page, at, end)
		if err != nil {
			return fmt.Errorf("column %d: %w", leaf+1, err)
		}
		at += page.packed
		if page.kind != pageData && page.kind != pageDataV2 {
			continue
		}
		most, counted = max(most, plus(page.values, unfolded/24)), plus(counted, page.values)
		texts = plus(texts, unfolded)
		if counted > values {
			return fmt.Errorf("the pages of column %d have more values than it", leaf+1)
		}
		seen += page.values
		if page.kind == pageDataV2 { // as the library counts
			seen += page.rows - page.values
		}
	}
	c.count(leaf, col, values, most)
	c.leaves[leaf].words = plus(c.leaves[leaf].words, product(values, c.longest))
	c.leaves[leaf].fixed = plus(c.leaves[leaf].fixed, texts)
	return nil
}

// page checks what one page says, whose bytes begin at at, and what its texts unfold to, as far as that can be seen.
func (c *pageCheck) page(col *schema.Column, p parquetPage, at, end int64) (unfolded int64, err error) {
	if min(p.packed, p.unpacked, p.values, p.rows, p.levels) < 0 {
		return 0, table.ErrDamaged
	}
	if p.packed > end-at {
		return 0, errors.New("a page goes beyond the end")
	}
	if c.unpacked += p.unpacked; p.unpacked > c.lim.Bytes || c.unpacked > memoryFactor*c.lim.Bytes {
		return 0, table.OverLimit(c.source, 0, table.LimitBytes, c.lim.Bytes,
			"its pages unfold to more than the limit of %s allows", text.Bytes(c.lim.Bytes))
	}
	switch {
	case p.kind == pageDictionary && p.values > p.unpacked:
		return 0, errors.New("a dictionary has more values than bytes")
	case p.kind == pageDictionary:
		return 0, c.dictionary(col, p, c.data[at:at+p.packed])
	case p.kind != pageData && p.kind != pageDataV2 || !deltaEncodings[p.encoding]:
		return 0, nil
	}
	return c.deltaPage(col, p, c.data[at:at+p.packed])
}

// dictionary looks for the longest text of a dictionary.
func (c *pageCheck) dictionary(col *schema.Column, p parquetPage, packed []byte) error {
	if err := c.lim.Reserve(p.values * 24); err != nil || col.PhysicalType() != parquet.Types.ByteArray {
		// the library keeps where each begins
		return err
	}
	if err := c.lim.Reserve(p.unpacked); err != nil {
		return err
	}
	defer c.lim.GiveBack(p.unpacked)
	texts, err := compress.Decode(c.codec, make([]byte, p.unpacked), packed)
	if err != nil {
		return err
	}
	for range p.values {
		if len(texts) < 4 {
			return table.ErrDamaged
		}
		n := int64(binary.LittleEndian.Uint32(texts))
		if n > int64(len(texts)-4) {
			return table.ErrDamaged
		}
		c.longest, texts = max(c.longest, n), texts[4+n:]
	}
	return nil
}

// count adds what a chunk's values take to its column.
func (c *pageCheck) count(leaf int, col *schema.Column, values, mostOfPage int64) {
	width := valueWidth(col)
	l := &c.leaves[leaf]
	l.fixed = plus(l.fixed, product(values, width))
	if col.MaxRepetitionLevel() > 0 {
		l.fixed = plus(l.fixed, product(values, 4)) // levels
	}
	switch col.PhysicalType() {
	case parquet.Types.ByteArray, parquet.Types.FixedLenByteArray, parquet.Types.Int96, parquet.Types.Boolean:
		l.scratch = max(l.scratch, product(mostOfPage, 24+width))
	}
}

// valueWidth is how many bytes a value takes in memory; of a text, what says where it is.
func valueWidth(col *schema.Column) int64 {
	switch col.PhysicalType() {
	case parquet.Types.Boolean:
		return 1
	case parquet.Types.Int32, parquet.Types.Float, parquet.Types.ByteArray:
		return 4
	case parquet.Types.FixedLenByteArray:
		return int64(max(col.TypeLength(), 0))
	}
	return 8
}

// checkPages walks the pages of all columns and holds what they take together against the budget.
func checkPages(rdr *file.Reader, data []byte, source string, lim *table.Limits) ([]leafSize, error) {
	meta := rdr.MetaData()
	c := &pageCheck{data: data, source: source, lim: lim, leaves: make([]leafSize, meta.Schema.NumColumns())}
	for g := range rdr.NumRowGroups() {
		group := rdr.RowGroup(g)
		for leaf := range c.leaves {
			chunk, err := group.MetaData().ColumnChunk(leaf)
			if err != nil {
				return nil, err
			}
			if err := c.chunk(leaf, meta.Schema.Column(leaf), chunk, group.NumRows()); err != nil {
				return nil, fmt.Errorf("row group %d: %w", g, err)
			}
		}
	}
	var all, scratch int64
	for _, l := range c.leaves {
		all, scratch = plus(all, l.fixed), max(scratch, l.scratch)
	}
	all = plus(all, scratch)
	if err := lim.Reserve(all); err != nil { // all of it at once, before any: the library draws it again as it goes on
		return nil, err
	}
	lim.GiveBack(all)
	return c.leaves, nil
}
