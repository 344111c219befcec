package columnar

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"catena/table"
)

// Parquet has no type for durations. Arrow's writers store integers, and the Arrow schema in the file's metadata says
// what they are. The Parquet package of Arrow for Go can neither write nor read such a schema; what it lacks is here.

// originKey is where the metadata of a Parquet file have the Arrow schema, as a stream in base64.
const originKey = "ARROW:schema"

// originSchema is a schema as the metadata have it.
func originSchema(schema *arrow.Schema) (string, error) {
	var stream bytes.Buffer
	if err := ipc.NewWriter(&stream, ipc.WithSchema(schema)).Close(); err != nil {
		return "", fmt.Errorf("storing the Arrow schema: %w", err)
	}
	return base64.StdEncoding.EncodeToString(stream.Bytes()), nil
}

// hideDurations makes the durations in the metadata's Arrow schema, which verifyOrigin has accepted, the integers that
// they are stored as, and gives the types that they had, by the place of their column.
func hideDurations(meta metadata.KeyValueMetadata) (map[int]*arrow.DurationType, error) {
	text := meta.FindValue(originKey)
	if text == nil {
		return nil, nil
	}
	stream, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(*text, "="))
	if err != nil {
		return nil, table.ErrDamaged
	}
	r, err := ipc.NewReader(bytes.NewReader(stream), ipc.WithAllocator(memory.DefaultAllocator))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	fields, found := r.Schema().Fields(), map[int]*arrow.DurationType{}
	for i, f := range fields {
		if d, ok := f.Type.(*arrow.DurationType); ok {
			found[i], fields[i].Type = d, arrow.PrimitiveTypes.Int64
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	own := r.Schema().Metadata()
	plain, err := originSchema(arrow.NewSchema(fields, &own))
	if err != nil {
		return nil, err
	}
	*text = plain
	return found, nil
}

// asDurations makes a column of 64-bit integers the durations that it stands for.
func (c arrowColumn) asDurations(d *arrow.DurationType) arrowColumn {
	if d == nil || c.field.Type.ID() != arrow.INT64 {
		return c
	}
	c.field.Type = d
	parts := make([]arrow.Array, len(c.parts))
	for i, p := range c.parts {
		parts[i] = sameBits(p.(*array.Int64), d)
	}
	c.parts = parts
	return c
}
