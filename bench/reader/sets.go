package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"catena/bench/answers"
	"catena/bench/sets"
)

// question is a question of any set.
type question struct {
	id, set string // set is the part of the set that is counted apart
	source  string // that is learnt from
	text    string
	files   []string // with its tables
	after   *question
	now     time.Time
	refuse  bool // no answer is in the tables
	golds   []answers.Gold
	percent bool               // percentages count as ratios where they are marked
	must    []string           // texts that the query of a right reading holds, in lower case
	without []string           // a table and the column that is taken out of it
	keep    bool               // for the decision alone, whatever its fold
	judged  map[string]verdict // of queries that were run before
}

// The days on which the sets' questions are asked.
var (
	asOf        = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	asOfRelated = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
)

// tableRecord is a question about one file.
type tableRecord struct {
	ID         string `json:"id"`
	File       string `json:"file"`
	Question   string `json:"question"`
	After      string `json:"after"`
	Category   string `json:"category"`
	Answerable *bool  `json:"answerable"`
	Gold       struct {
		answers.Gold
		Outcome string `json:"outcome"`
	} `json:"gold"`
}

// relatedRecord is a question about the tables of a database.
type relatedRecord struct {
	ID        string         `json:"id"`
	Set       string         `json:"set"`
	Category  string         `json:"category"`
	Tables    []string       `json:"tables"`
	Question  string         `json:"question"`
	Columns   []string       `json:"gold_columns"`
	Rows      [][]any        `json:"gold_rows"`
	Ordered   bool           `json:"ordered"`
	OrderCols []int          `json:"order_cols"`
	Refuse    bool           `json:"must_refuse"`
	Accept    []answers.Gold `json:"accept"`
}

// load reads the questions of a set.
func load(o options, name string) ([]*question, error) {
	var list []*question
	var err error
	switch name {
	case "related":
		list, err = loadRelated(o)
	case "train":
		list, err = loadTables(o, name, o.Path("train", "wtq"), "train.jsonl")
	case "wikisql":
		list, err = loadWiki(o)
	case "sql":
		list, err = loadSQL(context.Background(), o)
	case "own":
		list, err = loadOwn(o)
	case "analyst", "wtq":
		list, err = loadTables(o, name, o.Path(name), o.Split+".jsonl")
	default:
		err = fmt.Errorf("there is no such set")
	}
	if err != nil || o.id == "" {
		return list, err
	}
	var some []*question
	for _, q := range list {
		if strings.Contains(q.id, o.id) || strings.Contains(q.set, o.id) {
			some = append(some, q)
		}
	}
	return some, nil
}

func loadTables(o options, name, dir, file string) ([]*question, error) {
	records, err := sets.Lines[tableRecord](filepath.Join(dir, file), o.Limit)
	if err != nil {
		return nil, err
	}
	byID := map[string]*question{}
	var list []*question
	for _, r := range records {
		q := &question{
			id: r.ID, set: name, text: r.Question, files: []string{filepath.Join(dir, r.File)}, now: asOf, after: byID[r.After],
			golds: append([]answers.Gold{r.Gold.Gold}, r.Gold.Alt...),
		}
		q.refuse = r.Answerable != nil && !*r.Answerable || r.Gold.Outcome == "refuse" || r.Gold.Outcome == "clarify"
		if name == "analyst" {
			q.set = r.Category
		}
		byID[r.ID] = q
		list = append(list, q)
	}
	return list, nil
}

// ownRecord is a question that was written here, about tables that were made for it. The gold is what the SQL gives.
type ownRecord struct {
	ID       string       `json:"id"`
	Files    []string     `json:"files"`
	Question string       `json:"question"`
	SQL      string       `json:"sql"`
	Gold     answers.Gold `json:"gold"`
	Refuse   bool         `json:"refuse"` // the tables do not hold what it asks
	After    string       `json:"after"`  // the question before it, of the same talk
	Keep     bool         `json:"keep"`   // for the decision: no rule and no weight of the ranker was written from it
}

func loadOwn(o options) ([]*question, error) {
	records, err := sets.Lines[ownRecord](filepath.Join(o.own, "questions.jsonl"), o.Limit)
	if err != nil {
		return nil, err
	}
	var list []*question
	byID := map[string]*question{}
	for _, r := range records {
		q := &question{
			id: r.ID, set: "own", text: r.Question, now: asOf,
			keep: r.Keep, refuse: r.Refuse, after: byID[r.After],
		}
		byID[r.ID] = q
		q.golds = append([]answers.Gold{r.Gold}, r.Gold.Alt...)
		if r.Keep {
			q.set = "own, kept"
		}
		for _, f := range r.Files {
			q.files = append(q.files, filepath.Join(o.own, f))
		}
		list = append(list, q)
	}
	return list, nil
}

func loadRelated(o options) ([]*question, error) {
	records, err := sets.Lines[relatedRecord](o.Path("related", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return nil, err
	}
	var list []*question
	for _, r := range records {
		q := &question{id: r.ID, set: r.Set, text: r.Question, now: asOfRelated, refuse: r.Refuse, percent: true}
		if r.Set == "geo" {
			q.set += "/" + r.Category
		}
		for _, f := range r.Tables {
			q.files = append(q.files, o.Path("related", f))
		}
		gold := answers.Gold{Columns: r.Columns, Rows: r.Rows, Ordered: r.Ordered, OrderCols: r.OrderCols}
		q.golds = append([]answers.Gold{gold}, r.Accept...)
		list = append(list, q)
	}
	return list, nil
}

// right reports whether a table answers the question.
func (q *question) right(t answers.Table) bool {
	if q.refuse {
		return false
	}
	if !q.percent {
		t.Percent = nil
	}
	return answers.Right(q.golds, []answers.Table{t}, "")
}
