package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"go.yaml.in/yaml/v3"

	"catena/bench/sets"
	"catena/query"
	"catena/query/semantic"
	querysql "catena/query/sql"
	"catena/table"
)

// models are the figures of model files.
type models struct {
	Files  int `json:"files"`
	Read   int `json:"read"`   // as a model
	Stable int `json:"stable"` // written, read and written again: the same bytes, and nothing is lost
	Sound  int `json:"sound"`  // nothing is wrong with it by itself

	Metrics  int `json:"metrics"`
	Compiled int `json:"compiled"` // to a query that may run, for all rows and for each dimension
	Asked    int `json:"asked"`    // by dimensions
}

// documents reads the model files of a folder, writes them, and does so again.
func documents(o *sets.Options, folder string, f *models) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.y*ml"))
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f.Files++
		d, notes, err := semantic.Read(text)
		if err != nil {
			o.Missf("%s: not read: %v", filepath.Base(name), err)
			continue
		}
		f.Read++
		for _, n := range notes {
			o.Missf("%s: %s", filepath.Base(name), n)
		}
		if stable(o, filepath.Base(name), text, d, len(notes) == 0) {
			f.Stable++
		}
		f.compile(o, filepath.Base(name), d)
		found := d.Check(nil)
		if len(found) == 0 {
			f.Sound++
		}
		for _, x := range found {
			o.Missf("%s: %s", filepath.Base(name), x)
		}
	}
	fmt.Printf("model files: %d, read %d, stable %d, sound %d; metrics %d, compiled %d (by %d dimensions)\n", f.Files, f.Read, f.Stable, f.Sound,
		f.Metrics, f.Compiled, f.Asked)
	return nil
}

// columns is a catalog of what a model's fields are, without rows.
type columns struct{ m *semantic.Model }

var fieldTypes = map[string]table.Type{"Integer": table.Int, "Decimal": table.Decimal, "Float": table.Float, "Boolean": table.Bool,
	"String": table.Text, "Date": table.Date, "DateTime": table.DateTime}

// Schema is the columns of a table. A field without a type is a number where a metric folds it, which nothing says: it is
// taken for one.
func (c columns) Schema(name string) (query.Schema, bool) {
	e, ok := c.m.Entity(name)
	var out query.Schema
	for _, f := range e.Fields {
		if f.Expression == "" {
			out = append(out, query.Field{Column: table.Column{Name: f.Name, Type: f.Type}})
		}
	}
	return out, ok
}

// Tables are the names of all tables.
func (c columns) Tables() []string { return nil }

// compile makes queries of the metrics, for all rows and by each dimension.
func (f *models) compile(o *sets.Options, name string, d *semantic.Document) {
	m := d.Model()
	kinds := map[string]string{}
	for _, one := range d.Models {
		for _, s := range one.Datasets {
			for _, x := range s.Fields {
				kinds[s.Name+"."+x.Name] = x.DataType
			}
		}
	}
	for i, e := range m.Entities {
		for j, x := range e.Fields {
			m.Entities[i].Fields[j].Type = table.Decimal
			if t, ok := fieldTypes[kinds[e.Table+"."+x.Name]]; ok {
				m.Entities[i].Fields[j].Type = t
			}
		}
	}
	for _, x := range m.Metrics {
		f.Metrics++
		dimensions, err := m.Dimensions(x)
		asks := []semantic.Ask{{}}
		for _, d := range dimensions {
			asks = append(asks, semantic.Ask{GroupBy: []string{d.Name}})
		}
		for _, ask := range asks {
			if err == nil {
				err = compiled(m, x, ask)
			}
		}
		if err != nil {
			o.Missf("%s: %s: %v", name, x.Name, err)
			continue
		}
		f.Compiled++
		f.Asked += len(dimensions)
	}
}

func compiled(m *semantic.Model, x semantic.Metric, ask semantic.Ask) error {
	statement, err := m.Statement(x, ask)
	if err != nil {
		return err
	}
	q, findings, err := querysql.Parse(statement, columns{m}, querysql.Options{Dialect: querysql.DialectPostgreSQL})
	if err != nil {
		return err
	}
	_, more := query.Check(q, columns{m})
	for _, found := range append(findings, more...) {
		if !found.Doubt {
			return fmt.Errorf("%s in %s", found, statement)
		}
	}
	return nil
}

// stable compares the file that is written with the one that is written of it, and what both and the original say.
func stable(o *sets.Options, name string, text []byte, d *semantic.Document, whole bool) bool {
	once, err := d.Write()
	if err != nil {
		o.Missf("%s: not written: %v", name, err)
		return false
	}
	again, _, err := semantic.Read(once)
	if err != nil {
		o.Missf("%s: what was written is not read: %v", name, err)
		return false
	}
	twice, err := again.Write()
	if err != nil || !bytes.Equal(once, twice) {
		o.Missf("%s: not stable: %v", name, err)
		return false
	}
	var was, is map[string]any
	if yaml.Unmarshal(text, &was) != nil || yaml.Unmarshal(once, &is) != nil {
		return false
	}
	if _, ours := was["semantic_model"]; ours && whole && !reflect.DeepEqual(was, is) {
		o.Missf("%s: something is lost", name)
		return false
	}
	return true
}
