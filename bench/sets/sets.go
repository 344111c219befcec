// Package sets reads the public benchmark sets and prints figures: what every bench program that scores a set has in common.
//
// The sets themselves are no part of this repository: each program takes the folder that holds them by -data.
package sets

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Options are the flags that all programs have.
type Options struct {
	Data    string // the folder of the sets
	Split   string // part of the sets: dev, heldout
	Limit   int    // records of each set at most; 0 is all
	Verbose bool   // tell the misses on Errs
	JSON    bool   // end with one line of JSON
	Errs    io.Writer

	name string
}

// Flags declares the common flags on flag.CommandLine for the program of this name. Call Parse after further flags are declared.
func Flags(name, holds string) *Options {
	o := &Options{name: name, Errs: os.Stderr}
	flag.StringVar(&o.Data, "data", "", "folder with "+holds)
	flag.StringVar(&o.Split, "split", "dev", "part of the sets")
	flag.IntVar(&o.Limit, "n", 0, "only the first N records of each set")
	flag.BoolVar(&o.Verbose, "v", false, "tell the misses on standard error")
	flag.BoolVar(&o.JSON, "json", false, "end with one line of JSON")
	return o
}

// Parse parses the command line and ends the program with exit code 2 when -data is missing.
func (o *Options) Parse() {
	flag.Parse()
	if o.Data == "" {
		fmt.Fprintln(o.Errs, o.name+": -data is missing: the folder of the benchmark sets")
		os.Exit(2)
	}
}

// Path is a file or folder of the sets; SPLIT in a name stands for the split.
func (o *Options) Path(parts ...string) string {
	return filepath.Join(o.Data, strings.ReplaceAll(filepath.Join(parts...), "SPLIT", o.Split))
}

// Missf tells one miss where misses are asked for.
func (o *Options) Missf(format string, args ...any) {
	if o.Verbose {
		fmt.Fprintf(o.Errs, format+"\n", args...)
	}
}

// End ends the program: with the figures as a line of JSON where that was asked for, or with what went wrong and exit code 1.
func (o *Options) End(figures any, err error) {
	if err == nil && o.JSON {
		err = json.NewEncoder(os.Stdout).Encode(figures)
	}
	if err != nil {
		fmt.Fprintln(o.Errs, o.name+":", err)
		os.Exit(1)
	}
}

// Lines reads a file of JSON lines, limit records at most; 0 is all.
func Lines[T any](path string, limit int) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []T
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() && (limit <= 0 || len(out) < limit) {
		var rec T
		if err := json.Unmarshal(in.Bytes(), &rec); err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", path, len(out)+1, err)
		}
		out = append(out, rec)
	}
	return out, in.Err()
}
