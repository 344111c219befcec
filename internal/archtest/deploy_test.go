package archtest

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
)

// What the files of deploy/ set must be settings: a name that is none would be passed over in silence on somebody's server.
func TestDeploy(t *testing.T) {
	known := map[string]bool{"CATENA_1": true, "CATENA_2": true, "CATENA_3": true} // of compose and HAProxy themselves
	for _, k := range config.Keys() {
		known[k.Env], known[k.Env+"_FILE"] = true, true
	}
	name := regexp.MustCompile(`CATENA_[A-Z0-9_]+`)
	files := 0
	err := filepath.WalkDir("deploy", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range name.FindAllString(string(b), -1) {
			if !known[found] {
				t.Errorf("%s: %s is no setting", path, found)
			}
		}
		if ext := filepath.Ext(path); ext == ".yaml" && !strings.Contains(filepath.ToSlash(path), "/templates/") {
			var doc map[string]any
			if err := yaml.Unmarshal(b, &doc); err != nil || len(doc) == 0 {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
}

// The settings that the files for replicas give are those that several replicas need.
func TestDeployReplicas(t *testing.T) {
	b, err := os.ReadFile("deploy/compose.replicas.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Environment map[string]string
		}
	}
	if err := yaml.Unmarshal(b, &compose); err != nil {
		t.Fatal(err)
	}
	replicas := 0
	for service, about := range compose.Services {
		if !strings.HasPrefix(service, "catena-") {
			continue
		}
		replicas++
		var env []string
		for k, v := range about.Environment {
			if strings.HasPrefix(v, "${") {
				v = strings.Repeat("k", 32)
			}
			env = append(env, k+"="+v)
		}
		slices.Sort(env)
		cfg, err := config.Load(t.Context(), e2etest.Settings(), "", env, nil)
		if err != nil || cfg.Store.Replicas != 3 || len(cfg.Warnings) > 0 {
			t.Errorf("%s: %d replicas, %v %v", service, cfg.Store.Replicas, cfg.Warnings, err)
		}
	}
	if replicas != 3 {
		t.Errorf("%d replicas", replicas)
	}
	var chart struct{ Replicas int }
	values, err := os.Open("deploy/helm/catena/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer values.Close()
	if err := yaml.NewDecoder(io.LimitReader(values, 1<<20)).Decode(&chart); err != nil || chart.Replicas != 1 {
		t.Errorf("%+v %v", chart, err)
	}
}
