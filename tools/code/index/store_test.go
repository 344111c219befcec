package index

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"catena/tools/code/parse"
)

func saved(t testing.TB) (*Snapshot, string) {
	t.Helper()
	s := indexed(t, shop)
	dir := t.TempDir()
	if err := s.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestOpenWhatWasSaved(t *testing.T) {
	s, dir := saved(t)
	opened, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameAnswers(t, "opened", opened, s)
	if !opened.made.Equal(s.made) || opened.Facts().Stored == 0 {
		t.Errorf("%+v", opened.Facts())
	}
	_, err = Open(t.Context(), t.TempDir(), Options{})
	if !IsNotStored(err) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestIncrementsLeaveTheBaseAlone(t *testing.T) {
	s, dir := saved(t)
	base := s.views[0].name
	before, err := os.Stat(filepath.Join(dir, base))
	if err != nil {
		t.Fatal(err)
	}
	src := []byte("package pay\n\nfunc Charge() {}\n")
	next, err := s.With(t.Context(), []Change{{File: parsed(t, "pay/pay.go", src), Source: src}})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(filepath.Join(dir, base))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the base was written again: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tmp-left-over"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 { // manifest, base, state
		t.Errorf("%v, %v", entries, err)
	}
}

// TestACrashLeavesTheFormerIndex makes each file of a new index disappear, as if the machine had stopped before it was written.
func TestACrashLeavesTheFormerIndex(t *testing.T) {
	s, dir := saved(t)
	former, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	keep := t.TempDir()
	if err := os.CopyFS(keep+"/x", os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	next, err := s.With(t.Context(), []Change{{File: parsed(t, "new.go", []byte("package new\n")), Source: []byte("package new\n")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := next.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	// All new parts are there, the manifest is not yet renamed: the former parts are still there, too, as Save removes them last.
	if err := os.CopyFS(dir+"/y", os.DirFS(keep+"/x")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "y", manifestName), former, 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := Open(t.Context(), filepath.Join(dir, "y"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameAnswers(t, "after the crash", opened, s)
}

func TestDamage(t *testing.T) {
	_, dir := saved(t)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, text := range map[string][]byte{
			"cut": whole[:len(whole)/2], "longer": append(bytes.Clone(whole), 'x'), "empty": nil,
			"first": flipped(whole, 0), "middle": flipped(whole, len(whole)/2), "last": flipped(whole, len(whole)-2),
		} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			var damaged *DamagedError
			if _, err := Open(t.Context(), dir, Options{}); !errors.As(err, &damaged) || damaged.File != e.Name() {
				t.Errorf("%s, %s: %v", e.Name(), what, err)
			}
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		_, err = Open(t.Context(), dir, Options{})
		if missing := e.Name() == manifestName; missing != IsNotStored(err) || err == nil {
			t.Errorf("without %s: %v", e.Name(), err)
		}
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func flipped(text []byte, i int) []byte {
	out := bytes.Clone(text)
	out[i] ^= 0x20
	return out
}

// FuzzReadPart gives damaged bytes to the reader of segments, with a checksum that fits: whatever is accepted must answer.
func FuzzReadPart(f *testing.F) {
	var buf bytes.Buffer
	s := indexed(f, map[string]string{"a/a.go": shop["pay/pay.go"], "b.py": shop["py/run.py"]})
	if _, _, err := writeColumns(&buf, s.views[0].columns()); err != nil {
		f.Fatal(err)
	}
	whole := buf.Bytes()
	f.Add(whole, 0, byte(0))
	for i := 20; i < len(whole); i += 97 {
		f.Add(whole, i, byte(1+i%255))
	}
	f.Fuzz(func(t *testing.T, text []byte, at int, change byte) {
		if len(text) < 4 || len(text) > 1<<20 {
			return
		}
		text = bytes.Clone(text)
		if at >= 0 && at < len(text)-4 {
			text[at] ^= change
		}
		text = resummed(text[:len(text)-4])
		seg := &segment{cache: new(blockCache)}
		if _, err := readColumns(bytes.NewReader(text), int64(len(text)), seg.columns()); err != nil {
			return
		}
		if seg.validate() != nil {
			return
		}
		mustAnswer(t, seg)
	})
}

// FuzzColumns changes numbers and bytes of a segment that was read: what is then still accepted must answer.
func FuzzColumns(f *testing.F) {
	var buf bytes.Buffer
	s := indexed(f, shop)
	if _, _, err := writeColumns(&buf, s.views[0].columns()); err != nil {
		f.Fatal(err)
	}
	whole := buf.Bytes()
	for i := range s.views[0].columns() {
		for _, v := range []uint32{0, 1, 7, 1 << 31, 1<<32 - 1} {
			f.Add(i, 3, v, i+1, 0, v)
		}
	}
	f.Fuzz(func(t *testing.T, one, at int, v uint32, two, at2 int, v2 uint32) {
		seg := &segment{cache: new(blockCache)}
		if _, err := readColumns(bytes.NewReader(whole), int64(len(whole)), seg.columns()); err != nil {
			t.Fatal(err)
		}
		spoil(seg.columns(), one, at, v)
		spoil(seg.columns(), two, at2, v2)
		if seg.validate() == nil {
			mustAnswer(t, seg)
		}
	})
}

// spoil changes one element of a column.
func spoil(cols []column, which, at int, v uint32) {
	place := func(n int) int { return max(at, -at, 0) % max(n, 1) }
	switch c := cols[max(which, -which, 0)%len(cols)].(type) {
	case *[]uint32:
		if len(*c) > 0 {
			(*c)[place(len(*c))] = v
		}
	case *[]uint64:
		if len(*c) > 0 {
			(*c)[place(len(*c))] = uint64(v) << (v % 33)
		}
	case *[]byte:
		if len(*c) > 0 {
			(*c)[place(len(*c))] = byte(v)
		}
	case *string:
		if len(*c) > 0 {
			text := []byte(*c)
			text[place(len(text))] = byte(v)
			*c = string(text)
		}
	}
}

// mustAnswer asks a segment everything.
func mustAnswer(t *testing.T, seg *segment) {
	t.Helper()
	ask := func() error {
		s, err := newSnapshot(t.Context(), Options{}, []*view{newView(seg)}, nil)
		if err != nil {
			return err
		}
		for _, file := range s.Files() {
			if _, err := s.File(file.Path); err != nil {
				return err
			}
			if _, err := s.Lines(file.Path, 1, 50); err != nil {
				return err
			}
			if _, err := s.Related(t.Context(), file.Path, 5); err != nil {
				return err
			}
			if _, err := s.Tests(file.Path); err != nil {
				return err
			}
			if _, err := s.With(t.Context(), []Change{{Gone: true, File: parse.File{Path: file.Path}}}); err != nil {
				return err
			}
		}
		_, err = s.Search(t.Context(), Query{Text: "charge a customer, Gatewy.Refund", Limit: 10})
		return err
	}
	var damaged *DamagedError
	var missing *PathError // a path that is no path any more
	if err := ask(); err != nil && !errors.As(err, &damaged) && !errors.As(err, &missing) {
		t.Fatal(err)
	}
}

// resummed puts the checksum behind a text.
func resummed(text []byte) []byte {
	in := &summing{w: io.Discard, crc: newCRC()}
	_, _ = in.Write(text)
	sum := in.crc.Sum32()
	return append(text, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24))
}

func FuzzManifest(f *testing.F) {
	_, dir := saved(f)
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"crc32c":0,"manifest":{"parts":[{"name":"../x"}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		var damaged *DamagedError
		if err != nil && !errors.As(err, &damaged) {
			t.Fatal(err)
		}
		if err == nil {
			for _, p := range m.all() {
				if strings.ContainsAny(p.Name, `/\`) {
					t.Fatalf("%q leads out of the folder", p.Name)
				}
			}
		}
	})
}

func TestBundle(t *testing.T) {
	s := indexed(t, shop)
	var buf bytes.Buffer
	if err := s.WriteBundle(t.Context(), &buf); err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(&buf)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	lines := make(map[string]int)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for in := bufio.NewScanner(r); in.Scan(); {
			var row map[string]any
			if err := json.Unmarshal(in.Bytes(), &row); err != nil {
				t.Fatalf("%s: %v", h.Name, err)
			}
			lines[h.Name]++
		}
	}
	f := s.Facts()
	want := map[string]int{"manifest.json": 1, "files.jsonl": f.Files, "symbols.jsonl": f.Symbols, "chunks.jsonl": f.Chunks, "graph.jsonl": 10}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

func TestVectors(t *testing.T) {
	s := indexed(t, shop)
	ids := s.Unembedded()
	if len(ids) != s.Facts().Chunks {
		t.Fatalf("%d of %d", len(ids), s.Facts().Chunks)
	}
	var keys []uint64
	var rows [][]float32
	for i, id := range ids {
		row := make([]float32, 70)
		row[i], row[69] = 1, 0.1
		keys, rows = append(keys, id.Key), append(rows, row)
	}
	s, err := s.WithVectors("toy", keys[1:], rows[1:])
	if err != nil {
		t.Fatal(err)
	}
	if left := s.Unembedded(); len(left) != 1 || left[0] != ids[0] {
		t.Errorf("%+v", left)
	}
	dir := t.TempDir()
	if err := s.Save(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), dir, Options{}); err != nil {
		t.Fatal(err)
	}
	if model, dim, n := s.Embedded(); model != "toy" || dim != 70 || n != len(ids)-1 {
		t.Error(model, dim, n)
	}
	for i := 1; i < len(ids); i++ {
		hits, err := s.Search(t.Context(), Query{Vector: rows[i], Limit: 3})
		if err != nil || hits[0].Path != ids[i].Path || hits[0].Start != ids[i].Start || hits[0].Why[0] != "vector" {
			t.Errorf("%+v: %+v, %v", ids[i], hits, err)
		}
	}
	hits, err := s.Search(t.Context(), Query{Text: "Charge", Lexical: true, Symbol: true, Vector: rows[3], Limit: 3})
	if err != nil || len(hits) != 3 || hits[0].Score > 1 {
		t.Errorf("%+v, %v", hits, err)
	}
	for _, bad := range [][][]float32{{nil}, {make([]float32, 3)}, {rows[0], rows[1][:3]}} {
		if _, err := s.WithVectors("other", keys[:len(bad)], bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// IsNotStored reports whether an error of Open says that there is no index in the folder.
func IsNotStored(err error) bool { return errors.Is(err, fs.ErrNotExist) && !isDamaged(err) }
