package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// downloadRate is how many honest downloads come a second: far less than a key may ask for.
const downloadRate = 1

// files is an honest client that has files of its table sent. It has a key: who has none is the same caller as the attackers, and what is
// kept free of one caller is for the others.
type files struct {
	url, key string
	path     string // of the table as CSV
	whole    []byte // which it must be
}

// newKey makes settings with one key. The caller removes the folder that they are in.
func newKey() (folder, settings, key string, err error) {
	if folder, err = os.MkdirTemp("", "catena-hostile-"); err != nil {
		return "", "", "", err
	}
	key, settings = rand.Text()+rand.Text(), filepath.Join(folder, "config.yaml")
	return folder, settings, key, os.WriteFile(settings, []byte("access:\n  keys:\n    honest:\n      key: "+key+"\n"), 0o600)
}

// newFiles uploads a table of a megabyte, which counts as much as any that is sent as CSV, and has it sent once.
func newFiles(ctx context.Context, url, key string) (*files, error) {
	f := &files{url: url, key: key}
	var csv strings.Builder
	csv.WriteString("id,text\n")
	for i := range 20_000 {
		fmt.Fprintf(&csv, "%d,%s %d\n", i, strings.Repeat("words ", 7), i)
	}
	data, err := f.ask(ctx, http.DefaultClient, http.MethodPost, "/api/v1/tables?name=honest.csv", strings.NewReader(csv.String()))
	if err != nil {
		return nil, err
	}
	var got struct {
		Tables []struct {
			Handle string `json:"handle"`
		} `json:"tables"`
	}
	if err := json.Unmarshal(data, &got); err != nil || len(got.Tables) == 0 {
		return nil, errors.Join(fmt.Errorf("the honest table could not be uploaded: %.200s", data), err)
	}
	f.path = "/api/v1/tables/" + got.Tables[0].Handle + ".csv"
	f.whole, err = f.ask(ctx, http.DefaultClient, http.MethodGet, f.path, nil)
	return f, err
}

// ask sends a request with the key and reads the whole answer. Any status but 200 and 201 is an error, also one that says to come again.
func (f *files) ask(ctx context.Context, client *http.Client, method, path string, body io.Reader) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, f.url+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+f.key)
	if body != nil {
		req.Header.Set("Content-Type", "text/csv")
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
		err = fmt.Errorf("%s: %.200s", res.Status, data)
	}
	return data, err
}

// download has the file sent and looks whether it is whole.
func (f *files) download(ctx context.Context, client *http.Client) error {
	data, err := f.ask(ctx, client, http.MethodGet, f.path, nil)
	if err == nil && !bytes.Equal(data, f.whole) {
		err = fmt.Errorf("a file of %d bytes came as another one of %d", len(f.whole), len(data))
	}
	return err
}
