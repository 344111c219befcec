package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/joho/godotenv"
	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/internal/config"
)

// options are the flags that every command knows. They are settings of config.yaml by another way, so they go through
// config.Load and are checked there.
type options struct {
	defaults []byte // the settings where nothing else is said, as YAML
	file     string
	data     []string
	demo     string
	listen   string
	storeDir string
	logLevel string
	stdio    bool
	roots    []string // code.roots, for commands that are given a folder

	held [sha256.Size]byte // what the settings' file held when it was read last
}

func (o *options) bind(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&o.file, "config", "", "settings file (default: $CATENA_CONFIG; see catena config)")
	f.StringArrayVar(
		&o.data,
		"data",
		nil,
		"file, folder or glob to load as tables: csv, json, xlsx, parquet, arrow, sqlite ... (repeatable)",
	)
	f.StringVar(&o.demo, "demo", "", "bundled demo data: auto, on or off (default auto: on without --data)")
	f.StringVar(&o.storeDir, "store", "", "folder of sessions and tables, or :memory:")
	f.StringVar(&o.logLevel, "log", "", "debug, info, warn or error")
	root.Flags().BoolVar(&o.stdio, "stdio", false, "serve MCP over stdio, as catena mcp does")
	root.Flags().StringVar(
		&o.listen,
		"listen",
		"",
		"address of the HTTP server; port 0 takes a free one (default 127.0.0.1:8765)",
	)
}

// settingsSlow is after how long a person is told what is waited for.
const settingsSlow = 2 * time.Second

// load is read, which tells who waits for it on standard error, and what of the settings is not used.
func (o *options) load(ctx context.Context, quiet bool) (config.Config, error) {
	told := tellSlow(os.Stderr, settingsSlow)
	cfg, err := o.read(ctx, quiet)
	told()
	if err == nil {
		tellWarnings(os.Stderr, cfg)
	}
	return cfg, err
}

// tellWarnings says what of the settings is not used, without a secret.
func tellWarnings(w io.Writer, cfg config.Config) {
	var secrets config.Hider
	secrets.Set(cfg)
	w = secrets.Writer(w)
	for _, warning := range cfg.Warnings {
		_, _ = fmt.Fprintln(w, "catena: note:", warning)
	}
}

// tellSlow says after a while that the settings are still being read, unless the function that it returns was called
// before.
func tellSlow(to io.Writer, after time.Duration) (read func()) {
	told := time.AfterFunc(after, func() {
		_, _ = fmt.Fprintf(
			to,
			"catena: the settings are still being read: the program of a secret (command:PROGRAM) has %v to print it; "+
				"Ctrl-C ends this\n",
			config.CommandTime,
		)
	})
	return func() { told.Stop() }
}

// read reads the settings: defaults, file, environment, flags. quiet makes warn the log level for programs that print
// answers.
func (o *options) read(ctx context.Context, quiet bool) (config.Config, error) {
	flags := map[string][]string{}
	set := func(key, value string) {
		if value != "" {
			flags[key] = []string{value}
		}
	}
	set("data.demo", o.demo)
	set("listen.addr", o.listen)
	set("store.dir", o.storeDir)
	set("log.level", o.logLevel)
	if len(o.roots) > 0 {
		flags["code.roots"] = o.roots
	}
	if len(o.data) > 0 {
		flags["data.sources"] = o.data
	}
	if quiet && o.logLevel == "" && os.Getenv("CATENA_LOG_LEVEL") == "" {
		flags["log.level"] = []string{"error"}
	}
	env, warning := environment(".env")
	if file := o.settingsFile(); file != "" {
		o.held = app.FileSum(file)
	}
	cfg, err := config.Load(ctx, o.defaults, o.settingsFile(), env, flags)
	if err != nil {
		return config.Config{}, app.UsageError(err)
	}
	cfg.Personal = quiet && cfg.Access.StdioKey.Reveal() == ""
	if warning != "" {
		cfg.Warnings = append(cfg.Warnings, warning)
	}
	return cfg, nil
}

// source is where the settings came from that load read last.
func (o *options) source(quiet bool) app.SettingsSource {
	return app.SettingsSource{
		Load: func(ctx context.Context) (config.Config, error) { return o.read(ctx, quiet) },
		File: o.settingsFile(),
		Held: o.held,
	}
}

// settingsFile is the user's, "" for none.
func (o *options) settingsFile() string {
	if o.file != "" {
		return o.file
	}
	return os.Getenv("CATENA_CONFIG")
}

// envFileSize bounds the file of variables that is looked into, in bytes.
const envFileSize = 1 << 20

// environment is the process's own, and of the file at path those variables of Neo4j's that it does not set: that is
// where programs around Neo4j keep them. Nothing else is taken, so that a folder that somebody else has filled changes
// no setting.
func environment(path string) (env []string, warning string) {
	env = os.Environ()
	var file map[string]string
	text, err := config.ReadRegular(path, envFileSize)
	if err == nil {
		file, err = godotenv.UnmarshalBytes(text)
	}
	if errors.Is(err, fs.ErrNotExist) || os.Getenv("NEO4J_URI") != "" { // they belong together
		return env, ""
	}
	if err != nil {
		return env, fmt.Sprintf("the file %s is not used: it cannot be read as lines of NAME=value (%v)", path, err)
	}
	for _, name := range []string{"NEO4J_URI", "NEO4J_USER", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"} {
		if v, ok := file[name]; ok && os.Getenv(name) == "" {
			env = append(env, name+"="+v)
		}
	}
	return env, ""
}
