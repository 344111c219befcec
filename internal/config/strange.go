package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// The prefix CATENA_ is this program's own. A variable that has it and is no setting is misspelled, or of another
// version, and what it was to change would silently stay as it is: that is an error. Two kinds are not: variables that
// the settings refer to, and those that container platforms invent for a service that is called catena.

// references are the names of variables that texts refer to, as ${NAME}.
type references map[string]bool

// in adds the names in some texts, also in what is switched off there or is a comment.
func (r references) in(texts ...string) {
	for _, s := range texts {
		for _, m := range variable.FindAllStringSubmatch(s, -1) {
			r[m[1]] = true
		}
	}
}

// check is an error for each of the variables that nothing refers to.
func (r references) check(strange []string) error {
	var errs []error
	var settings []string
	for _, name := range strange {
		if r[name] {
			continue
		}
		if settings == nil {
			for _, k := range Keys() {
				settings = append(settings, k.Env)
			}
			slices.Sort(settings)
		}
		errs = append(errs, fmt.Errorf("config: the environment variable %s is no setting%s; unset it, or refer to it as ${%s} in the "+
			"settings file", name, didYouMean(name, settings), name))
	}
	return errors.Join(errs...)
}

// inventions are the variables by which Kubernetes, and Docker's links before it, tell each container of the services
// around it: CATENA_SERVICE_HOST and CATENA_PORT of one called catena, CATENA_WEB_SERVICE_HOST of catena-web. Their
// values tell them from settings that are misspelled: nobody writes CATENA_PORT=tcp://10.0.0.1:8765.
var inventions = []struct{ name, value *regexp.Regexp }{
	{regexp.MustCompile(`^CATENA_(\w+_)?SERVICE_HOST$`), regexp.MustCompile(`^[0-9A-Fa-f.:]+$`)},
	{regexp.MustCompile(`^CATENA_(\w+_)?SERVICE_PORT(_\w+)?$`), regexp.MustCompile(`^[0-9]+$`)},
	{regexp.MustCompile(`^CATENA_(\w+_)?PORT(_[0-9]+_(TCP|UDP|SCTP))?$`), regexp.MustCompile(`^(tcp|udp|sctp)://`)},
	{regexp.MustCompile(`^CATENA_(\w+_)?PORT_[0-9]+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$`), regexp.MustCompile(`.`)},
}

// invented reports whether a platform makes such a variable.
func invented(name, value string) bool {
	return slices.ContainsFunc(inventions, func(i struct{ name, value *regexp.Regexp }) bool {
		return i.name.MatchString(name) && i.value.MatchString(value)
	})
}
