package server

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// allowFile corrects the Allow header of a path that is a file by its ending: files are only read, though the router has one pattern for
// them and for what they are made of.
func (s *Core) allowFile(c *gin.Context, routes []Route) {
	ending := path.Ext(c.Request.URL.Path)
	for _, r := range routes {
		if slices.Contains(r.Formats, ending) && matches(r.Path, c.Request.URL.Path) {
			c.Header("Allow", strings.Join([]string{http.MethodGet, http.MethodHead}, ", "))
			return
		}
	}
}

// matches reports whether a path fits the pattern of a route.
func matches(pattern, name string) bool {
	parts, given := strings.Split(pattern, "/"), strings.Split(name, "/")
	if len(parts) != len(given) {
		return false
	}
	for i, part := range parts {
		if part != given[i] && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return true
}
