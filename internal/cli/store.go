package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/internal/store/sqlite"
)

func storeCommand(opts *options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "store", Short: "Make the store's file smaller", Args: cobra.NoArgs, Example: "  catena store compact",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(compactCommand(opts))
	return cmd
}

func compactCommand(opts *options) *cobra.Command {
	return &cobra.Command{
		Use: "compact", Short: "Write the store's file anew, without what was deleted", Args: cobra.NoArgs,
		Long: "Write the file in store.dir anew, without the room of what was deleted, and so that it gives\n" +
			"that back by itself from then on. Stores that a newer Catena made do so from the start; an older\n" +
			"one needs this once. catena doctor says whether it helps. Stop Catena first.\n" +
			"The store is checked and copied beside itself, for which its disk needs room, and the copy is\n" +
			"checked before it takes the store's place. It can be interrupted at any moment: there is the old\n" +
			"file or the new one. What is in Redis needs none of this.",
		Example: "  catena store compact\n  catena store compact --store /var/lib/catena",
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := opts.load(cmd.Context(), true)
			if err != nil {
				return err
			}
			if cfg.Store.URL != "" {
				fmt.Fprintln(cmd.ErrOrStderr(),
					"note: store.url is set; Redis uses the room of what is deleted again by itself, "+
						"so only the file in store.dir is compacted")
			}
			show := &stages{w: cmd.ErrOrStderr(), live: liveOn(cmd.ErrOrStderr())}
			before, after, err := app.Compact(cmd.Context(), cfg.Store, show.begin)
			show.end()
			if err != nil {
				return err
			}
			say := fmt.Sprintf("The store has %s; it had %s.", app.Mebibytes(after.File), app.Mebibytes(before.File))
			if before == after {
				say = fmt.Sprintf("There is nothing to do: the store has %s and gives back what is deleted by itself.",
					app.Mebibytes(after.File))
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), say)
			return err
		},
	}
}

// stages shows on a terminal how work comes on that has stages, on one line. It is not for concurrent use.
type stages struct {
	w    io.Writer
	live bool
	stop chan struct{} // closed to end the line of the stage under way; nil while there is none
	done chan struct{}
}

// stagesEvery is the pause between looks at the file that is written.
const stagesEvery = 200 * time.Millisecond

// begin ends the stage before and shows the next: its name, and how much of size bytes are in file, unless that is
// "".
func (s *stages) begin(stage sqlite.Stage, file string, size int64) {
	s.end()
	if !s.live {
		return
	}
	s.stop, s.done = make(chan struct{}), make(chan struct{})
	go s.show(string(stage), file, size)
}

// show writes the line until stop is closed.
func (s *stages) show(stage, file string, size int64) {
	defer close(s.done)
	tick := time.NewTicker(stagesEvery)
	defer tick.Stop()
	for {
		text := app.Mebibytes(size)
		if info, err := os.Stat(file); err == nil {
			text = app.Mebibytes(min(info.Size(), size)) + " of " + text
		}
		fmt.Fprintf(s.w, "\r\x1b[K%s, %s …", stage, text)
		select {
		case <-s.stop:
			fmt.Fprint(s.w, "\r\x1b[K")
			return
		case <-tick.C:
		}
	}
}

// end wipes the line.
func (s *stages) end() {
	if s.stop != nil {
		close(s.stop)
		<-s.done
		s.stop = nil
	}
}
