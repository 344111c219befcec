package table

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
)

// countNotFinite counts the cells that are NaN or infinite, which New makes null.
func countNotFinite(floats []float64, arr arrow.Array) int {
	n := 0
	for i, f := range floats {
		if notFinite(f) && arr.IsValid(i) {
			n++
		}
	}
	return n
}

// CheckArray reports whether an array that a source gave can be stored for col as it is: it has col's type, as New
// asks, all texts are valid UTF-8 and, for JSON, valid JSON, and all times within a day. It also counts the cells that
// are NaN or infinite, which New makes null. It reads each cell: offsets of damaged data panic here. An error is
// ErrDamaged, or a *LimitError for a cell that is too large.
func CheckArray(col Column, arr arrow.Array, lim *Limits) (sound bool, notFinite int, err error) {
	if col.Scale < 0 || col.Scale > MaxDigits {
		return false, 0, nil
	}
	c, err := cellsOf(col, arr)
	if err != nil {
		return false, 0, nil //nolint:nilerr // it is stored in another way
	}
	sound, err = soundCells(&c, arr, lim)
	return sound, countNotFinite(c.floats, arr), err
}

func soundCells(c *cells, arr arrow.Array, lim *Limits) (bool, error) {
	// cells that are null, and nothing says which
	nullsUnsaid := c.typ != Null && arr.NullN() > 0 && len(arr.NullBitmapBytes()) == 0
	if !c.holds(arr.Len()) || nullsUnsaid {
		return false, ErrDamaged
	}
	if c.typ == Time {
		return soundTimes(c.ints[:arr.Len()], arr), nil
	}
	if c.text == nil {
		return true, nil
	}
	sound := true
	for i := range arr.Len() {
		if arr.IsNull(i) {
			continue
		}
		s := c.text.Value(i)
		if len(s) > lim.CellSize {
			return false, LargeCell(*lim)
		}
		if c.typ == JSON {
			sound = sound && json.Valid([]byte(s))
		}
		sound = sound && utf8.ValidString(s)
	}
	return sound, nil
}

// soundTimes reports whether all times of day lie within a day.
func soundTimes(times []int64, arr arrow.Array) bool {
	for i, us := range times {
		if arr.IsValid(i) && (us < 0 || us >= DayMicros) {
			return false
		}
	}
	return true
}

// holds reports whether there are n cells: damaged data may say that there are more than their buffers have.
func (c *cells) holds(n int) bool {
	if c.nulls != nil && len(c.nulls)*8 < c.offset+n {
		return false
	}
	switch c.typ {
	case Int, DateTime, Time, Duration:
		return len(c.ints) >= n
	case Float:
		return len(c.floats) >= n
	case Decimal:
		return len(c.decs) >= n
	case Date:
		return len(c.days) >= n
	case Bool:
		d := c.bools.Data()
		return n == 0 || d.Buffers()[1] != nil && d.Buffers()[1].Len()*8 >= d.Offset()+n
	}
	return true
}

// ErrDamaged says that metadata promise more than they hold.
var ErrDamaged = errors.New("the metadata are damaged")
