package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"catena/planner/retrieval"
)

// encoded is how many dimensions the encoder's vectors have.
const encoded = 384

// vectors learns vectors.bin.
func vectors(args []string) error {
	flags := flag.NewFlagSet("vectors", flag.ExitOnError)
	var s sources
	flags.StringVar(&s.wordnet, "wordnet", "/usr/share/wordnet", "folder of WordNet's data files (Debian's wordnet-base)")
	flags.StringVar(&s.debian, "debian", "", "what apt-cache dumpavail prints: names and one-line descriptions of packages")
	flags.StringVar(&s.apps, "apps", "", "Components-amd64.yml.gz of Debian's release (DEP-11): names and summaries of programs")
	flags.StringVar(&s.manual, "manual", "", "what whatis -l -w '*' prints: names and one-line descriptions of manual pages")
	golang := flags.String("go", "", "folders of Go code, separated by colons: the standard library and modules with a free licence")
	python := flags.String("python", "", "folders of Python code, likewise")
	work := flags.String("work", "", "folder for the texts and what the encoder makes of them; when it has both, they are used again")
	peer := flags.String("peer", "python3", "a Python with the packages that encode.py needs")
	out := flags.String("out", "../planner/retrieval/vectors.bin", "file to write")
	dims := flags.Int("dims", 128, "dimensions, an even number")
	epochs := flags.Int("epochs", 6, "times that each text is looked at")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s.golang, s.python = filepath.SplitList(*golang), filepath.SplitList(*python)
	start := time.Now()
	pieces, texts, rows, err := s.encode(*work, *peer)
	if err != nil {
		return err
	}
	fmt.Println("texts", len(texts), "pieces", len(pieces), time.Since(start))
	low := project(rows, *dims)
	fmt.Println("projected", time.Since(start))
	pieces = append(pieces, "0") // numbers
	m := newStudent(len(pieces), *dims)
	vocabulary := retrieval.NewVocabulary(pieces)
	// The pieces alone are texts too.
	lessons := make([][]int32, len(low))
	for i := range low {
		if i < len(pieces)-1 {
			lessons[i] = []int32{int32(i)}
		} else {
			lessons[i] = vocabulary.Pieces(texts[i-len(pieces)+1])
		}
	}
	m.begin(lessons, low[:len(pieces)-1])
	fmt.Println("mean of one less the cosine", m.imitate(lessons, low, *epochs, 0.01), time.Since(start))
	return m.pack(*out, pieces)
}

// encode gives the pieces, the texts, and the encoder's vectors of the pieces and then of the texts.
func (s sources) encode(work, peer string) (pieces, texts []string, rows [][]float32, err error) {
	if work == "" {
		return nil, nil, nil, fmt.Errorf("say with -work where texts and vectors may be kept")
	}
	textFile, pieceFile, rowFile := filepath.Join(work, "texts.txt"), filepath.Join(work, "pieces.txt"), filepath.Join(work, "rows.f32")
	if _, err := os.Stat(rowFile); err != nil {
		all, err := s.read()
		if err != nil {
			return nil, nil, nil, err
		}
		if err := os.WriteFile(textFile, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
			return nil, nil, nil, err
		}
		run := exec.Command(peer, "retrieval/train/encode.py", textFile, pieceFile, rowFile)
		run.Stdout, run.Stderr = os.Stdout, os.Stderr
		if err := run.Run(); err != nil {
			return nil, nil, nil, fmt.Errorf("the encoder: %w", err)
		}
	}
	if pieces, err = lines(pieceFile); err != nil {
		return nil, nil, nil, err
	}
	if texts, err = lines(textFile); err != nil {
		return nil, nil, nil, err
	}
	rows, err = readRows(rowFile, len(pieces)+len(texts))
	return pieces, texts, rows, err
}

func lines(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), err
}

// readRows reads n vectors.
func readRows(path string, n int) ([][]float32, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) != 4*n*encoded {
		return nil, fmt.Errorf("%s has %d bytes, want %d for %d vectors: remove it to encode again", path, len(data), 4*n*encoded, n)
	}
	out := make([][]float32, n)
	for i := range out {
		row := make([]float32, encoded)
		for d := range row {
			row[d] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*encoded+d):]))
		}
		out[i] = row
	}
	return out, nil
}
