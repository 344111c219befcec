package data

import (
	"github.com/cockroachdb/apd/v3"

	"catena/table"
)

// series is one group's values by period, exactly as the table has them, and as doubles for what is estimated.
type series struct {
	group  table.Value
	values map[int]table.Value // by period; no entry where there was no value
}

// floats gives the values of the periods from..to; ok tells which are there.
func (s *series) floats(from, to int) (x []float64, ok []bool) {
	x, ok = make([]float64, to-from+1), make([]bool, to-from+1)
	for i := range x {
		if v, there := s.values[from+i]; there {
			x[i], ok[i] = v.Float()
		}
	}
	return x, ok
}

// whole reports whether there is a value in every period from..to.
func (s *series) whole(from, to int) bool {
	for i := from; i <= to; i++ {
		if _, ok := s.values[i]; !ok {
			return false
		}
	}
	return true
}

// fold sums the values of the periods from..to, or takes their mean; null where there is none.
func (s *series) fold(from, to int, mean bool) table.Value {
	var list []table.Value
	for i := from; i <= to; i++ {
		if v, ok := s.values[i]; ok {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return table.Value{}
	}
	if !mean {
		return addAll(list)
	}
	sum := 0.0
	for _, v := range list {
		f, _ := v.Float()
		sum += f
	}
	return table.FloatValue(sum / float64(len(list)))
}

// wideDecimal has digits enough for sums of any column of 38.
var wideDecimal = apd.BaseContext.WithPrecision(60)

// addAll sums numbers of one type, decimals and integers exactly; what does not fit 38 digits becomes a double.
func addAll(list []table.Value) table.Value {
	if list[0].Type() == table.Float {
		sum := 0.0
		for _, v := range list {
			f, _ := v.Float()
			sum += f
		}
		return table.FloatValue(sum)
	}
	sum := apd.New(0, -list[0].Scale())
	for _, v := range list {
		if _, err := wideDecimal.Add(sum, sum, v.Apd()); err != nil {
			return table.Value{}
		}
	}
	return number(sum, list[0])
}

// minus is a-b, exactly for decimals and integers; null when either is.
func minus(a, b table.Value) table.Value {
	if a.IsNull() || b.IsNull() {
		return table.Value{}
	}
	if a.Type() == table.Float || b.Type() == table.Float {
		x, _ := a.Float()
		y, _ := b.Float()
		return table.FloatValue(x - y)
	}
	var d apd.Decimal
	if _, err := wideDecimal.Sub(&d, a.Apd(), b.Apd()); err != nil {
		return table.Value{}
	}
	return number(&d, a)
}

// number makes a value of like's type.
func number(d *apd.Decimal, like table.Value) table.Value {
	if like.Type() == table.Int {
		if i, err := d.Int64(); err == nil {
			return table.IntValue(i)
		}
	}
	if v, err := table.DecimalFromApd(d); err == nil {
		return v
	}
	f, err := d.Float64()
	if err != nil {
		return table.Value{}
	}
	return table.FloatValue(f)
}
