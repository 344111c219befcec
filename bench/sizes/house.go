package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"catena/internal/archtest/sizetest"
)

// kind is what a file of Go is for.
type kind int

const (
	product kind = iota
	test
	bench
)

// lines counts those of files.
type lines struct{ code, comments int }

// room is a folder with product code.
type room struct {
	files int
	lines lines
}

// house is all that was counted.
type house struct {
	lines  [3]lines // by kind
	rooms  map[string]*room
	atRoot int
	counts map[string]int
	over   []string // what is too large, and how large it is
}

// measure counts what stands below a folder.
func measure(root string) (*house, error) {
	h := &house{rooms: map[string]*room{apart: {}}, counts: map[string]int{}}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && rel != "." && foreign(d.Name()):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !strings.Contains(rel, "/") && d.Name()[0] != '.':
			h.atRoot++
		}
		if path.Ext(rel) != ".go" {
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return h.file(rel, source)
	})
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(h.rooms)) {
		r := h.rooms[name]
		h.limit("folders", name, r.files, mostInFolder)
		h.limit("packages", name, r.lines.code, mostInPackage)
	}
	return h, nil
}

// foreign reports whether a folder of a name holds nothing of the house.
func foreign(name string) bool {
	return name == "testdata" || name == "node_modules" || name[0] == '.'
}

// kindOf tells what the file at a path is for.
func kindOf(name string) kind {
	switch {
	case strings.HasPrefix(name, "bench/"):
		return bench
	case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(path.Dir(name), "test"):
		return test
	}
	return product
}

func (h *house) file(name string, source []byte) error {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, source, parser.ParseComments)
	if err != nil {
		return err
	}
	if ast.IsGenerated(tree) {
		return nil
	}
	counted, k := count(source), kindOf(name)
	h.lines[k].code += counted.code
	h.lines[k].comments += counted.comments
	if k != product {
		return nil
	}
	in := path.Dir(name)
	r := h.rooms[in]
	if r == nil {
		r = &room{}
		h.rooms[in] = r
	}
	r.files++
	r.lines.code += counted.code
	r.lines.comments += counted.comments
	h.limit("files", name, strings.Count(string(source), "\n"), mostInFile)
	for _, e := range sizetest.Excesses(fset, tree, source) {
		h.counts[string(e.Limit)]++
		h.over = append(h.over, fmt.Sprintf("%s\t%s:%d %s\t%d", e.Limit, name, e.Line, e.Name, e.Size))
	}
	return nil
}

// limit notes what is larger than it may be.
func (h *house) limit(what, name string, size, most int) {
	if size > most {
		h.counts[what]++
		h.over = append(h.over, fmt.Sprintf("%s\t%s\t%d", what, name, size))
	}
}

// largest names the folder with the most files and the package with the most code.
func (h *house) largest() (files, code string) {
	var mostFiles, mostCode int
	for _, name := range slices.Sorted(maps.Keys(h.rooms)) {
		r := h.rooms[name]
		if name == apart {
			continue
		}
		if r.files > mostFiles {
			mostFiles, files = r.files, fmt.Sprintf("%d files, %s", r.files, name)
		}
		if r.lines.code > mostCode {
			mostCode, code = r.lines.code, fmt.Sprintf("%d lines, %s", r.lines.code, name)
		}
	}
	return files, code
}

// count counts the lines of a file that hold code, and those that hold a comment and nothing else.
func count(source []byte) lines {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	code, comments := map[int]bool{}, map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // put in by the scanner
		}
		first := file.Line(pos)
		for line := first; line <= first+strings.Count(text, "\n"); line++ {
			if tok == token.COMMENT {
				comments[line] = true
			} else {
				code[line] = true
			}
		}
	}
	maps.DeleteFunc(comments, func(line int, _ bool) bool { return code[line] })
	return lines{code: len(code), comments: len(comments)}
}
