package data

import (
	"fmt"
	"strings"
	"testing"

	"catena/table/loadtest"
	"catena/tools"
)

// oddTables are tables that people do have.
func oddTables() map[string]string {
	var heads, cells []string
	for i := range 200 {
		heads, cells = append(heads, fmt.Sprintf("c%d", i)), append(cells, fmt.Sprint(i))
	}
	return map[string]string{
		"header only":   "a,b\n",
		"one row":       "name,amount\nAda,1.50\n",
		"all null":      "name,empty\nAda,\nBo,\nCy,\n",
		"one column":    "n\n1\n2\n3\n",
		"one text":      "word\nx\n",
		"200 columns":   strings.Join(heads, ",") + "\n" + strings.Join(cells, ",") + "\n",
		"other scripts": "名前,値\n東京,1\n大阪,2\nمرحبا,3\n",
		"huge text":     "id,text,n\n1," + strings.Repeat("word ", 20_000) + ",1\n2,short,2\n",
		"same numbers":  "k,n\na,5\nb,5\nc,5\n",
	}
}

// Every tool over one table answers every table, or says what is wrong as a fault of the arguments; none panics or gives nothing.
func TestOddTables(t *testing.T) {
	k := New(Options{})
	runs := map[string]tools.Handler{"summarize": k.summarize, "clean": k.clean, "insights": k.insights, "visualize": k.visualize, "format": k.format}
	for name, text := range oddTables() {
		for tool, run := range runs {
			t.Run(tool+" "+name, func(t *testing.T) {
				res, err := run(t.Context(), tools.Call{Args: map[string]any{"data": loadtest.ReadCSV(t, text).Table}})
				if err != nil {
					if !strings.Contains(err.Error(), "the table has no") && !strings.Contains(err.Error(), "axis") && !strings.Contains(err.Error(), "no values") {
						t.Errorf("error: %v", err)
					}
					return
				}
				if res.Text == "" && res.Table == nil {
					t.Error("there is no answer")
				}
				if strings.Contains(res.Text, "NaN") || strings.Contains(res.Text, "%!") || strings.Contains(res.Text, "<nil>") || len(res.Text) > 250_000 {
					t.Errorf("%d characters: %.300s", len(res.Text), res.Text)
				}
				t.Logf("%.240s", res.Text)
			})
		}
	}
}
