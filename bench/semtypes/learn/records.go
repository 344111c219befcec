// Package learn trains the models that package profiler/model embeds, and reads the sets that they are trained on.
package learn

import "catena/bench/sets"

// Column is a record of SortingHat.
type Column struct {
	ID       string   `json:"id"`
	File     string   `json:"file_id"`
	Name     string   `json:"name"`
	Samples  []string `json:"samples"`
	Total    float64  `json:"total"`
	Nulls    float64  `json:"nulls"`
	Distinct float64  `json:"distinct"`
	Mean     float64  `json:"mean"`
	Std      float64  `json:"std"`
	Min      float64  `json:"min"`
	Max      float64  `json:"max"`
	Label    string   `json:"label"`
}

// Columns reads the records of a file, limit at most; 0 is all.
func Columns(path string, limit int) ([]Column, error) { return sets.Lines[Column](path, limit) }
