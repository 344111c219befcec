package tools

import (
	"fmt"
	"strings"

	"catena/planner/plan"
)

// OnConflict says what becomes of an upload whose name another table of the session has, with other content.
type OnConflict string

// What can be done about a name that is taken.
const (
	AskConflict OnConflict = "ask"       // nothing is loaded; the error is a *NameTakenError. Also what "" means
	Replace     OnConflict = "replace"   // the new table takes the name; the old one can only be had by its handle
	KeepBoth    OnConflict = "keep_both" // the new table gets a name of its own, which the notes say
)

// Valid reports whether it is one of the choices, or "".
func (o OnConflict) Valid() bool {
	return o == "" || o == AskConflict || o == Replace || o == KeepBoth
}

// Upload is a file that is to become tables of a session. The data are read only.
type Upload struct {
	Session    string
	Name       string // the file's, with its ending
	MediaType  string // a hint; what the bytes hold decides
	Locale     string // BCP 47, of who sends it; "" for none
	OnConflict OnConflict
	Data       []byte
}

// Uploaded says what became of an upload.
type Uploaded struct {
	Tables []string // their names in the session, that of the first table first
	// Handles name them for good, one for each: another upload may take a name, and a list does not show the oldest.
	Handles []string
	Infos   []plan.TableInfo // what is known of each; nil from who knows no facts
	Notes   []string         // what whoever sent it must know, a sentence each: other names, content that was there already
}

// NameTakenError says that the session has other tables of an upload's names; nothing of the upload was loaded. Use errors.As.
type NameTakenError struct {
	File   string
	Tables []string
}

func (e *NameTakenError) Error() string {
	return fmt.Sprintf("the session has another table called %s, with other content than %q", strings.Join(e.Tables, ", "), e.File)
}

// Choices are what can be done about it.
func (e *NameTakenError) Choices() []string { return []string{string(Replace), string(KeepBoth)} }
