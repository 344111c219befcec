package columnar

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"catena/internal/buffer"
	"catena/internal/parallel"
	"catena/internal/text"
	"catena/table"
	"catena/table/content"
)

// MagicParquet begins and ends a Parquet file.
const MagicParquet = "PAR1"

// ReadParquet reads a Parquet file. Objects in a column become columns of their own (a.b), what is deeper and lists
// become JSON. Limits count rows, leaf columns and the bytes of the table as it is read.
func ReadParquet(data []byte, source string, lim table.Limits) (named []table.Named, err error) {
	defer func() { // the reader panics on some damaged files
		if p := recover(); p != nil {
			named, err = nil, badParquet(source, asError(p))
		}
	}()
	if err := checkFooter(data, source, &lim); err != nil {
		return nil, err
	}
	// The allocator panics at its limit; all reading is done on this goroutine so that it is caught here.
	mem := newBoundedAllocator(&lim)
	props := parquet.NewReaderProperties(mem)
	props.BufferedStreamEnabled = true
	props.MaxUncompressedPageSize, props.MaxCompressedPageSize = min(parquet.DefaultMaxUncompressedPageSize, lim.Bytes),
		min(parquet.DefaultMaxCompressedPageSize, lim.Bytes)
	rdr, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(props))
	if err != nil {
		return nil, badParquet(source, err)
	}
	defer rdr.Close()
	if err := checkParquet(rdr, source, lim); err != nil {
		return nil, err
	}
	if err := verifyOrigin(rdr.MetaData().KeyValueMetadata(), &lim); err != nil {
		return nil, badParquet(source, err)
	}
	durations, err := hideDurations(rdr.MetaData().KeyValueMetadata())
	if err != nil {
		return nil, badParquet(source, err)
	}
	leaves, err := checkPages(rdr, data, source, &lim)
	if err != nil {
		return nil, badParquet(source, err)
	}
	cols, err := readFields(rdr, leaves, mem)
	if err != nil {
		return nil, badParquet(source, err)
	}
	for i := range cols {
		cols[i] = cols[i].asDurations(durations[i])
	}
	report := table.LoadReport{Source: source, Format: "parquet", Header: true}
	t, err := arrowTable(cols, &report, lim)
	if err != nil {
		return nil, badParquet(source, err)
	}
	return []table.Named{{Name: content.BaseName(source), Table: t, Report: report}}, nil
}

// readFields reads one field of the schema after the other, each from all groups of rows.
func readFields(rdr *file.Reader, leaves []leafSize, mem *boundedAllocator) ([]arrowColumn, error) {
	props := pqarrow.ArrowReadProperties{BatchSize: 64 << 10}
	for i, leaf := range leaves {
		plain := rdr.MetaData().Schema.Column(i).MaxRepetitionLevel() == 0 &&
			len(rdr.MetaData().Schema.Column(i).ColumnPath()) == 1
		props.SetReadDict(i, plain && leaf.words > largestWords)
	}
	fr, err := pqarrow.NewFileReader(rdr, props, mem)
	if err != nil {
		return nil, err
	}
	groups := make([]int, rdr.NumRowGroups())
	for i := range groups {
		groups[i] = i
	}
	all := make(map[int]bool, len(leaves))
	for i := range leaves {
		all[i] = true
	}
	cols := make([]arrowColumn, len(fr.Manifest.Fields))
	for i := range fr.Manifest.Fields {
		if err := mem.lim.Ended(); err != nil {
			return nil, err
		}
		widenSmall(&fr.Manifest.Fields[i])
		if cols[i], err = readField(fr, i, all, groups, leaves, mem); err != nil {
			return nil, fmt.Errorf("column %q: %w", fr.Manifest.Fields[i].Field.Name, err)
		}
	}
	return cols, nil
}

// widenSmall has integers of 8 and 16 bits read with the 32 that Parquet stores them in: a file may hold larger ones,
// of which the library keeps the lowest bits.
func widenSmall(f *pqarrow.SchemaField) {
	switch t := f.Field.Type.(type) {
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Uint8Type, *arrow.Uint16Type:
		f.Field.Type = arrow.PrimitiveTypes.Int32
	case *arrow.StructType:
		fields := make([]arrow.Field, len(f.Children))
		for i := range f.Children {
			widenSmall(&f.Children[i])
			fields[i] = *f.Children[i].Field
		}
		f.Field.Type = arrow.StructOf(fields...)
	case *arrow.ListType:
		widenSmall(&f.Children[0])
		elem := t.ElemField()
		elem.Type = f.Children[0].Field.Type
		f.Field.Type = arrow.ListOfField(elem)
	}
}

// openLeaf is what the library takes to open one column: buffers for a page's header.
const openLeaf = 48 << 10

// readField reads one field. Members of structs are opened on goroutines of the library's own, where a panic could not
// be caught, so what that takes is reserved before. What the library takes without asking the allocator is, too.
func readField(
	fr *pqarrow.FileReader, i int, all map[int]bool, groups []int, leaves []leafSize, mem *boundedAllocator,
) (arrowColumn, error) {
	var scratch, opened int64
	for _, leaf := range leavesOf(&fr.Manifest.Fields[i], nil) {
		scratch, opened = plus(scratch, leaves[leaf].scratch), opened+openLeaf
	}
	if err := mem.lim.Reserve(scratch); err != nil {
		return arrowColumn{}, err
	}
	defer mem.lim.GiveBack(scratch)
	col, err := openField(fr, i, all, groups, mem, opened)
	if err != nil {
		return arrowColumn{}, err
	}
	defer col.Release()
	chunks, err := fr.ReadColumn(groups, col)
	if err != nil {
		return arrowColumn{}, err
	}
	return unfoldWords(arrowColumn{field: *col.Field(), parts: chunks.Chunks()}, mem.lim)
}

// largestWords is how many bytes a column's texts may have for the library to write out what refers to a dictionary: it
// doubles its memory as it goes, and learns that there is too little only then.
const largestWords = 64 << 20

// unfoldWords writes the texts of a dictionary out, once it is known what they take.
func unfoldWords(c arrowColumn, lim *table.Limits) (arrowColumn, error) {
	if c.field.Type.ID() != arrow.DICTIONARY {
		return c, nil
	}
	if _, err := unfoldedParts(c.parts, lim); err != nil {
		return c, err
	}
	for i, part := range c.parts {
		_, texts, _, err := foreignColumn(table.Column{Name: c.field.Name}, part, *lim)
		if err != nil {
			return c, err
		}
		c.parts[i], c.field.Type = texts, texts.DataType()
	}
	return c, nil
}

func openField(
	fr *pqarrow.FileReader, i int, all map[int]bool, groups []int, mem *boundedAllocator, size int64,
) (*pqarrow.ColumnReader, error) {
	if err := mem.open(size); err != nil {
		return nil, err
	}
	col, err := fr.GetFieldReader(mem.lim.Context(), i, all, groups)
	return col, errors.Join(mem.opened(), err)
}

// leavesOf adds the numbers of the columns that a field is made of.
func leavesOf(field *pqarrow.SchemaField, leaves []int) []int {
	if field.IsLeaf() {
		return append(leaves, field.ColIndex)
	}
	for i := range field.Children {
		leaves = leavesOf(&field.Children[i], leaves)
	}
	return leaves
}

// checkParquet holds the metadata against the limits and the size of the file, before any of it asks for memory. Each
// column's first page is opened, because the reader opens those of nested columns on goroutines of its own, where a
// panic could not be caught.
func checkParquet(rdr *file.Reader, source string, lim table.Limits) error {
	meta := rdr.MetaData()
	leaves := meta.Schema.NumColumns()
	switch {
	case leaves > lim.Columns:
		return table.TooManyColumns(source, lim)
	case leaves == 0:
		return badParquet(source, errors.New("it has no columns"))
	case meta.NumRows > int64(lim.Rows):
		return table.TooManyRows(source, lim)
	}
	rows := int64(0)
	for g := range rdr.NumRowGroups() {
		group := rdr.RowGroup(g)
		if n := group.NumRows(); n < 0 || n > int64(lim.Rows) {
			return badParquet(source, fmt.Errorf("row group %d has %d rows", g, n))
		}
		rows += group.NumRows()
		for c := range leaves {
			if g > 0 {
				break
			}
			if _, err := group.GetColumnPageReader(c); err != nil {
				return badParquet(source, err)
			}
		}
	}
	if rows > int64(lim.Rows) {
		return table.TooManyRows(source, lim)
	}
	return nil
}

// badParquet names the source in an error, unless it is one about limits already.
func badParquet(source string, err error) error {
	return badColumnar(source, "Parquet", err)
}

// badColumnar makes the error of columnar data; limits keep their own words.
func badColumnar(source, what string, err error) error {
	var e *table.FormatError
	if errors.As(err, &e) {
		return e
	}
	if table.GaveUp(err) {
		return err
	}
	if over := table.OverLimitOf(source, err); over != nil {
		return over
	}
	return &table.FormatError{Source: source,
		Reason: "the " + what + " data cannot be read (" + text.Clip(err.Error(), 300) + ")",
		Hint:   "write it again, or export CSV", Err: err}
}

func asError(p any) error {
	if worker, ok := p.(*parallel.Panic); ok {
		p = worker.Value // the stack is for logs
	}
	if err, ok := p.(error); ok {
		return err
	}
	return fmt.Errorf("%v", p)
}

// memoryFactor is how much memory reading may take, as a multiple of Limits.Bytes: pages, what they decode to, and the
// joined columns.
const memoryFactor = 4

// unfoldsTooFar is the error of what takes more than that.
func unfoldsTooFar(lim *table.Limits) error {
	return &table.LimitError{What: table.LimitBytes, Limit: lim.Bytes,
		Text: "the table takes more memory than the limit of " + text.Bytes(lim.Bytes) + " allows"}
}

// boundedAllocator is memory that a reading draws from its budget. It panics with a *LimitError where there is none,
// and with the context's error when that has ended, as Arrow's allocators can give no error. It is for one goroutine.
type boundedAllocator struct {
	memory.Allocator
	lim     *table.Limits
	left    int64 // of what a content of so many bytes may unfold to
	credit  int64 // drawn already
	opening bool  // goroutines that are not ours use it, so it must not panic
	err     error // of that time
}

func newBoundedAllocator(lim *table.Limits) *boundedAllocator {
	return &boundedAllocator{Allocator: memory.NewGoAllocator(), lim: lim, left: product(memoryFactor, lim.Bytes)}
}

// open draws size bytes at once. Until opened is called nothing panics.
func (b *boundedAllocator) open(size int64) error {
	if err := b.lim.Reserve(size); err != nil {
		return err
	}
	b.credit, b.opening = size, true
	return nil
}

// opened ends that and says what went wrong meanwhile.
func (b *boundedAllocator) opened() error {
	b.lim.GiveBack(b.credit)
	err := b.err
	b.credit, b.opening, b.err = 0, false, nil
	return err
}

func (b *boundedAllocator) take(n int) {
	drawn := max(0, min(b.credit, int64(n)))
	b.credit -= drawn
	err := b.lim.Ended()
	if b.left -= int64(n); b.left < 0 && err == nil {
		err = unfoldsTooFar(b.lim)
	}
	if err == nil {
		err = b.lim.Reserve(int64(n) - drawn)
	}
	switch {
	case err == nil:
	case b.opening:
		b.err = err
	default:
		panic(err)
	}
}

// Allocate gives memory within the limit.
func (b *boundedAllocator) Allocate(size int) []byte {
	b.take(size)
	return b.Allocator.Allocate(size)
}

// Reallocate gives memory within the limit. The old is counted until the new holds its bytes.
func (b *boundedAllocator) Reallocate(size int, old []byte) []byte {
	if size <= cap(old) {
		return b.Allocator.Reallocate(size, old)
	}
	b.take(size)
	out := buffer.Append(b.Allocator.Allocate(size)[:0], old)[:size]
	b.give(old)
	return out
}

// Free gives memory back.
func (b *boundedAllocator) Free(old []byte) {
	b.give(old)
	b.Allocator.Free(old)
}

func (b *boundedAllocator) give(old []byte) {
	b.left += int64(cap(old))
	b.lim.GiveBack(int64(cap(old)))
}

// arrowColumn is a column as Arrow has it: in parts.
type arrowColumn struct {
	field arrow.Field
	parts []arrow.Array
}
