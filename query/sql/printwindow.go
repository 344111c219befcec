package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// windowForms are the functions of windows that all dialects have; those that go by an order need one. Rows of a table
// in a database have none, so that they may be numbered in any.
var windowForms = map[string]struct {
	text    string
	least   int // arguments
	most    int
	ordered bool
}{
	"row_number": {"ROW_NUMBER()", 0, 0, false},
	"rank":       {"RANK()", 0, 0, true}, "dense_rank": {"DENSE_RANK()", 0, 0, true},
	"percent_rank": {"PERCENT_RANK()", 0, 0, true}, "cume_dist": {"CUME_DIST()", 0, 0, true},
	"ntile": {"NTILE(%s)", 1, 1, true}, "lag": {"LAG(%s)", 1, 3, true}, "lead": {"LEAD(%s)", 1, 3, true},
	"first_value": {"FIRST_VALUE(%s)", 1, 1, true}, "last_value": {"LAST_VALUE(%s)", 1, 1, true},
}

func (p *printer) window(s *selection, st query.Window, outer []scoped) (*selection, error) {
	s, err := p.upTo(s, clauseWhere)
	if err != nil {
		return nil, err
	}
	if s.lost && slices.ContainsFunc(st.Columns, func(w query.WindowColumn) bool { return len(w.Order) == 0 }) {
		return nil, refuse("the order would be lost in a subquery")
	}
	in := scopes(s, outer)
	s.columns = slices.Clone(s.columns)
	for i, w := range st.Columns {
		v, err := p.windowColumn(w, in)
		if err != nil {
			return nil, inPart(fmt.Sprintf("columns[%d]", i), err)
		}
		s.columns = append(s.columns, output{name: w.As, cell: v})
	}
	s.at = clauseList
	return s, nil
}

func (p *printer) windowColumn(w query.WindowColumn, in []scoped) (cell, error) {
	args := make([]cell, len(w.Args))
	for i, a := range w.Args {
		var err error
		if args[i], err = p.expr(a, in); err != nil {
			return cell{}, err
		}
	}
	f, ok := windowForms[w.Func]
	if ok && !strings.HasSuffix(w.Func, "_value") {
		w.Frame = query.Frame{} // of no account, and refused by some
	}
	over, err := p.over(w, in)
	if err != nil {
		return cell{}, err
	}
	if !ok {
		v, err := p.folded(query.Aggregate{Func: w.Func, Args: w.Args, Where: w.Where}, args, in)
		if err != nil {
			return cell{}, err
		}
		return p.overAggregate(v, over)
	}
	switch {
	case len(args) == 3 && p.noDefault:
		return cell{}, refuse("%s with a default is not said in this dialect", w.Func)
	case len(args) < f.least || len(args) > f.most || w.Where != nil:
		return cell{}, refuse("%s with these arguments", w.Func)
	case f.ordered && len(w.Order) == 0:
		return cell{}, refuse("%s goes by the order of the rows", w.Func)
	}
	if len(args) == 3 { // the default is of the value's type
		_, both, err := p.unified([]cell{args[0], args[2]})
		if err != nil {
			return cell{}, err
		}
		args[0], args[2] = both[0], both[1]
	}
	texts := make([]string, len(args))
	for i, a := range args {
		if texts[i] = a.text; i == 1 || w.Func == "ntile" {
			n, known := literalInt(a)
			if !known || n < 0 || w.Func == "ntile" && n < 1 {
				return cell{}, refuse("%s by a number that is computed", w.Func)
			}
			texts[i] = strconv.FormatInt(n, 10)
		}
	}
	text := f.text
	if f.least > 0 {
		text = fmt.Sprintf(text, strings.Join(texts, ", "))
	}
	field := query.Field{Column: table.Column{Type: table.Int}}
	switch {
	case w.Func == "percent_rank" || w.Func == "cume_dist":
		field.Type = table.Float
	case w.Func != "ntile" && f.least > 0:
		field = args[0].Field
		if field.Type == table.Null {
			return cell{}, refuse("%s of nothing", w.Func)
		}
	}
	return cell{Field: field, text: text + over}, nil
}

func literalInt(c cell) (int64, bool) {
	if c.literal == nil {
		return 0, false
	}
	return c.literal.Int()
}

// windowMark stands in a form of an aggregate where OVER belongs.
const windowMark = "{over}"

// overAggregate puts the window behind the aggregate's call.
func (p *printer) overAggregate(v cell, over string) (cell, error) {
	if strings.Count(v.text, windowMark) != 1 {
		return cell{}, refuse("the aggregate is no window function there")
	}
	v.text = strings.Replace(v.text, windowMark, over, 1)
	return v, nil
}

func (p *printer) over(w query.WindowColumn, in []scoped) (string, error) {
	var parts []string
	for _, e := range w.Partition {
		v, err := p.expr(e, in)
		if err != nil {
			return "", err
		}
		if v.literal == nil {
			parts = append(parts, v.text)
		}
	}
	over := ""
	if len(parts) > 0 {
		over = "PARTITION BY " + strings.Join(parts, ", ")
	}
	keys, err := p.keys(w.Order, in)
	if err != nil {
		return "", err
	}
	if len(keys) > 0 {
		over = strings.TrimSpace(over + " ORDER BY " + strings.Join(keys, ", "))
	}
	frame, err := p.frame(w)
	return " OVER (" + strings.TrimSpace(over+frame) + ")", err
}

// frame writes the bounds of a window. The default is the same in SQL.
func (p *printer) frame(w query.WindowColumn) (string, error) {
	f := w.Frame
	if f.Unit == "" {
		return "", nil
	}
	switch {
	case f.Unit == query.Rows && len(w.Order) == 0 && !(f.Start.Unbounded && f.End.Unbounded):
		return "", refuse("a frame of rows goes by their order")
	case f.Unit == query.Groups && p.noNullsOrder:
		return "", refuse("a frame of groups is not said in this dialect")
	}
	bounds := make([]string, 2)
	for i, b := range []query.Bound{f.Start, f.End} {
		n, isInt := b.Offset.Int()
		switch {
		case b.Unbounded:
			bounds[i] = []string{"UNBOUNDED PRECEDING", "UNBOUNDED FOLLOWING"}[i]
		case b.Offset.IsNull() || isInt && n == 0:
			bounds[i] = "CURRENT ROW"
		case !isInt || f.Unit == query.Range:
			return "", refuse("a frame of a range of values")
		case n < 0:
			bounds[i] = strconv.FormatInt(-n, 10) + " PRECEDING"
		default:
			bounds[i] = strconv.FormatInt(n, 10) + " FOLLOWING"
		}
	}
	return " " + strings.ToUpper(string(f.Unit)) + " BETWEEN " + bounds[0] + " AND " + bounds[1], nil
}
