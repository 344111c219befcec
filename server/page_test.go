package server

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"catena/server/servertest"
	"catena/web"
)

// TestPageIsKept: the page names its files under a version, where they may be kept for good; what a
// browser has is not sent again; gzip is for who takes it.
func TestPageIsKept(t *testing.T) {
	_, h, _ := newTest(t)
	get := func(path string, header ...string) (int, http.Header, string) {
		t.Helper()
		return servertest.Ask(t, "GET", h.URL+path, "", header...)
	}
	_, header, page := get("/", "Accept", "text/html")
	if header.Get("Cache-Control") != "no-cache" {
		t.Errorf("the page: %q", header.Get("Cache-Control"))
	}
	named := regexp.MustCompile(`"(/assets/[0-9a-f]{16}/[a-z.]+)"`).FindAllStringSubmatch(page, -1)
	if len(named) < 3 || strings.Contains(page, `"/static/`) {
		t.Fatalf("the page names %v", named)
	}
	for _, m := range named {
		status, header, _ := get(m[1])
		kept := strings.Contains(header.Get("Cache-Control"), "immutable")
		if status != 200 || !kept || header.Get("Content-Security-Policy") != web.Policy {
			t.Errorf("%s: %d %v", m[1], status, header)
		}
	}
	status, header, _ := get("/assets/0123456789abcdef/app.js") // of another version of the program
	if status != 200 || header.Get("Cache-Control") != "no-cache" {
		t.Errorf("%d %v", status, header)
	}
	if status, _, _ := get("/assets/0123456789abcdef/none.js"); status != 404 {
		t.Errorf("a file that is not there: %d", status)
	}
	for coding, want := range map[string]string{"gzip": "gzip", "br, gzip;q=0.5": "gzip", "gzip;q=0": "",
		"identity": "", "gzip;q=0.0, br": ""} {
		if _, header, _ := get("/static/app.js", "Accept-Encoding", coding); header.Get("Content-Encoding") != want {
			t.Errorf("%s: %q", coding, header.Get("Content-Encoding"))
		}
	}
	_, header, _ = get("/static/app.js")
	tag := header.Get("ETag")
	for given, want := range map[string]int{tag: 304, `"x", W/` + tag: 304, "*": 304, `"x"`: 200} {
		status, _, body := get("/static/app.js", "If-None-Match", given)
		if status != want || (want == 304) != (body == "") {
			t.Errorf("If-None-Match %s: %d with %d bytes", given, status, len(body))
		}
	}
}

// TestFirstView: what the page loads before it takes a question is the page, one style sheet, one module and its picture.
func TestFirstView(t *testing.T) {
	p, err := loadPage(web.Files())
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`"/assets/`+p.version+`/([^"]+)"`).FindAllStringSubmatch(string(p.files[indexPage].body), -1)
	seen := map[string]bool{}
	for _, m := range named {
		seen[m[1]] = true
		if _, is := p.versions[m[1]]; !is {
			t.Errorf("there is no %s", m[1])
		}
	}
	if len(seen) != 3 || !seen["style.css"] || !seen[entryModule] || !seen["icon.svg"] {
		t.Errorf("the page names %v", seen)
	}
	if css := string(p.versions["style.css"].body); !strings.Contains(css, ".table thead") {
		t.Error("the style sheet has none of the tables")
	}
}

// TestOutdated: a page of another version of the program gets none of this one's modules, which do not fit; what it
// begins with has it load anew, once.
func TestOutdated(t *testing.T) {
	_, h, _ := newTest(t)
	const other = "/assets/0123456789abcdef/"
	for name, want := range map[string]int{"conversation.js": 404, "tools.js": 404, "app.js": 200, "style.css": 200} {
		status, header, body := servertest.Ask(t, "GET", h.URL+other+name, "")
		if status != want || strings.Contains(header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", name, status, header)
		}
		if name == "app.js" && (!strings.Contains(body, "location.reload()") || strings.Contains(body, "import")) {
			t.Errorf("an outdated page begins with %.200s", body)
		}
	}
}

// TestFirstVisit: all of the page's files together are at most 120 KB over the wire.
func TestFirstVisit(t *testing.T) {
	_, h, _ := newTest(t)
	sum := 0
	entries, err := fs.ReadDir(web.Files(), ".")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{""}
	for _, e := range entries {
		files = append(files, e.Name())
	}
	for _, name := range files {
		path := "/static/" + name
		if name == "" {
			path = "/"
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "gzip")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v", path, res.StatusCode, err)
		}
		sum += len(body)
		if res.Header.Get("Content-Encoding") == "gzip" {
			if _, err := gzip.NewReader(strings.NewReader(string(body))); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if sum > 120_000 {
		t.Errorf("%d bytes", sum)
	}
	t.Logf("%d bytes", sum)
}
