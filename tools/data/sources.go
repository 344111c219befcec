package data

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"catena/internal/access"
	"catena/internal/lane"
	"catena/planner/plan"
	"catena/query/semantic"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data/pipeline"
	"catena/tools/handle"
)

// SourceTable is a table that questions can be asked about.
type SourceTable struct {
	Name    string // unique among the sources; how plans and people name it
	Table   *table.Table
	Source  string    // "demo", a file's base name, "upload", "result", "live"
	Handle  string    // for uploads and results
	Title   string    // a heading, where there is one
	Hide    []string  // see tools.Result.Hide
	Signed  []string  // see tools.Result.Signed
	AsOf    time.Time // the date that the data speak of; zero when they do not say
	Trusted bool      // its owner lets planners see the values of low-cardinality columns
	Notes   []string  // what loading found and changed
	// Untrusted says that somebody else may have written the cells: they are never to be read as instructions.
	Untrusted bool
	// Remote says that the table stays in a database; Table is a sample of its rows then.
	Remote *Remote
	// Declared are the keys and references that its file or database declares, of tables by their names among the
	// sources. It is shared by copies.
	Declared *table.Declared

	// Passed says that it is a result with the rows of the table that its tool was given, as they were: what they sum
	// up is not ours.
	Passed bool

	key string // names what is kept about a live table; "" goes by what the table holds
}

// outside reports whether somebody else may have written the cells.
func (t SourceTable) outside() bool { return t.Untrusted || t.Source == sourceUpload }

// Sources are the configured tables, which everybody may ask about, and each caller's uploads and results, which are
// under handles. It is safe for concurrent use.
type Sources struct {
	mu     sync.RWMutex
	tables []SourceTable
	byName map[string]int       // by lower case
	models []*semantic.Document // of the operator's files
	taken  int                  // how often Take was called
	kept   *handle.Tables
	limits table.Limits
	// Withhold reports that a file must not be loaded: settings, the program's own store. Nil withholds none. Set it before Load.
	Withhold func(path string) bool
	// Heavy is where uploads that may be large wait for their turn, with the other heavy work of the process. Set it before anybody uploads.
	Heavy *lane.Lane
}

// maxUploads bounds what a session's own tables add to a planner's view. Who takes files from outside bounds their size: server and chat.
const maxUploads = 32

// NewSources makes an empty set over the handles of kept. Limits bound each file.
func NewSources(kept *handle.Tables, limits table.Limits) *Sources {
	return &Sources{kept: kept, limits: limits, byName: map[string]int{}, Heavy: lane.New(lane.Processors() - 1)}
}

// Add adds a table for everybody. A name that is taken gets a suffix _2, _3 ...; the name it has now is returned.
func (s *Sources) Add(t SourceTable) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Name = pipeline.FreeName(safeName(t.Name), func(n string) bool { _, taken := s.byName[strings.ToLower(n)]; return taken })
	s.byName[strings.ToLower(t.Name)] = len(s.tables)
	s.tables = append(s.tables, t)
	return t.Name
}

// Take takes over the tables and model files of other sources, in place of all that were there. Whoever listed some
// before may go on reading them. The other sources are not to be used afterwards.
func (s *Sources) Take(o *Sources) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables, s.byName, s.models = o.tables, o.byName, o.models
	s.taken++
}

// howOften is how often the tables were replaced.
func (s *Sources) howOften() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.taken
}

// safeName makes a name that may stand in prompts and messages: other characters become _.
func safeName(name string) string {
	if plan.SafeName(name) {
		return name
	}
	out := strings.Map(func(r rune) rune {
		if r < 128 && plan.SafeName(string(r)) {
			return r
		}
		return '_'
	}, name)
	out = strings.Trim(out, "_ ")
	const most = 60
	if out = out[:min(len(out), most)]; out == "" {
		return "table"
	}
	return out
}

// Load loads files: each pattern is a file, a folder (its data files and those of all folders in it) or a glob. What
// cannot be read, a file, a folder or an archive, is named in the errors, which are *table.FormatError where the file is at fault, and the rest still load.
func (s *Sources) Load(ctx context.Context, patterns ...string) []error {
	return s.load(ctx, false, patterns)
}

// LoadTrusted is Load for files whose owner lets planners see the values of low-cardinality columns.
func (s *Sources) LoadTrusted(ctx context.Context, patterns ...string) []error {
	return s.load(ctx, true, patterns)
}

// LoadModels loads model files, whatever their names end in: each pattern is one, a folder whose files end in
// .semantic.yaml, or a glob. Only the operator may name them. What is wrong is in the errors, and the rest is loaded.
func (s *Sources) LoadModels(patterns ...string) []error {
	var errs []error
	for _, p := range patterns {
		files, faults := modelFiles(p)
		errs = append(errs, faults...)
		for _, f := range files {
			if err := s.loadModel(f); err != nil {
				errs = append(errs, atPath(f, each(err))...)
			}
		}
	}
	return errs
}

// modelFiles are the files that a pattern of model files means.
func modelFiles(pattern string) ([]string, []error) {
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		pattern = filepath.Join(pattern, "*"+semantic.FileEnding)
	}
	return expand(context.Background(), pattern)
}

func (s *Sources) load(ctx context.Context, trusted bool, patterns []string) []error {
	var errs []error
	for _, p := range patterns {
		files, faults := expand(ctx, p)
		errs = append(errs, faults...)
		for _, f := range files {
			if err := ctx.Err(); err != nil {
				return append(errs, err)
			}
			if s.Withhold != nil && s.Withhold(f) {
				if f == p { // it is named itself; out of a folder it is left without a word, as what is no data
					errs = append(
						errs,
						&table.FormatError{
							Source: f,
							Reason: "it holds secrets or data of this program",
							Hint:   "copy what you need of it into another file",
						},
					)
				}
				continue
			}
			load := func() error { return s.loadFile(ctx, f, trusted) }
			if strings.HasSuffix(f, semantic.FileEnding) {
				load = func() error { return s.loadModel(f) }
			}
			if err := load(); err != nil {
				errs = append(errs, atPath(f, each(err))...)
			}
		}
	}
	return errs
}

// each gives the errors that one joins.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// atPath names a file by its path in what is wrong with it: folders hold files of one name.
func atPath(path string, errs []error) []error {
	for i, err := range errs {
		f, ok := err.(*table.FormatError) //nolint:errorlint // one that is wrapped is told by what wraps it
		if ok && strings.HasPrefix(f.Source, filepath.Base(path)) {
			named := *f
			named.Source = filepath.Dir(path) + string(filepath.Separator) + f.Source
			errs[i] = &named
		}
	}
	return errs
}

func (s *Sources) loadFile(ctx context.Context, path string, trusted bool) error {
	found, err := load.File(ctx, path, s.limits) // a database gives what can be read beside the error
	called := map[string]string{}
	for i := range found {
		n := &found[i]
		called[strings.ToLower(n.Name)] = s.Add(
			SourceTable{
				Name:     n.Name,
				Table:    n.Table,
				Source:   filepath.Base(path),
				Notes:    notesOf(n.Report),
				Trusted:  trusted,
				Declared: &n.Report.Declared,
			},
		)
	}
	for i := range found {
		for r, ref := range found[i].Report.Declared.References {
			found[i].Report.Declared.References[r].Table = called[strings.ToLower(ref.Table)]
		}
	}
	return err
}

// List returns what a caller can ask about: the sources in the order of loading, then the session's uploads, newest first. A source
// of an upload's name is left out: in its session the upload comes before it (Find has it as demo.name, file.csv.name).
func (s *Sources) List(c access.Caller, session string) []SourceTable {
	s.mu.RLock()
	out := slices.Clone(s.tables)
	s.mu.RUnlock()
	if session == "" {
		return out
	}
	own := s.uploads(c, session)
	names := make(map[string]bool, len(own))
	for _, t := range own {
		names[strings.ToLower(t.Name)] = true
	}
	out = slices.DeleteFunc(out, func(t SourceTable) bool { return names[strings.ToLower(t.Name)] })
	return append(out, own...)
}

// uploads are the tables that a session uploaded, newest first; of several under one name the newest.
func (s *Sources) uploads(c access.Caller, session string) (out []SourceTable) {
	names := map[string]bool{}
	for _, m := range s.ofSession(c, session, sourceUpload) {
		if len(out) == maxUploads {
			break
		}
		if name := strings.ToLower(m.Name); m.Name == "" || !names[name] {
			t, ok := s.kept1(c, m)
			if ok {
				names[name] = true
				out = append(out, t)
			}
		}
	}
	return out
}

const sourceUpload = "upload"

func (s *Sources) ofSession(c access.Caller, session, source string) []handle.Meta {
	return slices.DeleteFunc(s.kept.List(c, session), func(m handle.Meta) bool { return m.Source != source })
}

func (s *Sources) kept1(c access.Caller, m handle.Meta) (SourceTable, bool) {
	t, m, err := s.kept.GetListed(context.Background(), c, m.Handle)
	if err != nil {
		return SourceTable{}, false
	}
	return ofHandle(t, m), true
}

func ofHandle(t *table.Table, m handle.Meta) SourceTable {
	source := m.Source
	if source == "" {
		source = "result"
	}
	name := safeName(m.Name)
	if m.Name == "" {
		name = m.Handle
	}
	return SourceTable{
		Name:      name,
		Table:     t,
		Source:    source,
		Handle:    m.Handle,
		Title:     m.Title,
		Hide:      m.Hide,
		Signed:    m.Signed,
		AsOf:      m.AsOf,
		Notes:     m.Notes,
		Untrusted: m.Untrusted,
		Passed:    m.Tool == formatName || m.Tool == cleanName,
	}
}

// Find returns a table by its name (without regard to case) or handle. The error is *tools.ArgumentError and names the
// tables that are there.
func (s *Sources) Find(ctx context.Context, c access.Caller, session, name string) (SourceTable, error) {
	if handle.Is(name) {
		t, m, err := s.kept.Get(ctx, c, name)
		if err != nil {
			return SourceTable{}, err
		}
		return ofHandle(t, m), nil
	}
	name = strings.TrimSpace(name)
	list := s.List(c, session)
	for _, t := range list {
		if strings.EqualFold(t.Name, name) {
			return t, nil
		}
	}
	if t, ok := s.qualified(name); ok {
		return t, nil
	}
	if t, ok := nthOfFile(list, name); ok {
		return t, nil
	}
	return SourceTable{}, noSuchTable(name, namesOf(list))
}

// qualified finds a source by where it is from and its name: demo.clients. So a source is had that an upload of its name comes before.
func (s *Sources) qualified(name string) (SourceTable, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, t := range s.tables {
		if strings.EqualFold(t.Source+"."+t.Name, name) {
			return t, true
		}
	}
	return SourceTable{}, false
}

// nthOfFile finds the table that a file's name and a number mean: sales.2 is the second table of the file that gave sales.
func nthOfFile(list []SourceTable, name string) (SourceTable, bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 {
		return SourceTable{}, false
	}
	n, err := strconv.Atoi(name[dot+1:])
	base := slices.IndexFunc(list, func(t SourceTable) bool { return strings.EqualFold(t.Name, name[:dot]) })
	if err != nil || n < 1 || base < 0 {
		return SourceTable{}, false
	}
	var file []SourceTable
	for _, t := range list {
		low, prefix := strings.ToLower(t.Name), strings.ToLower(list[base].Name)
		if t.Source == list[base].Source && (low == prefix || strings.HasPrefix(low, prefix+"_")) {
			file = append(file, t)
		}
	}
	if list[base].Source == sourceUpload { // newest first
		slices.Reverse(file)
	}
	if n > len(file) {
		return SourceTable{}, false
	}
	return file[n-1], true
}

func noSuchTable(name string, names []string) error {
	err := &tools.ArgumentError{Argument: "table", Code: tools.CodeNotFound}
	shown := "that name"
	if plan.SafeName(name) {
		shown = fmt.Sprintf("%q", name)
	}
	switch near := table.Nearest(name, names); {
	case len(near) > 0:
		err.Reason = fmt.Sprintf("there is no table %s; did you mean %s?", shown, strings.Join(near, ", "))
	case len(names) > 0:
		err.Reason = fmt.Sprintf(
			"there is no table %s; the tables are %s",
			shown,
			strings.Join(names[:min(len(names), 20)], ", "),
		)
	default:
		err.Reason = fmt.Sprintf(
			"there is no table %s: no table is loaded; start with --data FILE or attach a file",
			shown,
		)
	}
	return err
}
