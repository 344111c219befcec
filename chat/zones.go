package chat

import (
	_ "embed"
	"strings"
)

// zoneList are the names of the IANA database that Go comes with, in order: zones_test.go holds it against that.
//
//go:embed zones.txt
var zoneList string

// zones are the time zones that a request may name; "" is UTC.
func zones() []string { return append([]string{""}, strings.Fields(zoneList)...) }
