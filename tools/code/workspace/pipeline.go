package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	ulids "github.com/oklog/ulid/v2"

	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// pipeline is the work of one run, stage by stage. What it makes is in nobody's way until commit puts it in the place
// of the former index.
type pipeline struct {
	w      *Workspaces
	run    *run
	corpus *corpus

	tree scan.Tree
	done func()
	made *manifest

	former *index.Snapshot // nil when the index is made from nothing
	from   string          // the folder of the former generation
	todo   []scan.Entry
	gone   []string
	parsed *parsing
	snap   *index.Snapshot
	dir    string // of the new generation; "" once it is committed
}

// work does the six stages.
func (p *pipeline) work(ctx context.Context) error {
	do := []func(context.Context) (string, error){p.acquire, p.repomapper, p.serena, p.leann, p.snippets, p.bundle}
	for i := range stages {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.run.begin(i)
		start := time.Now()
		message, err := do[i](ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", stages[i].Name, err)
		}
		p.took(i, start)
		p.run.finished(i, message)
		if i == 0 && p.run.background && p.former != nil && len(p.todo) == 0 && len(p.gone) == 0 {
			return p.nothing()
		}
	}
	return nil
}

// nothing ends a run that found nothing to do: files were written anew with the same content.
func (p *pipeline) nothing() error {
	_, m := p.corpus.inMemory()
	p.snap, p.made = p.former, m.with(delta{touched: p.made.Files})
	p.corpus.install(p.snap, p.made)
	return nil
}

// took notes how long a stage took. The last one does it itself, before the manifest is written.
func (p *pipeline) took(i int, start time.Time) {
	if len(p.made.Stages) == i {
		p.made.Stages = append(p.made.Stages, stageTime{stages[i].Name, time.Since(start)})
	}
}

// acquire lists the files, asks git, and finds what has to be done: everything, or only what differs from the former
// index.
func (p *pipeline) acquire(ctx context.Context) (string, error) {
	p.made = &manifest{Generation: ulids.Make().String(), Rules: rules, ListedAt: p.w.now(), EmbedModel: p.w.embedModel()}
	tree, done, err := p.corpus.files(ctx)
	if err != nil {
		return "", err
	}
	p.tree, p.done = tree, done
	if p.made.Git, err = tree.Git(ctx); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		p.run.note("git could not be read: %v", err)
	}
	files, skipped, err := p.corpus.list(ctx, tree)
	if err != nil {
		return "", err
	}
	p.made.Skipped = skipped
	p.made.Files = make(map[string]fileState, len(files))
	p.todo = files
	if err := p.differ(ctx, files); err != nil {
		return "", err
	}
	p.w.mu.Lock()
	p.run.shared.Commit = p.made.Git.Commit
	p.w.mu.Unlock()
	message := fmt.Sprintf("%d files, %d left out", len(files), len(skipped))
	if p.made.Git.Commit != "" {
		message += ", at commit " + p.made.Git.Commit
	}
	if p.former != nil {
		message += fmt.Sprintf("; %d changed and %d gone since the former index", len(p.todo), len(p.gone))
	}
	return message, nil
}

// differ looks for a former index that only few files differ from.
func (p *pipeline) differ(ctx context.Context, files []scan.Entry) error {
	snap, m, err := p.corpus.open(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p.run.note("the former index is made anew: %v", err)
		return nil
	}
	if snap == nil || m.EmbedModel != p.made.EmbedModel {
		return nil
	}
	d, err := m.diff(ctx, p.tree, files, len(files))
	if err != nil {
		return err
	}
	if (len(d.changed)+len(d.gone))*3 > len(files)+30 {
		return nil
	}
	p.former, p.todo, p.gone, p.from = snap, d.changed, d.gone, p.corpus.generation(m.Generation)
	changed := make(map[string]bool, len(d.changed))
	for _, e := range d.changed {
		changed[e.Path] = true
	}
	for _, e := range files {
		if changed[e.Path] {
			continue
		}
		st := m.Files[e.Path]
		if again, ok := d.touched[e.Path]; ok {
			st = again
		}
		p.made.Files[e.Path] = st
		if st.Out != "" {
			p.made.Skipped = append(p.made.Skipped, scan.Skipped{Path: e.Path, Reason: st.Out, Size: e.Size})
		}
	}
	return nil
}

// repomapper reads and parses the files.
func (p *pipeline) repomapper(ctx context.Context) (string, error) {
	p.parsed = newParsing(p)
	if err := p.parsed.all(ctx, p.todo); err != nil {
		return "", err
	}
	// A folder that is gone reads like one whose files were all deleted.
	if p.corpus.rev == "" {
		if _, err := os.Stat(p.corpus.site.path); err != nil {
			return "", fmt.Errorf("the folder vanished meanwhile: %w", err)
		}
	}
	return p.parsed.summary(), nil
}

// serena resolves references and imports to a graph and ranks the files.
func (p *pipeline) serena(ctx context.Context) (string, error) {
	var err error
	if p.former == nil {
		p.snap, err = p.parsed.builder.Build(ctx)
	} else {
		p.snap, err = p.former.With(ctx, p.parsed.changes)
	}
	if err != nil {
		return "", err
	}
	p.parsed = nil
	f := p.snap.Facts()
	return fmt.Sprintf("%d symbols, %d edges between files", f.Symbols, f.Edges), nil
}

// leann completes the index for searching: the inverted index is in one piece, and chunks have vectors where there is
// an embedder.
func (p *pipeline) leann(ctx context.Context) (string, error) {
	if p.former != nil && p.snap.Scattered() {
		compacted, err := p.snap.Compact(ctx)
		if err != nil {
			return "", err
		}
		p.snap = compacted
	}
	message, err := p.embed(ctx)
	if err != nil {
		return "", err
	}
	if p.run.background { // queries need not wait for the disk
		p.made.MadeAt, p.made.Facts = p.w.now(), p.snap.Facts()
		early := *p.made
		p.corpus.install(p.snap, &early)
	}
	return message, nil
}

// snippets saves the chunks, ranks and citations.
func (p *pipeline) snippets(ctx context.Context) (string, error) {
	p.dir = p.corpus.generation(p.made.Generation)
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return "", err
	}
	if err := p.share(); err != nil {
		return "", err
	}
	if err := p.snap.Save(ctx, p.dir); err != nil {
		return "", err
	}
	f := p.snap.Facts()
	return fmt.Sprintf("%d chunks of %d lines", f.Chunks, f.Lines), nil
}

// bundle packs the index and puts it in the place of the former one.
func (p *pipeline) bundle(ctx context.Context) (string, error) {
	start, size := time.Now(), int64(0)
	p.made.MadeAt, p.made.Facts = p.w.now(), p.snap.Facts()
	if p.former == nil { // a few changes are quickly taken up; packing everything for each of them would not be
		var err error
		if size, err = writeBundle(ctx, p.snap, filepath.Join(p.dir, BundleFile)); err != nil {
			return "", err
		}
	}
	p.took(len(stages)-1, start)
	if err := p.commit(ctx); err != nil {
		return "", err
	}
	if size == 0 {
		return "the bundle is packed when it is asked for", nil
	}
	return fmt.Sprintf("a bundle of %d bytes", size), nil
}

// cleanUp removes what a run that did not come to its end has left.
func (p *pipeline) cleanUp() {
	if p.done != nil {
		p.done()
	}
	if p.dir != "" {
		if err := os.RemoveAll(p.dir); err != nil {
			p.w.log.Warn("half an index could not be removed; it is not used", "folder", p.dir, "error", err)
		}
	}
}
