package table

// meter draws from the memory budget for what a reader counts piece by piece, such as cells and rows: in steps, so that counting is cheap. A meter without limits draws nothing. It is for one goroutine. What it has drawn is given back when the reading ends.
type meter struct {
	lim  *Limits
	left int64
}

// meterStep is how many bytes a meter draws at once.
const meterStep = 256 << 10

// add counts n bytes.
func (m *meter) add(n int64) error {
	if m.left -= n; m.left >= 0 || m.lim == nil {
		return nil
	}
	step := max(-m.left, meterStep)
	m.left += step
	return m.lim.Reserve(step)
}

// What things take while a text is read, in bytes: with what grows, and is copied as it grows.
const (
	typedCells = 12 // of a typed column, without its text
	nameCopies = 4  // of a column's name: joined, made unique, in notes
)
