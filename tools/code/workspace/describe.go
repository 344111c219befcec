package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/tools/code/index"
)

// Manifest is what mimir://manifest/{id} says: what the newest index of a workspace was made of.
type Manifest struct {
	IndexID   string         `json:"index_id"`
	Path      string         `json:"path"`
	Rev       string         `json:"rev,omitempty"`
	Commit    string         `json:"commit,omitempty"`
	Branch    string         `json:"branch,omitempty"`
	State     string         `json:"state"` // fresh, stale, gone, empty
	IndexedAt time.Time      `json:"indexed_at"`
	Facts     index.Facts    `json:"facts"`
	Languages map[string]int `json:"languages"` // files of each
	Files     []ManifestFile `json:"files"`     // sorted by path, at most 20,000
	FileCount int            `json:"file_count"`
	Skipped   []SkippedFile  `json:"skipped"` // sorted by path, at most 20,000
	Reasons   map[string]int `json:"skipped_by_reason"`
	Stages    []StageTime    `json:"stages"`
	Embedder  string         `json:"embedder,omitempty"`
	// Unembedded is how many texts have no vector because the embedder failed.
	Unembedded int `json:"unembedded,omitempty"`
}

// ManifestFile is an indexed file.
type ManifestFile struct {
	Path  string    `json:"path"`
	Bytes int64     `json:"bytes"`
	Mod   time.Time `json:"modified,omitzero"`
	Hash  string    `json:"hash"`
}

// SkippedFile is a file or folder that was left out, with the reason as scan.Skipped has it.
type SkippedFile struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Bytes  int64  `json:"bytes,omitempty"`
}

// StageTime is how long a stage took.
type StageTime struct {
	Stage string `json:"stage"`
	MS    int64  `json:"ms"`
}

// maxListed bounds the lists of a Manifest.
const maxListed = 20_000

// Status is how far the index is; without an id only its path is set.
func (x *Workspace) Status() Status {
	w := x.corpus.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if x.record == nil {
		return Status{Path: x.corpus.site.path, Rev: x.corpus.rev}
	}
	return x.record.status()
}

// Manifest says what the newest index was made of. Without one the error wraps ErrNotFound.
func (x *Workspace) Manifest() (Manifest, error) {
	c := x.corpus
	c.load.Lock()
	m, err := c.find()
	c.load.Unlock()
	if err != nil {
		return Manifest{}, err
	}
	if m == nil {
		return Manifest{}, fmt.Errorf("nothing has been indexed there yet: %w", ErrNotFound)
	}
	c.w.mu.Lock()
	state := c.state(m)
	c.w.mu.Unlock()
	out := Manifest{IndexID: x.Status().IndexID, Path: c.site.path, Rev: c.rev, Commit: m.Git.Commit, Branch: m.Git.Branch, State: state,
		IndexedAt: m.MadeAt, Facts: m.Facts, Languages: m.Facts.Languages, FileCount: m.Facts.Files, Reasons: map[string]int{},
		Files: []ManifestFile{}, Skipped: []SkippedFile{}, Embedder: m.EmbedModel, Unembedded: m.Unembedded}
	for _, path := range slices.Sorted(maps.Keys(m.Files)) {
		if f := m.Files[path]; f.Out == "" && len(out.Files) < maxListed {
			out.Files = append(out.Files, ManifestFile{Path: path, Bytes: f.Size, Mod: f.Mod, Hash: f.Hash})
		}
	}
	for _, s := range m.Skipped {
		out.Reasons[s.Reason]++
		if len(out.Skipped) < maxListed {
			out.Skipped = append(out.Skipped, SkippedFile{Path: s.Path, Reason: s.Reason, Bytes: s.Size})
		}
	}
	slices.SortFunc(out.Skipped, func(a, b SkippedFile) int { return strings.Compare(a.Path, b.Path) })
	for _, s := range m.Stages {
		out.Stages = append(out.Stages, StageTime{Stage: s.Name, MS: s.Took.Milliseconds()})
	}
	return out, nil
}

// Log tells in Markdown what happened while the index was made. Secrets are redacted.
func (x *Workspace) Log() string {
	w := x.corpus.w
	w.mu.Lock()
	defer w.mu.Unlock()
	var b strings.Builder
	if x.record == nil {
		b.WriteString("# No index\n\nNothing has been indexed here yet.\n")
		return b.String()
	}
	st := x.record.Status
	fmt.Fprintf(&b, "# Index %s\n\n- Folder: %s\n", st.IndexID, plainLine(st.Path))
	if st.Rev != "" {
		fmt.Fprintf(&b, "- Revision: %s\n", plainLine(st.Rev))
	}
	fmt.Fprintf(&b, "- Status: %s, %d %%\n- Begun: %s\n\n", st.Status, st.Progress, st.StartedAt.UTC().Format(time.RFC3339))
	for _, l := range x.record.Log {
		fmt.Fprintf(&b, "- %s %s\n", l.At.UTC().Format("15:04:05.000"), plainLine(l.Text))
	}
	return b.String()
}

// plainLine keeps a text on its line and from being read as Markdown.
func plainLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return text.Markdown(s)
}
