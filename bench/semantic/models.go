package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"go.yaml.in/yaml/v3"

	"catena/bench/sets"
	"catena/query/semantic"
)

// models are the figures of model files.
type models struct {
	Files  int `json:"files"`
	Read   int `json:"read"`   // as a model
	Stable int `json:"stable"` // written, read and written again: the same bytes, and nothing is lost
	Sound  int `json:"sound"`  // nothing is wrong with it by itself
}

// documents reads the model files of a folder, writes them, and does so again.
func documents(o *sets.Options, folder string, f *models) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.y*ml"))
	if err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f.Files++
		d, notes, err := semantic.Read(text)
		if err != nil {
			o.Missf("%s: not read: %v", filepath.Base(name), err)
			continue
		}
		f.Read++
		for _, n := range notes {
			o.Missf("%s: %s", filepath.Base(name), n)
		}
		if stable(o, filepath.Base(name), text, d, len(notes) == 0) {
			f.Stable++
		}
		found := d.Check(nil)
		if len(found) == 0 {
			f.Sound++
		}
		for _, x := range found {
			o.Missf("%s: %s", filepath.Base(name), x)
		}
	}
	fmt.Printf("model files: %d, read %d, stable %d, sound %d\n", f.Files, f.Read, f.Stable, f.Sound)
	return nil
}

// stable compares the file that is written with the one that is written of it, and what both and the original say.
func stable(o *sets.Options, name string, text []byte, d *semantic.Document, whole bool) bool {
	once, err := d.Write()
	if err != nil {
		o.Missf("%s: not written: %v", name, err)
		return false
	}
	again, _, err := semantic.Read(once)
	if err != nil {
		o.Missf("%s: what was written is not read: %v", name, err)
		return false
	}
	twice, err := again.Write()
	if err != nil || !bytes.Equal(once, twice) {
		o.Missf("%s: not stable: %v", name, err)
		return false
	}
	var was, is map[string]any
	if yaml.Unmarshal(text, &was) != nil || yaml.Unmarshal(once, &is) != nil {
		return false
	}
	if _, ours := was["semantic_model"]; ours && whole && !reflect.DeepEqual(was, is) {
		o.Missf("%s: something is lost", name)
		return false
	}
	return true
}
