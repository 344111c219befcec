package code

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// studio imports what is not in it, in three languages.
var studio = map[string]string{
	"go.mod":           "module example.com/studio\n\ngo 1.24\n\nrequire github.com/gin-gonic/gin v1.10.0\n",
	"api/routes.go":    "package api\n\nimport (\n\t\"net/http\"\n\n\t\"github.com/gin-gonic/gin\"\n)\n\n// Mount serves.\nfunc Mount(e *gin.Engine) { _ = http.MethodGet }\n",
	"api/names.go":     "package api\n\nconst prefix = \"/v1\"\n",
	"api/api_test.go":  "package api\n\nimport \"testing\"\n\nfunc TestMount(t *testing.T) { Mount(nil) }\n",
	"bind/bind.go":     "package bind\n\nimport \"github.com/gin-gonic/gin/binding\"\n\nvar JSON = binding.JSON\n",
	"main.go":          "package main\n\nimport \"example.com/studio/api\"\n\nfunc main() { api.Mount(nil) }\n",
	"turn/engine.go":   "package turn\n\n// Engine runs.\ntype Engine struct{}\n\n// Turn does one step.\nfunc (e *Engine) Turn(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn e.Turn(n - 1)\n}\n\n// Settle ends.\nfunc Settle(e *Engine) int { return e.Turn(1) + e.Turn(2) }\n",
	"turn/loop.go":     "package turn\n\nfunc loop(e *Engine) {\n\tfor e.Turn(1) > 0 {\n\t}\n}\n",
	"ui/app.tsx":       "import React, { useState } from 'react';\nimport { part } from './part';\nexport function App() { return part(useState(1)); }\n",
	"ui/part.ts":       "import { jsx } from 'react/jsx-runtime';\nexport function part(x: unknown) { return jsx('p', {}); }\n",
	"science/model.py": "import os\nimport numpy as np\nfrom numpy.linalg import norm\n\ndef fit(x):\n    return norm(np.array(x))\n",
	"science/run.py":   "from science.model import fit\n\nprint(fit([1]))\n",
}

// get_dependents takes what people say, and tells what it was taken for.
func TestDependentsOfWhatPeopleSay(t *testing.T) {
	k := cook(t, studio)
	k.index()
	for _, c := range []struct {
		asked, kind, name string
		want              []string // path, depth, line, function
		note              string
	}{
		{"Engine.Turn", aSymbol, "Engine.Turn", []string{"turn/engine.go 1 15 Settle", "turn/loop.go 1 4 loop"}, "taken for the method Engine.Turn, declared at turn/engine.go:7"},
		{"(*Engine).Turn", aSymbol, "Engine.Turn", []string{"turn/engine.go 1 15 Settle", "turn/loop.go 1 4 loop"}, "the method Engine.Turn"},
		{"the function mount", aSymbol, "Mount", []string{"api/api_test.go 1 5 TestMount", "main.go 1 5 main"}, "the function Mount"},
		{"Mount()", aSymbol, "Mount", []string{"api/api_test.go 1 5 TestMount", "main.go 1 5 main"}, "the function Mount"},
		{"Settle", aSymbol, "Settle", nil, "the function Settle"},
		{"gin", anImport, "gin", []string{"api/routes.go 1 6 ", "bind/bind.go 1 3 ", "api/names.go 1 0 ", "main.go 2 3 "}, "2 imports: github.com/gin-gonic/gin, github.com/gin-gonic/gin/binding"},
		{"github.com/gin-gonic/gin/binding", anImport, "github.com/gin-gonic/gin/binding", []string{"bind/bind.go 1 3 "}, "the import github.com/gin-gonic/gin/binding"},
		{"the react library", anImport, "react", []string{"ui/app.tsx 1 1 ", "ui/part.ts 1 1 "}, "2 imports: react, react/jsx-runtime"},
		{"numpy", anImport, "numpy", []string{"science/model.py 1 2 ", "science/run.py 2 1 "}, "2 imports: numpy, numpy.linalg"},
		{"net/http", anImport, "net/http", []string{"api/routes.go 1 4 ", "api/names.go 1 0 ", "main.go 2 3 "}, "the import net/http"},
		{"the api package", aFolder, "api", []string{"main.go 1 3 "}, "the folder api/"},
		{"api module", aFolder, "api", []string{"main.go 1 3 "}, "the folder api/"},
		{"part.ts", aFile, "ui/part.ts", []string{"ui/app.tsx 1 2 "}, "the only file with that end"},
	} {
		t.Run(c.asked, func(t *testing.T) {
			k := k
			k.t = t
			res := k.call("get_dependents", `{"filepath":"`+c.asked+`"}`)
			if res.IsError {
				t.Fatal(res.Text)
			}
			var got []string
			for _, r := range structured(t, res)["results"].([]any) {
				row := r.(map[string]any)
				within, _ := row["function"].(string)
				got = append(got, strings.Join([]string{row["path"].(string), number0(row["depth"]), number0(row["line"]), within}, " "))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if out := structured(t, res); out["kind"] != c.kind || out["filepath"] != c.name {
				t.Errorf("%v %v", out["kind"], out["filepath"])
			}
			if !strings.Contains(strings.Join(res.Notes, " "), c.note) {
				t.Errorf("notes %q", res.Notes)
			}
		})
	}
	res := k.call("get_dependents", `{"filepath":"satellite"}`)
	if told(t, res, "get_dependents", CodeFileUnknown); !strings.Contains(res.Text, "nothing imports it") {
		t.Error(res.Text)
	}
	if got := k.call("get_dependents", `{"filepath":"gin"}`).Text; got != "4 files depend on `gin`: 2 import it themselves, 1 only through their package, 1 through others. None is a test. The risk of a change is low." {
		t.Error(got)
	}
	if got := k.call("get_dependents", `{"filepath":"Engine.Turn"}`); got.Text != "2 files use `Engine.Turn`, on 2 lines. None is a test. The risk of a change is medium." || !slices.Contains(got.Hide, "depth") {
		t.Error(got.Text)
	}
}

// number0 is a number of a JSON object; "0" when it is not there.
func number0(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.Itoa(int(f))
	}
	return "0"
}
