// Package app puts the program together: every part is made in order by New and closed in reverse by Close. It also
// holds what commands do with the whole of it: serve, look for what is wrong (Checks), copy the store and put a copy
// back. What people type is package cli's.
//
//	p, err := app.New(ctx, cfg, os.Stderr)
//	if err != nil {
//		return err
//	}
//	defer p.Close()
//	return p.Serve(ctx, listener, app.SettingsSource{}, func() { fmt.Println("ready") })
package app
