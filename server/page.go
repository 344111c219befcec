package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/web"
)

// pageFile is a file of the page as it is sent.
type pageFile struct {
	body   []byte
	packed []byte // by gzip; nil where that is no shorter
	tag    string // its ETag
}

// pageFiles are the files of the page by name, read once: they are part of the program.
type pageFiles struct {
	files    map[string]pageFile // as they are written
	versions map[string]pageFile // as they are sent fastest: what the page itself names
	version  string              // changes with any of the files; the path that they may be kept under for good
}

// indexPage is the page itself; it names the others.
const indexPage = "index.html"

// entryModule is the module that the page begins with.
const entryModule = "app.js"

// outdated is what a page of another version of the program gets in the place of its first module: modules of two
// versions do not fit together. Where the next page is of another version again, as while replicas are replaced, it
// does not go on for ever.
var outdated = fileOf([]byte(`const last = Number(sessionStorage.getItem("catena-reloaded"));
if (Date.now() - last > 10000) {
  sessionStorage.setItem("catena-reloaded", Date.now());
  location.reload();
}
`))

// loadPage reads all files. The page is made to name the others under their version, so that a browser keeps them.
func loadPage(from fs.FS) (*pageFiles, error) {
	p := &pageFiles{files: map[string]pageFile{}, versions: map[string]pageFile{}}
	all := sha256.New()
	bodies := map[string][]byte{}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(from, name)
		bodies[name] = body
		_, _ = all.Write(append([]byte(name+"\x00"), body...)) // a hash does not fail
		return err
	})
	if err != nil {
		return nil, err
	}
	p.version = hex.EncodeToString(all.Sum(nil)[:8])
	bundled, err := web.Bundle(bodies)
	if err != nil {
		return nil, err
	}
	for name, body := range bodies {
		p.files[name] = fileOf(body)
	}
	for name, body := range bundled {
		p.versions[name] = fileOf(body)
	}
	page := bytes.ReplaceAll(bundled[indexPage], []byte(`"/static/`), []byte(`"/assets/`+p.version+`/`))
	p.files[indexPage] = fileOf(page)
	return p, nil
}

// fileOf is a body as it is sent.
func fileOf(body []byte) pageFile {
	sum := sha256.Sum256(body)
	f := pageFile{body: body, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
	if packed := packed(body); len(packed) < len(body) {
		f.packed = packed
	}
	return f
}

// named is a file by the version and the name that a path has; version is "" where it has none. Modules of another
// version than the present are none of its own.
func (p *pageFiles) named(version, name string) (pageFile, bool) {
	name = path.Clean(name)
	switch file, is := p.versions[name]; {
	case version == "":
		file, is = p.files[name]
		return file, is
	case version == p.version || path.Ext(name) != ".js":
		return file, is
	}
	return outdated, name == entryModule
}

// packed is a body by gzip.
func packed(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is a good one
	_, _ = w.Write(body)                                  // to memory
	_ = w.Close()
	return b.Bytes()
}

// sendPage sends the page itself, of which a browser asks each time whether it is still the same.
func (s *Core) sendPage(c *gin.Context) { s.sendStatic(c, "", indexPage) }

func (s *Core) getStatic(c *gin.Context) { s.sendStatic(c, "", c.Param("file")) }

// getVersioned sends a file under a version. Only under the present one a browser may keep it for good.
func (s *Core) getVersioned(c *gin.Context) { s.sendStatic(c, c.Param("version"), c.Param("file")) }

// sendStatic sends one file of the page; version is the one that its path names, or "".
func (s *Core) sendStatic(c *gin.Context, version, name string) {
	pages, err := s.page()
	if err != nil {
		s.Fail(c, err)
		return
	}
	file, ok := pages.named(version, name)
	if !ok {
		s.Fail(c, NewProblem(http.StatusNotFound, "not_found", "The page has no such file.", ""))
		return
	}
	h := c.Writer.Header()
	h.Set("ETag", file.tag)
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if version == pages.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if namesTag(c.GetHeader("If-None-Match"), file.tag) {
		c.Status(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("Content-Security-Policy", web.Policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	body := file.body
	if file.packed != nil && takesGzip(c.GetHeader("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = file.packed
	}
	_, _ = c.Writer.Write(body)
}

// namesTag reports whether If-None-Match names a tag, so that what a browser has is still good.
func namesTag(header, tag string) bool {
	for given := range strings.SplitSeq(header, ",") {
		given = strings.TrimPrefix(strings.TrimSpace(given), "W/")
		if given == tag || given == "*" {
			return true
		}
	}
	return false
}

// takesGzip reports whether Accept-Encoding names gzip, and not to refuse it.
func takesGzip(header string) bool {
	for coding := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
