// Command csvload measures how well the loader reads dirty files without being told anything about them.
//
//	go -C bench run ./csvload -data DIR [-split dev] [-only TEXT] [-keep DIR] [-v] [-json]
//
// DIR holds pollock, pollock_survey, dirtycsv and loaders. What is scored is the first table of each file as
// csv.ReadCells gives it: names and cells as text, before columns have types. The score is that of the Pollock
// benchmark; -keep writes what was loaded as NAME_converted.csv, so that the benchmark's own scorer can be run on the
// same files.
//
// The sets disagree in places; one loader cannot satisfy all. Where a file has no header, Pollock expects none and the survey expects made-up
// names (col_0, col_1 ...), so the survey's tables get these before they are scored; survey_plain is the score without that.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

// figures are what the last line reports; the names are fixed.
type figures struct {
	PollockWeighted float64 `json:"pollock_weighted"`
	PollockSimple   float64 `json:"pollock_simple"`
	PollockPerfect  int     `json:"pollock_perfect"`
	PollockFiles    int     `json:"pollock_files"`
	Survey          float64 `json:"survey"`
	SurveyPlain     float64 `json:"survey_plain"`
	SurveyPerfect   int     `json:"survey_perfect"`
	SurveyFiles     int     `json:"survey_files"`
	DirtySimple     float64 `json:"dirtycsv_simple"`
	DirtyPerfect    int     `json:"dirtycsv_perfect"`
	DirtyFiles      int     `json:"dirtycsv_files"`
	JSONRight       int     `json:"json_right"`
	JSONTotal       int     `json:"json_total"`
	SpectrumRight   int     `json:"spectrum_right"`
	SpectrumTotal   int     `json:"spectrum_total"`
	HorrorRead      int     `json:"horror_read"`
	HorrorTotal     int     `json:"horror_total"`
	SlowestMS       float64 `json:"slowest_ms"`
}

type options struct {
	data, split, only, keep string
	verbose                 bool
	errs                    io.Writer
}

func main() {
	o := options{errs: os.Stderr}
	flag.StringVar(&o.data, "data", "", "folder with pollock, pollock_survey, dirtycsv and loaders")
	flag.StringVar(&o.split, "split", "dev", "part of the sets")
	flag.StringVar(&o.only, "only", "", "only files whose name holds this text")
	flag.StringVar(&o.keep, "keep", "", "folder to write what was loaded to")
	flag.BoolVar(&o.verbose, "v", false, "tell the misses on stderr")
	asJSON := flag.Bool("json", false, "end with one line of JSON")
	flag.Parse()
	if o.data == "" {
		fmt.Fprintln(os.Stderr, "csvload: -data is missing")
		os.Exit(2)
	}
	f, err := measure(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "csvload:", err)
		os.Exit(1)
	}
	fmt.Printf("pollock   simple %.4f weighted %.4f perfect %d of %d\n", f.PollockSimple, f.PollockWeighted, f.PollockPerfect, f.PollockFiles)
	fmt.Printf("survey    simple %.4f (%.4f without made-up names) perfect %d of %d\n", f.Survey, f.SurveyPlain, f.SurveyPerfect, f.SurveyFiles)
	fmt.Printf("dirtycsv  simple %.4f perfect %d of %d\n", f.DirtySimple, f.DirtyPerfect, f.DirtyFiles)
	fmt.Printf("loaders   JSON %d of %d, csv-spectrum %d of %d, horror files %d of %d\n",
		f.JSONRight, f.JSONTotal, f.SpectrumRight, f.SpectrumTotal, f.HorrorRead, f.HorrorTotal)
	fmt.Printf("slowest file %.1f ms\n", f.SlowestMS)
	if *asJSON {
		if err := json.NewEncoder(os.Stdout).Encode(f); err != nil {
			fmt.Fprintln(os.Stderr, "csvload:", err)
			os.Exit(1)
		}
	}
}

func measure(o options) (figures, error) {
	var f figures
	pollock, err := set{folder: "pollock", weights: "pollock_weights.json"}.run(o)
	if err != nil {
		return f, err
	}
	survey, err := set{folder: "pollock_survey", weights: "SPLIT_weights.json", named: true}.run(o)
	if err != nil {
		return f, err
	}
	quiet := o
	quiet.verbose, quiet.keep = false, ""
	plain, err := set{folder: "pollock_survey", weights: "SPLIT_weights.json"}.run(quiet)
	if err != nil {
		return f, err
	}
	dirty, err := set{folder: "dirtycsv", weights: "SPLIT_weights.json"}.run(o)
	if err != nil {
		return f, err
	}
	f.PollockSimple, f.PollockWeighted, f.PollockPerfect, f.PollockFiles = pollock.simple, pollock.weighted, pollock.perfect, pollock.files
	f.Survey, f.SurveyPlain, f.SurveyPerfect, f.SurveyFiles = survey.simple, plain.simple, survey.perfect, survey.files
	f.DirtySimple, f.DirtyPerfect, f.DirtyFiles = dirty.simple, dirty.perfect, dirty.files
	f.SlowestMS = float64(max(pollock.slowest, survey.slowest, dirty.slowest).Microseconds()) / 1000
	return f, loaders(o, &f)
}
