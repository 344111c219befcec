// Command mdtokens counts the tokens of each way of writing a table, in the vocabulary o200k_base as github.com/tiktoken-go/tokenizer embeds
// it, beside the same table as CSV.
//
//	go -C bench run ./mdtokens -data DIR [-json]
//
// DIR holds the folder tokens: JSON files of records, one table each, and o200k_tokens.json with the counts of other writers. Of the tables sales and
// wide, Markdown of the values as they are may take 1.05 times the tokens of CSV, formatted Markdown 1.25 times.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"catena/bench/sets"
	"catena/formatter"
	"catena/profiler"
	"catena/table"
	tablecsv "catena/table/csv"
	tablejson "catena/table/json"
)

const anchorsFile = "o200k_tokens.json"

// anchor is what another writer needs for a table.
type anchor struct {
	Tokens  int     `json:"tokens"`
	PerCell float64 `json:"per_cell"`
}

// bars are the highest ratios to CSV, by the beginning of a table's name and the way of writing.
var bars = map[string]map[string]float64{"sales": {"raw": 1.05, "formatted": 1.25}, "wide": {"raw": 1.05, "formatted": 1.25}}

// beside names the anchor that is closest to a way of writing.
var beside = map[string]string{"csv": "csv", "raw": "md_tight", "formatted": "md_formatted", "text": "tsv", "json": "json_compact", "html": "html", "bullets": "md_kv"}

func main() {
	o := sets.Flags("mdtokens", "the folder tokens")
	o.Parse()
	figures, err := run(o)
	o.End(figures, err)
}

func run(o *sets.Options) (map[string]float64, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(o.Path("tokens", "*.json"))
	if err != nil || len(files) == 0 {
		return nil, cmp.Or(err, fmt.Errorf("no tables in %s", o.Path("tokens")))
	}
	anchors, err := readAnchors(o.Path("tokens", anchorsFile))
	if err != nil {
		return nil, err
	}
	figures := map[string]float64{}
	var missed []string
	for _, file := range files {
		if filepath.Base(file) == anchorsFile {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		low, err := measure(codec, file, name, anchors[name], figures)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		missed = append(missed, low...)
	}
	if len(missed) > 0 {
		err = errors.New(strings.Join(missed, "; "))
	}
	return figures, err
}

func readAnchors(path string) (map[string]map[string]anchor, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out map[string]map[string]anchor
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return out, err
}

// measure prints the lines of one table and gives the bars that it missed.
func measure(codec tokenizer.Codec, file, name string, anchors map[string]anchor, figures map[string]float64) (missed []string, err error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	named, err := tablejson.Read(bytes.NewReader(raw), name, table.Limits{})
	if err != nil {
		return nil, err
	}
	t := named.Table
	texts, err := writings(t)
	if err != nil {
		return nil, err
	}
	base := 0
	short := strings.TrimRight(name, "0123456789x")
	fmt.Printf("%s, %d rows of %d columns\n%-12s %8s %8s %8s   %s\n", name, t.NumRows(), t.NumCols(), "", "tokens", "a cell", "/ CSV", "others")
	for _, w := range texts {
		tokens, err := codec.Count(w.text)
		if err != nil {
			return nil, err
		}
		if w.name == "csv" {
			base = tokens
		}
		ratio := float64(tokens) / float64(base)
		figures[short+"_"+w.name] = ratio
		other := ""
		if a, ok := anchors[beside[w.name]]; ok {
			other = fmt.Sprintf("%s %d, %.2f a cell", beside[w.name], a.Tokens, a.PerCell)
		}
		if bar, ok := bars[short][w.name]; ok {
			other += fmt.Sprintf("   bar %.2f", bar)
			if ratio > bar {
				missed = append(missed, fmt.Sprintf("%s_%s is %.3f, above %.2f", short, w.name, ratio, bar))
			}
		}
		fmt.Printf("%-12s %8d %8.2f %8.3f   %s\n", w.name, tokens, float64(tokens)/float64(t.NumRows()*t.NumCols()), ratio, other)
	}
	fmt.Println()
	return missed, nil
}

type writing struct{ name, text string }

// writings are all outputs, CSV as the table writes it first.
func writings(t *table.Table) ([]writing, error) {
	var csv bytes.Buffer
	if err := tablecsv.Write(context.Background(), &csv, t); err != nil {
		return nil, err
	}
	meta := profiler.Profile(context.Background(), t)
	raw, err := formatter.Format(t, meta, formatter.Options{Raw: true})
	if err != nil {
		return nil, err
	}
	shown, err := formatter.Format(t, meta, formatter.Options{})
	if err != nil {
		return nil, err
	}
	asJSON, err := shown.JSON()
	if err != nil {
		return nil, err
	}
	return slices.Concat([]writing{{"csv", csv.String()}, {"raw", raw.Markdown()}, {"formatted", shown.Markdown()}, {"text", shown.Model()}},
		[]writing{{"bullets", shown.Bullets()}, {"html", shown.HTML()}, {"json", string(asJSON)}}), nil
}
