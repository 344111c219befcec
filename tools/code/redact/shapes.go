package redact

import "strings"

// identifierPath reports whether a text is a name of code: a, a.b, a->b without the arrow's rest.
func identifierPath(s string) bool {
	if s == "" || !isLetter(s[0]) && s[0] != '_' {
		return false
	}
	return skip(s, 0, func(c byte) bool { return isWord(c) || c == '.' }) == len(s)
}

// placeholder reports whether a text stands for a value: ${PASSWORD}, <password>, {{ .Password }}, %s, xxxx, or
// nothing.
func placeholder(s string) bool {
	if strings.Trim(s, "*.-_ \t\r\n") == "" || len(s) > 2 && strings.Trim(s, "*.xX-_ \n") == "" {
		return true
	}
	switch s[0] {
	case '$':
		return len(s) > 1 && (isLetter(s[1]) || strings.IndexByte("_{($", s[1]) >= 0)
	case '%':
		return len(s) > 1 && strings.IndexByte("svqdx({", s[1]) >= 0 || len(s) > 2 && s[len(s)-1] == '%'
	case '{':
		return len(s) > 1
	case '<':
		return true
	case '*':
		return strings.HasPrefix(s, hidden)
	}
	lower := strings.ToLower(s)
	return strings.HasPrefix(lower, "your") || strings.HasPrefix(lower, "example") || strings.HasPrefix(s, "...")
}

// reference reports whether a value is no secret in itself: a placeholder, a path, a type.
func reference(s string) bool {
	return placeholder(s) || len(s) < 20 && notValues[strings.ToLower(strings.TrimRight(s, ".:;"))] || strings.HasPrefix(s, "/") && strings.Count(s, "/") > 1 && !strings.ContainsAny(s, "+=") ||
		strings.HasPrefix(s, "./") || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "@{") || strings.HasPrefix(s, "#{") || strings.HasPrefix(s, "!")
}
