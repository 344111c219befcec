package workspace

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// Options are what Workspaces are made of. Roots must be set; the zero value of the rest is usable.
type Options struct {
	Dir       string        // where indexes are kept, a folder for each workspace; "" keeps them in a temporary folder until Close
	Roots     []string      // folders below which repositories may be indexed; symlinks are resolved first
	AutoIndex bool          // the code intelligence tools index the first root when it has no index yet
	Watch     bool          // files are watched and git is polled, and what changed is indexed in the background
	Poll      time.Duration // pause between looks at git; 0 means 5 s
	Debounce  time.Duration // how long files must be quiet before they are indexed anew; 0 means 1 s
	Limits    scan.Limits   // Private of them is never indexed
	// Withhold reports that a file must not be indexed for what it holds, such as settings with secrets; nil withholds
	// none.
	Withhold func(text []byte) bool
	// Hide replaces secrets of the program in a text, and keeps its lines; nil replaces nothing.
	Hide       func(text string) string
	Embed      func(ctx context.Context, texts []string) ([][]float32, error) // nil without an embedder
	EmbedModel string                                                         // names the embedder in caches and manifests
	Updated    func(owner, uri string)                                        // told of resources that changed; nil drops it
	// Listed is told that an owner's indexes, and so the resources that are listed, are others now. It must not block,
	// nor call this package.
	Listed func()           // nil drops it
	Log    *slog.Logger     // nil means slog.Default()
	Now    func() time.Time // nil means time.Now
}

// The stages of indexing, in order, with the progress at the end of each in percent.
var stages = []struct {
	Name    string
	Percent int
}{{"acquire", 16}, {"repomapper", 33}, {"serena", 50}, {"leann", 66}, {"snippets", 83}, {"bundle", 100}}

// Request asks for an index.
type Request struct {
	Owner    string
	Path     string // folder, absolute or relative to the first root
	Rev      string // git revision; "" means the files as they lie there
	Language string // a hint of the old surface; all languages are indexed whatever it says
	// Progress, when set, is told the index id at once and then each stage. Updated is told each resource URI that
	// changed.
	Progress func(id, stage string, percent int, message string)
	Updated  func(uri string)
}

// Status is what mimir://status/{id} says.
type Status struct {
	IndexID   string                 `json:"index_id"`
	Status    string                 `json:"status"` // pending, running, complete, failed, cancelled
	Stage     string                 `json:"stage"`
	Progress  int                    `json:"progress"` // percent
	Stages    map[string]StageStatus `json:"stages"`
	Error     string                 `json:"error"` // null in JSON while there is none
	StartedAt time.Time              `json:"started_at"`
	UpdatedAt time.Time              `json:"updated_at"`
	Path      string                 `json:"path"`
	Rev       string                 `json:"rev,omitempty"`
	Commit    string                 `json:"commit,omitempty"`
	Facts     index.Facts            `json:"facts"`
}

// MarshalJSON writes an error of "" as null, as clients of the status expect it; null is read as "" again.
func (s Status) MarshalJSON() ([]byte, error) {
	type plain Status
	out := struct {
		plain
		Error *string `json:"error"`
	}{plain: plain(s)}
	if s.Error != "" {
		out.Error = &s.Error
	}
	return json.Marshal(out)
}

// StageStatus is one stage of a Status.
type StageStatus struct {
	Status   string `json:"status"` // pending, running, complete, failed, cancelled
	Progress int    `json:"progress"`
}

// The states of a workspace, as every result of the toolkit states them.
const (
	NeverIndexed = "never_indexed"
	Indexing     = "indexing" // the first index is being made; nothing can be searched yet
	Empty        = "empty"    // indexed, and there was nothing to index
	Fresh        = "fresh"
	Stale        = "stale"   // the files have changed since; StaleSince says when it was noticed
	Damaged      = "damaged" // the files of the index cannot be read; it must be made anew
	Gone         = "gone"    // the folder is not there any more; the last index still answers
)

// View is a workspace at one moment. Snapshot stays valid for as long as it is held.
type View struct {
	Snapshot   *index.Snapshot // nil while there is none
	State      string          // see above
	StaleSince time.Time
	IndexedAt  time.Time
	Status     Status
	Skipped    []scan.Skipped
}
