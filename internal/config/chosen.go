package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
)

// Chosen is the model that an administrator chose while the program ran. It fills in what the settings leave open.
type Chosen struct {
	Provider string
	BaseURL  string
	Model    string
	APIKey   Secret
}

// chosenFile is Chosen as its file has it: the one place outside of a request where the key is written out. It has the
// form of a settings file, so that whatever looks for such files with secrets (Holds) knows it.
type chosenFile struct {
	LLM struct {
		Provider string `json:"provider"`
		BaseURL  string `json:"base_url"`
		Model    string `json:"model"`
		APIKey   string `json:"api_key"`
	} `json:"llm"`
}

// Literal makes a secret of a value that is taken as it is: neither a file nor a variable is looked up by it.
func Literal(value string) Secret { return Secret{value: value, apart: true} }

// ReadChosen reads what Write has written; fs.ErrNotExist is wrapped where nothing was. Errors show nothing of what is
// in the file.
func ReadChosen(name string) (c Chosen, err error) {
	data, err := ReadRegular(name, maxFile)
	if err != nil {
		return c, fmt.Errorf("config: %w", err)
	}
	var f chosenFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if d.Decode(&f) != nil {
		return c, fmt.Errorf("config: %s is not what was written there", name)
	}
	return Chosen{f.LLM.Provider, f.LLM.BaseURL, f.LLM.Model, Literal(f.LLM.APIKey)}, nil
}

// Write puts the choice, with its key, into a file that only this user can read, in one step: the file has the choice
// from before or this one, whatever happens.
func (c Chosen) Write(name string) (err error) {
	var f chosenFile
	f.LLM.Provider, f.LLM.BaseURL, f.LLM.Model, f.LLM.APIKey = c.Provider, c.BaseURL, c.Model, c.APIKey.value
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(next.Name()))
		}
	}()
	if _, err = next.Write(append(data, '\n')); err == nil {
		err = next.Sync()
	}
	if err = errors.Join(err, next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), name)
}

// Choose fills in what the settings leave open of the model. What they set stays as it is, and where they set the
// key, the address is theirs too, given or not: a key goes nowhere that its owner did not name. The error is that of
// a settings file with these values.
func (l LLM) Choose(c Chosen) (LLM, error) {
	if l.APIKey.value == "" {
		l.APIKey = c.APIKey
		l.BaseURL = cmp.Or(l.BaseURL, c.BaseURL)
	}
	l.Provider, l.Model = cmp.Or(l.Provider, c.Provider), cmp.Or(l.Model, c.Model)
	v := &checker{}
	l.check(v)
	return l, errors.Join(v.errs...)
}

// note remembers where the settings that are not the built-in ones come from.
func (c *Config) note(builtIn Config, vars map[string]string, flags map[string][]string) {
	c.origins = map[string]string{}
	mine, theirs := reflect.ValueOf(c).Elem(), reflect.ValueOf(builtIn)
	for _, k := range Keys() {
		switch {
		case len(flags[k.Path]) > 0:
			c.origins[k.Path] = "a flag of the command"
		case vars[k.Env] != "":
			c.origins[k.Path] = k.Env
		case k.secret && vars[k.Env+"_FILE"] != "":
			c.origins[k.Path] = k.Env + "_FILE"
		case !reflect.DeepEqual(mine.FieldByIndex(k.at).Interface(), theirs.FieldByIndex(k.at).Interface()):
			c.origins[k.Path] = "the settings file"
		}
	}
}

// Origin says where the value of a key comes from, in words: the variable, the file, the command line; "" where
// nobody set it. A key and an address that belong to a provider come from the provider's own variables.
func (c Config) Origin(path string) string { return c.origins[path] }
