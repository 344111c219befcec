package calls

import (
	_ "embed" // the names of zones
	"regexp"
	"strings"
	"sync"
)

// zonesFile are the names of time zones in the IANA database that have a place in them, one a line.
//
//go:embed zones.txt
var zonesFile string

// zoneForm is how names of zones are written.
var zoneForm = regexp.MustCompile(`^[A-Z]\w+(?:/[A-Z][\w+-]+){1,2}$`)

// zones are the names of zones by their places.
var zones = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, name := range strings.Fields(zonesFile) {
		m[strings.ToLower(strings.ReplaceAll(name[strings.LastIndexByte(name, '/')+1:], "_", " "))] = name
	}
	return m
})

// zoneOf is the time zone of a place, where the database calls one by it.
func zoneOf(place string) (string, bool) {
	head, _, _ := strings.Cut(place, ", ")
	name, ok := zones()[strings.ToLower(head)]
	return name, ok
}
