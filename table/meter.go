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
	return m.lim.reserve(step)
}

// What things take while a text is read, in bytes: with what grows, and is copied as it grows.
const (
	rowMemory  = 96 // of a grid, in the lists that the layout makes of it
	cellMemory = 20 // of a grid, without its text
	sheetCells = 40 // more for a cell of a sheet, which has a format
	htmlMemory = 80 // of an HTML cell that is not in a grid yet
	lineMemory = 64 // of a Markdown line
	pairMemory = 16 // of a JSON value, without its text
	typedCells = 12 // of a typed column, without its text
	nameCopies = 4  // of a column's name: joined, made unique, in notes
)

// reserveTable draws what the typed columns of a section's rows take. Texts that many cells share in the grid are copied there, so their lengths are added up, not their number.
func (g *grid) reserveTable(width int, head, body []csvRow, lim *Limits) error {
	if err := lim.reserveEach(int64(len(body))*int64(width), typedCells); err != nil {
		return err
	}
	m := meter{lim: lim}
	for _, rows := range []struct {
		rows   []csvRow
		copies int64
	}{{head, nameCopies}, {body, 1}} {
		for _, r := range rows.rows {
			bytes := int64(0)
			for _, cell := range g.of(r) {
				bytes += int64(len(cell))
			}
			if err := m.add(rows.copies * bytes); err != nil {
				return err
			}
		}
	}
	return nil
}
