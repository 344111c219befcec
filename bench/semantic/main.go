// Command semantic measures whether the relationships between tables are found without declarations: against the columns
// that the gold SQL of questions joins, and against the declared keys of public schemas, which are not shown.
//
//	go -C bench run ./semantic -data DIR [-schemas DIR] [-models DIR] [-v] [-json]
//
// DIR holds related (SPLIT.jsonl and db). -schemas is a folder of SQLite files with declared keys; testdata/schemas.txt
// lists those that the committed figures are of. Nothing is tuned to one of the databases: the thresholds of
// query/semantic are round figures, the same for all.
//
// A pair of columns counts as found when sure relationships lead from one to the other, as two references to one key may
// be joined. A relationship is right when gold joins its columns, or both with others of the same meaning; where no
// question needs it, testdata/judged.txt says whether it holds (two figures: strict counts these as wrong).
package main

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"catena/bench/sets"
	"catena/profiler"
	"catena/query"
	"catena/query/semantic"
	querysql "catena/query/sql"
	"catena/table"
	"catena/table/load"
)

type record struct {
	Tables   []string `json:"tables"`
	SQLite   []string `json:"sql"`
	Postgres []string `json:"sql_postgres"`
}

// figures of one database, or of several together.
type figures struct {
	Pairs    int           `json:"pairs"` // that are joined
	Found    int           `json:"found"` // of them
	Inferred int           `json:"inferred"`
	Right    int           `json:"right"`  // of the inferred ones, by gold
	Judged   int           `json:"judged"` // right though no gold joins them
	Unsure   int           `json:"unsure"` // listed, and not used
	Time     time.Duration `json:"ns"`     // of Infer, profiles apart
}

func (f *figures) add(o figures) {
	f.Pairs += o.Pairs
	f.Found += o.Found
	f.Inferred += o.Inferred
	f.Right += o.Right
	f.Judged += o.Judged
	f.Unsure += o.Unsure
	f.Time += o.Time
}

func (f figures) String() string {
	share := func(a, b int) float64 { return float64(a) / float64(max(b, 1)) }
	return fmt.Sprintf("%5d %6d %7.3f %9d %10.3f %7.3f %7d %9s", f.Pairs, f.Found, share(f.Found, f.Pairs), f.Inferred,
		share(f.Right+f.Judged, f.Inferred), share(f.Right, f.Inferred), f.Unsure, f.Time.Round(10*time.Microsecond))
}

type result struct {
	Gold    figures `json:"gold"`
	Schemas figures `json:"schemas"`
	Models  models  `json:"models"`
}

func main() {
	o := sets.Flags("semantic", "related")
	schemas := flag.String("schemas", "", "folder of SQLite files with declared keys")
	files := flag.String("models", "", "folder of model files, Ossie's or dbt's: read, written, and the same again")
	o.Parse()
	var r result
	fmt.Printf("%-22s %5s %6s %7s %9s %10s %7s %7s %9s\n", "", "pairs", "found", "recall", "inferred", "precision", "strict", "unsure", "time")
	judged, err := readJudged(filepath.Join("semantic", "testdata", "judged.txt"))
	if err == nil {
		err = gold(context.Background(), o, judged, &r.Gold)
	}
	if err == nil && *schemas != "" {
		err = declared(context.Background(), o, judged, *schemas, &r.Schemas)
	}
	if err == nil && *files != "" {
		err = documents(o, *files, &r.Models)
	}
	o.End(r, err)
}

// gold measures against what the statements of each database join.
func gold(ctx context.Context, o *sets.Options, judged map[string]pairs, all *figures) error {
	records, err := sets.Lines[record](o.Path("related", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	statements, order := map[string][]record{}, []string{}
	for _, rec := range records {
		if statements[rec.Tables[0]] == nil {
			order = append(order, rec.Tables[0])
		}
		statements[rec.Tables[0]] = append(statements[rec.Tables[0]], rec)
	}
	for _, file := range order {
		d, err := open(ctx, o.Path("related", file))
		if err != nil {
			return err
		}
		truth := pairs{}
		for _, rec := range statements[file] {
			d.joined(rec.SQLite, querysql.DialectSQLite, truth)
			d.joined(rec.Postgres, querysql.DialectPostgreSQL, truth)
		}
		f, err := d.score(ctx, o, truth, judged[d.name])
		if err != nil {
			return err
		}
		fmt.Printf("%-22s %s\n", d.name, f)
		all.add(f)
	}
	fmt.Printf("%-22s %s\n", "all", *all)
	return nil
}

// declared measures against the declared keys of schemas.
func declared(ctx context.Context, o *sets.Options, judged map[string]pairs, folder string, all *figures) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.sqlite"))
	if err != nil {
		return err
	}
	for _, file := range files {
		d, err := open(ctx, file)
		if err != nil {
			return err
		}
		truth, err := d.foreign(file)
		if err != nil {
			return err
		}
		f, err := d.score(ctx, o, truth, judged[d.name])
		if err != nil {
			return err
		}
		fmt.Printf("%-22s %s\n", d.name, f)
		all.add(f)
	}
	fmt.Printf("%-22s %s\n", "all", *all)
	return nil
}

// database is the tables of a file, with nothing of what it declares.
type database struct {
	name   string
	inputs []semantic.Input
}

func open(ctx context.Context, path string) (*database, error) {
	list, err := load.File(ctx, path, table.Limits{})
	if len(list) == 0 {
		return nil, err
	}
	d := &database{name: strings.TrimSuffix(filepath.Base(path), ".sqlite")}
	for _, t := range list {
		d.inputs = append(d.inputs, semantic.Input{Name: t.Name, Table: t.Table, Columns: profiler.ProfileWith(ctx, t.Table, profiler.Options{Title: t.Name, Light: true})})
	}
	return d, nil
}

// Schema is the columns of a table.
func (d *database) Schema(name string) (query.Schema, bool) {
	for _, in := range d.inputs {
		if strings.EqualFold(in.Name, name) {
			return query.SchemaOf(in.Table), true
		}
	}
	return nil, false
}

// Tables are the names of all tables.
func (d *database) Tables() []string {
	var out []string
	for _, in := range d.inputs {
		out = append(out, in.Name)
	}
	return out
}

// joined collects what statements join.
func (d *database) joined(statements []string, dialect querysql.Dialect, into pairs) {
	for _, s := range statements {
		q, _, err := querysql.Parse(s, d, querysql.Options{Dialect: dialect, Now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)})
		if err == nil {
			(&walker{d, into}).query(q, nil)
		}
	}
}

// foreign are the declared references of a file.
func (d *database) foreign(path string) (pairs, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out := pairs{}
	for _, t := range d.Tables() {
		if err := out.addForeign(db, t); err != nil {
			return nil, fmt.Errorf("%s: %w", t, err)
		}
	}
	return out, nil
}

// addForeign adds the declared references of a table.
func (p pairs) addForeign(db *sql.DB, t string) error {
	rows, err := db.Query(`SELECT "from", "table", "to", "seq" FROM pragma_foreign_key_list(?)`, t)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var from, other string
		var to sql.NullString
		var seq int
		if err := rows.Scan(&from, &other, &to, &seq); err != nil {
			return err
		}
		if !to.Valid {
			key := db.QueryRow(`SELECT name FROM pragma_table_info(?) WHERE pk = ?`, other, seq+1)
			if err := key.Scan(&to.String); err != nil {
				return fmt.Errorf("%s: %w", from, err)
			}
		}
		p.add(strings.ToLower(t+"."+from), strings.ToLower(other+"."+to.String))
	}
	return rows.Err()
}

// score infers and compares.
func (d *database) score(ctx context.Context, o *sets.Options, truth, judged pairs) (figures, error) {
	var f figures
	begin := time.Now()
	m, err := semantic.Infer(ctx, d.inputs)
	if err != nil {
		return f, err
	}
	f.Time = time.Since(begin)
	found := pairs{}
	joins, holds := classesOf(truth), classesOf(both(truth, judged))
	for _, r := range m.Relationships {
		if !r.Usable() {
			f.Unsure++
			o.Missf("%s: unsure %.2f: %s", d.name, r.Score, r)
			continue
		}
		for i := range r.LeftColumns {
			pair := [2]string{strings.ToLower(r.Left + "." + r.LeftColumns[i]), strings.ToLower(r.Right + "." + r.RightColumns[i])}
			found.add(pair[0], pair[1])
			f.Inferred++
			switch {
			case joins.together(pair):
				f.Right++
			case holds.together(pair):
				f.Judged++
			default:
				o.Missf("%s: wrong %.2f: %s (%s)", d.name, r.Score, r, r.Role)
			}
		}
	}
	reach := classesOf(found)
	for _, pair := range sorted(truth) {
		f.Pairs++
		if reach.together(pair) {
			f.Found++
		} else {
			o.Missf("%s: missed: %s = %s", d.name, pair[0], pair[1])
		}
	}
	return f, nil
}

func both(a, b pairs) pairs {
	out := pairs{}
	for _, p := range []pairs{a, b} {
		for pair := range p {
			out[pair] = true
		}
	}
	return out
}

func sorted(p pairs) [][2]string {
	out := make([][2]string, 0, len(p))
	for pair := range p {
		out = append(out, pair)
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) })
	return out
}

// readJudged reads lines of a database's name and two columns.
func readJudged(path string) (map[string]pairs, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]pairs{}
	in := bufio.NewScanner(f)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) != 3 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if out[words[0]] == nil {
			out[words[0]] = pairs{}
		}
		out[words[0]].add(words[1], words[2])
	}
	return out, in.Err()
}
