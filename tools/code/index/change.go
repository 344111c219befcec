package index

import (
	"context"
)

// mergeViews is how many segments a snapshot may have beside the first. A change that would make more puts the small ones together.
const mergeViews = 8

// With returns a snapshot in which the changes are made; s stays as it is. What did not change is shared, so that the cost goes by
// the size of the changes. Where a file comes, goes, or says another package, the graph is resolved anew, which takes 0.1 s for ten
// thousand files. A path that is not in s is added; one that
// is Gone and not in s is no error. Of several changes of one path the last counts.
func (s *Snapshot) With(ctx context.Context, changes []Change) (*Snapshot, error) {
	w := newSegmentWriter()
	buried := make(map[*view][]uint32)
	var changed []int32
	same := true
	for _, c := range lastOfEach(changes) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i, ok := s.sameShape(&c)
		same = same && ok
		changed = append(changed, i)
		if i, ok := s.byPath[c.File.Path]; ok {
			r := s.list[i]
			buried[r.view] = append(buried[r.view], r.file)
		}
		if c.Gone {
			continue
		}
		if err := check(&c.File); err != nil {
			return nil, err
		}
		if err := w.add(&c.File, c.Source, Stamp{Hash: c.Hash, Mod: c.Mod}, analyse(&c.File, c.Source)); err != nil {
			return nil, err
		}
	}
	views, err := s.survivors(ctx, buried, w)
	if err != nil {
		return nil, err
	}
	if same {
		return s.patched(ctx, views, changed)
	}
	return newSnapshot(ctx, s.opt, views, s.vec)
}

func lastOfEach(changes []Change) []Change {
	last := make(map[string]int, len(changes))
	for i, c := range changes {
		last[c.File.Path] = i
	}
	out := make([]Change, 0, len(last))
	for i, c := range changes {
		if last[c.File.Path] == i {
			out = append(out, c)
		}
	}
	return out
}

// survivors are the views of s without what was buried, and one for what was added.
func (s *Snapshot) survivors(ctx context.Context, buried map[*view][]uint32, w *segmentWriter) ([]*view, error) {
	var views []*view
	for _, v := range s.views {
		n := &view{segment: v.segment, dead: v.dead, deadDocs: v.deadDocs}
		if files := buried[v]; files != nil {
			var err error
			if n, err = v.bury(files); err != nil {
				return nil, err
			}
		}
		if n.live() > 0 || len(views) == 0 {
			views = append(views, n)
		}
	}
	if len(views) > mergeViews {
		from := smallTail(views)
		for _, v := range views[from:] {
			if err := w.addView(ctx, v); err != nil {
				return nil, err
			}
		}
		views = views[:from]
	}
	if len(w.seg.filePath) > 0 {
		views = append(views, newView(w.finish()))
	}
	return views, nil
}

// smallTail is the first of the last views that together are no larger than the one before them: each file is then copied as
// often as the logarithm of the number of files.
func smallTail(views []*view) int {
	sum, i := 0, len(views)
	for i > 1 && (sum == 0 || views[i-1].live() <= 2*sum || len(views)-i < 2) {
		i--
		sum += views[i].live()
	}
	return i
}

func (v *view) live() int {
	n := v.files()
	for _, d := range v.dead {
		if d {
			n--
		}
	}
	return n
}

// addView copies the files that are there in a view.
func (w *segmentWriter) addView(ctx context.Context, v *view) error {
	for i := range uint32(v.files()) {
		if v.gone(i) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := v.source(i, 0, int(v.fileSize[i]))
		if err != nil {
			return err
		}
		f := v.file(i)
		if err := w.add(&f, src, v.stamp(i), analyse(&f, src)); err != nil {
			return err
		}
	}
	return nil
}

// Scattered reports whether so much has changed that Compact is worth while: a quarter of the files of the first segment.
func (s *Snapshot) Scattered() bool {
	if len(s.views) == 0 {
		return false
	}
	first := s.views[0]
	return 4*(first.files()-first.live()) > first.files() || 4*(len(s.list)-first.live()) > first.files()+3
}

// Compact returns a snapshot with the same content in one piece. It takes about half as long as a first index without parsing
// does; s stays as it is and goes on answering.
func (s *Snapshot) Compact(ctx context.Context) (*Snapshot, error) {
	w := newSegmentWriter()
	for _, v := range s.views {
		if err := w.addView(ctx, v); err != nil {
			return nil, err
		}
	}
	return newSnapshot(ctx, s.opt, []*view{newView(w.finish())}, s.vec)
}
