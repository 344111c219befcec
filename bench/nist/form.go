package main

import (
	"os"
	"path/filepath"
	"strings"
)

// readNIST reads a file in NIST's own form; false for one of another procedure.
func readNIST(path string) (s set, known bool, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return s, false, err
	}
	s.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	lines := strings.Split(strings.ReplaceAll(string(content), "\r", ""), "\n")
	variance := strings.Contains(string(content), "Procedure:      Analysis of Variance")
	if !variance && !strings.Contains(string(content), "Linear Least Squares Regression") {
		return s, false, nil
	}
	s.Degree = 1
	data := false
	for _, line := range lines {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case data && len(words) >= 2 && variance:
			s.groups, s.Y = append(s.groups, words[0]), append(s.Y, words[1])
		case data && len(words) >= 2:
			s.Y, s.X = append(s.Y, words[0]), append(s.X, words[1:])
		case strings.HasPrefix(line, "Data:") && len(words) == 3 && words[2] != "Factor": // the heading of the rows
			data = true
		default:
			s.certified(words)
		}
	}
	return s, len(s.Y) > 0, nil
}

// certified takes what a line of certified values says.
func (s *set) certified(words []string) {
	last := words[len(words)-1]
	switch first := words[0]; {
	case (first == "Between" || first == "Regression") && len(words) >= 5:
		s.Explained, s.F = words[len(words)-3], last
	case (first == "Within" || first == "Residual") && len(words) >= 4:
		s.Rest = words[len(words)-2]
	case first == "Standard" && len(words) == 3 && words[1] == "Deviation", first == "Residual" && len(words) == 4:
		s.Deviation = last
	case strings.HasSuffix(strings.Join(words[:len(words)-1], " "), "R-Squared"):
		s.RSquared = last
	case strings.HasPrefix(first, "B") && len(words) == 3 && len(first) <= 3:
		s.Coefficients, s.Errors = append(s.Coefficients, words[1]), append(s.Errors, last)
	}
}
