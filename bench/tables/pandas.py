# One stage of pandas, driven line by line as the Go child is: see peer.go.
import gc
import sys
import time

import pandas

stage, path = sys.argv[1], sys.argv[2]
note = "pandas " + pandas.__version__
if stage == "load":
    read = pandas.read_json if path.endswith(".json") else pandas.read_csv
    work = lambda: len(read(path))
else:
    frame = pandas.read_csv(path)
    if stage == "profile":
        def work():
            frame.describe()
            return len(frame.nunique())
    elif stage == "sort":
        work = lambda: len(frame.sort_values("score"))
    elif stage == "sort_text":
        work = lambda: len(frame.sort_values(["client", "price"], ascending=[True, False]))
    elif stage in ("group", "group_few"):
        key = "client" if stage == "group" else "region"
        work = lambda: len(frame.groupby(key).agg({"price": "sum", "score": "mean", "id": "count"}))
    elif stage == "markdown":
        try:
            import tabulate
            write, note = frame.to_markdown, note + " to_markdown"
        except ImportError:
            write, note = frame.to_string, note + " to_string (to_markdown needs tabulate)"
        def work():
            write()
            return len(frame)
    else:
        sys.exit("there is no stage " + stage)

print("ready", note, flush=True)
for line in sys.stdin:
    gc.collect()
    start = time.perf_counter_ns()
    rows = work()
    print(time.perf_counter_ns() - start, rows, flush=True)
