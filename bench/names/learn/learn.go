// Package learn counts what a model of column names is made of, from names with their expansions.
package learn

import (
	"strings"

	"catena/profiler/names"
)

// Example is a column's name with what it stands for.
type Example struct {
	Table, Title, Name, Gold string
	Domain                   int
	Weight                   float32 // how often it counts
}

// Counts are the counts of examples.
func Counts(examples []Example) *names.Counts {
	c := names.NewCounts()
	c.Channel = Channel(examples)
	aligner := names.NewAligner(&c.Channel)
	for _, x := range examples {
		gold := names.Norm(x.Gold)
		words := strings.Fields(gold)
		if len(words) == 0 || gold == "nan" {
			continue
		}
		c.AddExpansion(words, x.Weight)
		c.AddWhole(x.Name, gold, x.Weight)
		aligned, ok := aligner.Align(x.Name, words)
		if !ok {
			continue
		}
		addPieces(c, aligned, x.Weight)
	}
	return c
}

// addPieces counts the pieces of one name, and each token that stands for several words.
func addPieces(c *names.Counts, aligned []names.Aligned, weight float32) {
	for i, a := range aligned {
		if a.Piece == "" {
			c.Skips[a.Word] += weight
			continue
		}
		c.AddPiece(a.Piece, a.Word, weight)
		if a.Whole {
			continue
		}
		piece, words := a.Piece, []string{a.Word}
		for _, b := range aligned[i+1:] {
			piece += b.Piece
			words = append(words, b.Word)
			if len(words) > 5 {
				break
			}
			if len(piece) <= 6 && b.Piece != "" {
				c.AddPiece(piece, strings.Join(words, " "), weight/2)
			}
		}
	}
}

// Channel learns how words are shortened: pieces are found by the channel so far, and the channel is learnt from the pieces.
func Channel(examples []Example) names.Channel {
	ch := names.FirstChannel()
	for range 3 {
		var counts names.ChannelCounts
		seen := map[string]bool{}
		aligner := names.NewAligner(&ch)
		for _, x := range examples {
			words := strings.Fields(names.Norm(x.Gold))
			aligned, ok := aligner.Align(x.Name, words)
			if !ok {
				continue
			}
			for _, a := range aligned {
				if k := a.Piece + " " + a.Word; a.Piece != "" && !seen[k] {
					seen[k] = true
					counts.Add(aligner, a.Piece, a.Word, 1)
				}
			}
		}
		first := names.FirstChannel()
		ch = counts.Channel(&first)
	}
	return ch
}
