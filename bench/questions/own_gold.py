#!/usr/bin/env python3
"""Recompute the gold answers of own.jsonl twice and compare.

  own_gold.py TABLES [--questions own.jsonl] [--write]

TABLES is the folder filled by fetch.sh. Each answerable question is computed by pandas and, independently, by an
SQL statement on sqlite3; the two have separate loaders (the SQL side reads the files with the csv and json modules).
The exit code is 1 when the two disagree, when a sort key is tied at a cut or inside an ordered answer, when a gold
answer in the question file differs, or when the file and this program do not hold the same questions.
--write stores the agreed answers in the question file instead of comparing.

Needs pandas. Group keys and means leave nulls out. Shares and growth are in percent and not rounded.
"""
import argparse
import csv
import json
import math
import os
import re
import sqlite3
import sys

import pandas as pd

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = {
    "airports": "airports.csv",
    "birdstrikes": "birdstrikes.csv",
    "budget": "budget.json",
    "grunfeld": "grunfeld.csv",
    "macrodata": "macrodata.csv",
    "olympians": "olympians.csv",
    "pizza": "pizza.csv",
    "unemployment": "unemployment-across-industries.json",
}


# Loaders

def load_pandas(folder):
    """-> {dataset: DataFrame}. Only the empty cell of a CSV file is null ("None" and "NA" are values)."""
    out = {}
    for name, file in FILES.items():
        path = os.path.join(folder, file)
        if file.endswith(".csv"):
            out[name] = pd.read_csv(path, keep_default_na=False, na_values=[""])
        else:
            with open(path, encoding="utf-8") as f:
                out[name] = pd.DataFrame(json.load(f))
    return out


def cell(text):
    """A CSV cell as sqlite3 sees it: null, integer, real or text."""
    if text == "":
        return None
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d*\.\d+", text):
        return float(text)
    return text


def load_sqlite(folder):
    db = sqlite3.connect(":memory:")
    for name, file in FILES.items():
        with open(os.path.join(folder, file), encoding="utf-8", newline="") as f:
            if file.endswith(".csv"):
                head, *body = csv.reader(f)
                rows = [[cell(c) for c in r] for r in body]
            else:
                objects = json.load(f)
                head = list(objects[0])
                rows = [[o.get(c) for c in head] for o in objects]
        quoted = ", ".join('"%s"' % c.replace('"', '""') for c in head)
        db.execute('CREATE TABLE "%s" (%s)' % (name, quoted))
        db.executemany('INSERT INTO "%s" VALUES (%s)' % (name, ", ".join("?" * len(head))), rows)
    return db


# Other accepted forms of an answer (the field "alt" of the gold)

def quarter_names(year, quarter):
    """The usual ways to write a quarter; the last one is its first month."""
    return ["%d-Q%d" % (year, quarter), "%dQ%d" % (year, quarter), "%d Q%d" % (year, quarter),
            "Q%d %d" % (quarter, year), "%d-%02d" % (year, 3 * quarter - 2)]


def alt_quarters_2021(gold, d):
    """Quarters of 2021 as a bare number, as "Q1", or with the year."""
    rows = gold["rows"]
    alts = [[[q, v] for q, v in rows], [["Q%d" % q, v] for q, v in rows], [[2021, q, v] for q, v in rows]]
    alts += [[[quarter_names(2021, q)[i], v] for q, v in rows] for i in range(5)]
    return [{"columns": ["year", "quarter", "value"][-len(a[0]):], "rows": a, "ordered": False} for a in alts[1:]]


def alt_year_quarter(gold, d):
    """The columns year and quarter written as one."""
    return [{"columns": ["quarter"] + gold["columns"][2:], "rows": [[quarter_names(*r[:2])[i]] + r[2:] for r in gold["rows"]],
             "ordered": False} for i in range(5)]


def alt_wide(gold, d):
    """A comparison set out as one row, one column for each thing compared."""
    return [{"columns": [r[0] for r in gold["rows"]], "rows": [[r[1] for r in gold["rows"]]], "ordered": False}]


def alt_months(gold, d):
    """A month as the year and the month number, or as the time stamp of the file."""
    months = [r[0] for r in gold["rows"]]
    stamp = {date[:7]: date for date in d["unemployment"].date}
    return [{"columns": ["year", "month"], "rows": [[int(m[:4]), int(m[5:])] for m in months], "ordered": False},
            {"columns": ["date"], "rows": [[stamp[m]] for m in months], "ordered": False}]


# The computations: id -> (columns, pandas function, SQL, options).
# Options: order = index of the sort column of an ordered answer; more = the number of rows asked for, where both
# programs compute one row more so that a tie at the cut shows; cut = index of the column that decides such a cut
# when the answer is not ordered; alt = function from above.

def amounts(d, year):
    """A year column of the budget table as numbers (the file holds text such as "1,234")."""
    return d["budget"][year].astype(str).str.replace(",", "", regex=False).astype("int64")


def amount_sql(year):
    return "CAST(REPLACE(\"%s\", ',', '') AS INTEGER)" % year


def pizza_category(d, year=None):
    p = d["pizza"]
    p = p[p.order_date.str.startswith(year)] if year else p
    return p.groupby("category").revenue.sum().sort_values(ascending=False).reset_index()


def pizza_quarters(d):
    p = d["pizza"]
    t = pd.to_datetime(p.order_date)
    return p[t.dt.year == 2021].assign(q=t.dt.quarter).groupby("q").orders.sum().reset_index()


def pizza_fewest(d):
    p = d["pizza"]
    return p[p.order_date.str.startswith("2022")].groupby("name").orders.sum().sort_values().head(4).reset_index()


def pizza_weekends(d):
    p = d["pizza"]
    t = pd.to_datetime(p.order_date)
    return p.orders[(t.dt.year == 2020) & (t.dt.day_of_week >= 5)].sum()


def heights(d):
    o = d["olympians"]
    return o[o.sport.isin(["basketball", "volleyball", "gymnastics"])].groupby(["sport", "sex"]).height.mean().reset_index()


def born(d):
    t = pd.to_datetime(d["olympians"].date_of_birth)
    return t.between("1996-07-01", "1997-12-31").sum()


def golds(d):
    return d["olympians"].groupby("nationality").gold.sum().sort_values(ascending=False).head(6).reset_index()


def substantial(d, time):
    b = d["birdstrikes"]
    return len(b[(b["Effect Amount of damage"] == "Substantial") & (b["Time of day"] == time)])


SUBSTANTIAL_SQL = """SELECT COUNT(*) FROM birdstrikes WHERE "Effect Amount of damage" = 'Substantial' AND "Time of day" = '%s'"""


def costliest(d):
    b = d["birdstrikes"]
    return b.nlargest(2, "Cost Total $")[["Flight Date", "Airport Name", "Cost Total $"]]


def two_industries(d, year):
    u = d["unemployment"]
    return u[(u.year == year) & u.series.isin(["Manufacturing", "Finance"])].groupby("series").rate.mean().reset_index()


TWO_SQL = "SELECT series, AVG(rate) FROM unemployment WHERE year = %d AND series IN ('Manufacturing', 'Finance') GROUP BY series"


def construction(d):
    u = d["unemployment"]
    return u[(u.series == "Construction") & (u.rate > 20)].date.str[:7].to_frame()


def receipts(d):
    b = d["budget"]
    return amounts(d, "2015").groupby(b["Source category name"]).sum().reset_index()


def corporation(d):
    c = d["budget"]["Source category name"] == "Corporation Income Taxes"
    return (amounts(d, "2015")[c].sum() / amounts(d, "2010")[c].sum() - 1) * 100


def large_accounts(d):
    a = d["budget"].assign(amount=amounts(d, "2014"))
    return a[a.amount > 100_000_000][["Account name", "amount"]]


def states(d, n):
    return d["airports"].state.value_counts().head(n).reset_index()


def small_states(d):
    n = d["airports"].groupby("state").iata.count()
    return n[n < 6].reset_index()


def firm(d, name, column):
    g = d["grunfeld"]
    return g[g.firm == name].set_index("year")[column]


# sqlite3 has no median: the mean of the one or two middle rows.
MEDIAN_SQL = """WITH s AS (SELECT invest, ROW_NUMBER() OVER (ORDER BY invest) AS i, COUNT(*) OVER () AS n
FROM grunfeld WHERE firm = '%s') SELECT AVG(invest) FROM s WHERE i IN ((n + 1) / 2, (n + 2) / 2)"""


def ratios(d):
    g = d["grunfeld"]
    g = g[g.year == 1954]
    return pd.DataFrame({"firm": g.firm, "value": g.invest / g.value * 100})


def invest_mean(d):
    m = d["grunfeld"].groupby("firm").invest.mean()
    return pd.DataFrame(m[m > 100].index)


def unemp_year(d):
    m = d["macrodata"]
    return m[m.year.between(2000, 2008)].groupby("year").unemp.mean().reset_index()


def gdp_growth(d):
    g = d["macrodata"].set_index(["year", "quarter"]).realgdp
    return (g[(2000, 1)] / g[(1990, 1)] - 1) * 100


def first_above_10(d):
    m = d["macrodata"].sort_values(["year", "quarter"])
    return m[m.unemp > 10].head(1)[["year", "quarter"]]


COMPUTE = {
    "own-pizza-1": (["category", "value"], pizza_category,
                    "SELECT category, SUM(revenue) AS v FROM pizza GROUP BY category ORDER BY v DESC", {"order": 1}),
    "own-pizza-2": (["category", "value"], lambda d: pizza_category(d, "2022"),
                    "SELECT category, SUM(revenue) AS v FROM pizza WHERE order_date >= '2022-01-01' AND order_date < '2023-01-01' "
                    "GROUP BY category ORDER BY v DESC", {"order": 1}),
    "own-pizza-3": (["quarter", "value"], pizza_quarters,
                    "SELECT (CAST(SUBSTR(order_date, 6, 2) AS INTEGER) + 2) / 3 AS q, SUM(orders) FROM pizza "
                    "WHERE SUBSTR(order_date, 1, 4) = '2021' GROUP BY q", {"alt": alt_quarters_2021}),
    "own-pizza-4": (["name", "value"], pizza_fewest,
                    "SELECT name, SUM(orders) AS v FROM pizza WHERE SUBSTR(order_date, 1, 4) = '2022' GROUP BY name ORDER BY v LIMIT 4",
                    {"order": 1, "more": 3}),
    "own-pizza-5": (["value"], pizza_weekends,
                    "SELECT SUM(orders) FROM pizza WHERE SUBSTR(order_date, 1, 4) = '2020' AND day_of_week IN ('Saturday', 'Sunday')", {}),
    "own-olympians-1": (["value"], lambda d: d["olympians"].weight.isna().sum(),
                        "SELECT COUNT(*) - COUNT(weight) FROM olympians", {}),
    "own-olympians-2": (["sport", "sex", "value"], heights,
                        "SELECT sport, sex, AVG(height) FROM olympians WHERE sport IN ('basketball', 'volleyball', 'gymnastics') "
                        "GROUP BY sport, sex", {}),
    "own-olympians-3": (["value"], born,
                        "SELECT COUNT(*) FROM olympians WHERE date_of_birth BETWEEN '1996-07-01' AND '1997-12-31'", {}),
    "own-olympians-4": (["nationality", "value"], golds,
                        "SELECT nationality, SUM(gold) AS v FROM olympians GROUP BY nationality ORDER BY v DESC LIMIT 6",
                        {"order": 1, "more": 5}),
    "own-birdstrikes-1": (["value"], lambda d: substantial(d, "Night"), SUBSTANTIAL_SQL % "Night", {}),
    "own-birdstrikes-2": (["value"], lambda d: substantial(d, "Day"), SUBSTANTIAL_SQL % "Day", {}),
    "own-birdstrikes-3": (["value"], lambda d: (d["birdstrikes"]["Phase of flight"] == "Approach").mean() * 100,
                          """SELECT 100.0 * SUM("Phase of flight" = 'Approach') / COUNT(*) FROM birdstrikes""", {}),
    "own-birdstrikes-4": (["Flight Date", "Airport Name", "Cost Total $"], costliest,
                          'SELECT "Flight Date", "Airport Name", "Cost Total $" FROM birdstrikes ORDER BY "Cost Total $" DESC LIMIT 2',
                          {"more": 1, "cut": 2}),
    "own-unemployment-1": (["series", "value"], lambda d: two_industries(d, 2009), TWO_SQL % 2009, {"alt": alt_wide}),
    "own-unemployment-2": (["series", "value"], lambda d: two_industries(d, 2005), TWO_SQL % 2005, {"alt": alt_wide}),
    "own-unemployment-3": (["month"], construction,
                           "SELECT PRINTF('%04d-%02d', year, month) FROM unemployment WHERE series = 'Construction' AND rate > 20",
                           {"alt": alt_months}),
    "own-unemployment-4": (["series", "value"], lambda d: d["unemployment"].groupby("series").rate.max().reset_index(),
                           "SELECT series, MAX(rate) FROM unemployment GROUP BY series", {}),
    "own-budget-1": (["Source category name", "value"], receipts,
                     'SELECT "Source category name", SUM(%s) FROM budget GROUP BY 1' % amount_sql("2015"), {}),
    "own-budget-2": (["value"], corporation,
                     """SELECT 100.0 * (SUM(%s) - SUM(%s)) / SUM(%s) FROM budget WHERE "Source category name" = 'Corporation Income Taxes'"""
                     % (amount_sql("2015"), amount_sql("2010"), amount_sql("2010")), {}),
    "own-budget-3": (["Account name", "2014"], large_accounts,
                     'SELECT "Account name", %s AS v FROM budget WHERE v > 100000000' % amount_sql("2014"), {}),
    "own-budget-4": (["value"], lambda d: d["budget"]["Agency name"].nunique(),
                     'SELECT COUNT(DISTINCT "Agency name") FROM budget', {}),
    "own-airports-1": (["state", "count"], lambda d: states(d, 5),
                       "SELECT state, COUNT(*) AS n FROM airports GROUP BY state ORDER BY n DESC LIMIT 5", {"order": 1, "more": 4}),
    "own-airports-2": (["value"], lambda d: (d["airports"].state == "HI").sum(),
                       "SELECT COUNT(*) FROM airports WHERE state = 'HI'", {}),
    "own-airports-3": (["name", "city"], lambda d: d["airports"].set_index("iata").loc[["ITO"], ["name", "city"]],
                       "SELECT name, city FROM airports WHERE iata = 'ITO'", {}),
    "own-airports-4": (["name"], lambda d: d["airports"].query("city == 'Indianapolis'")[["name"]],
                       "SELECT name FROM airports WHERE city = 'Indianapolis' AND state = 'IN'", {}),
    "own-airports-5": (["state", "count"], small_states,
                       "SELECT state, COUNT(*) AS n FROM airports GROUP BY state HAVING n < 6", {}),
    "own-grunfeld-1": (["value"], lambda d: firm(d, "General Electric", "invest").median(), MEDIAN_SQL % "General Electric", {}),
    "own-grunfeld-2": (["value"], lambda d: firm(d, "Westinghouse", "invest").median(), MEDIAN_SQL % "Westinghouse", {}),
    "own-grunfeld-3": (["firm"], invest_mean, "SELECT firm FROM grunfeld GROUP BY firm HAVING AVG(invest) > 100", {}),
    "own-grunfeld-4": (["value"], lambda d: (firm(d, "US Steel", "capital")[1954] / firm(d, "US Steel", "capital")[1935] - 1) * 100,
                       "SELECT 100.0 * (b.capital - a.capital) / a.capital FROM grunfeld a JOIN grunfeld b ON a.firm = b.firm "
                       "WHERE a.firm = 'US Steel' AND a.year = 1935 AND b.year = 1954", {}),
    "own-grunfeld-5": (["firm", "percent"], ratios,
                       "SELECT firm, 100.0 * invest / value FROM grunfeld WHERE year = 1954", {}),
    "own-macrodata-1": (["year", "value"], unemp_year,
                        "SELECT year, SUM(unemp) / COUNT(unemp) FROM macrodata WHERE year >= 2000 AND year <= 2008 GROUP BY year", {}),
    "own-macrodata-2": (["value"], lambda d: d["macrodata"].query("1980 <= year <= 1989").tbilrate.mean(),
                        "SELECT AVG(tbilrate) FROM macrodata WHERE year / 10 = 198", {}),
    "own-macrodata-3": (["value"], gdp_growth,
                        "SELECT 100.0 * (b.realgdp - a.realgdp) / a.realgdp FROM macrodata a, macrodata b "
                        "WHERE a.year = 1990 AND a.quarter = 1 AND b.year = 2000 AND b.quarter = 1", {}),
    "own-macrodata-4": (["year", "quarter", "m1"], lambda d: d["macrodata"].tail(4)[["year", "quarter", "m1"]],
                        "SELECT year, quarter, m1 FROM macrodata ORDER BY year DESC, quarter DESC LIMIT 4", {"alt": alt_year_quarter}),
    "own-macrodata-5": (["year", "quarter"], first_above_10,
                        "SELECT year, quarter FROM macrodata WHERE unemp > 10 ORDER BY year, quarter LIMIT 1", {"alt": alt_year_quarter}),
}


# Comparison

def plain(value):
    """numpy scalars -> Python; whole floats stay floats."""
    return value.item() if hasattr(value, "item") else value


def rows_of(result):
    if isinstance(result, pd.DataFrame):
        return [[plain(v) for v in r] for r in result.itertuples(index=False, name=None)]
    return [[plain(result)]]


def same_cell(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return a == b


def same_rows(a, b):
    return len(a) == len(b) and all(len(x) == len(y) and all(map(same_cell, x, y)) for x, y in zip(a, b))


def compute(qid, frames, db):
    """-> the gold answer the two programs agree on; ValueError if they do not."""
    columns, by_pandas, sql, opt = COMPUTE[qid]
    a = rows_of(by_pandas(frames))
    b = [list(r) for r in db.execute(sql)]
    if "order" not in opt and "more" not in opt:
        a.sort(key=str)
        b.sort(key=str)
    n = opt.get("more")
    if not same_rows(a[:n], b[:n]):
        raise ValueError("pandas %s, sqlite3 %s" % (a, b))
    key = opt.get("order", opt.get("cut"))
    if key is not None and (len({r[key] for r in a}) < len(a) or [r[key] for r in a] != [r[key] for r in b]):
        raise ValueError("tie in the sort key: %s" % a)
    gold = {"columns": columns, "rows": a[:n], "ordered": "order" in opt}
    if "order" in opt:
        gold["order_cols"] = [opt["order"]]
    if "alt" in opt:
        gold["alt"] = opt["alt"](gold, frames)
    return gold


def same_gold(a, b):
    if any(a.get(k) != b.get(k) for k in ("columns", "ordered", "order_cols")) or not same_rows(a["rows"], b["rows"]):
        return False
    x, y = a.get("alt", []), b.get("alt", [])
    return len(x) == len(y) and all(map(same_gold, x, y))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("tables")
    ap.add_argument("--questions", default=os.path.join(HERE, "own.jsonl"))
    ap.add_argument("--write", action="store_true")
    args = ap.parse_args()

    with open(args.questions, encoding="utf-8") as f:
        questions = [json.loads(line) for line in f if line.strip()]
    frames, db = load_pandas(args.tables), load_sqlite(args.tables)

    faults = []
    answerable = [q["id"] for q in questions if q["answerable"]]
    if len({q["id"] for q in questions}) < len(questions) or set(answerable) != set(COMPUTE):
        faults.append("the ids differ: %s" % sorted(set(answerable) ^ set(COMPUTE)))
    for q in questions:
        if q["file"] != FILES[q["dataset"]]:
            faults.append("%s: file %s" % (q["id"], q["file"]))
        if q["id"] not in COMPUTE:
            continue
        try:
            gold = compute(q["id"], frames, db)
        except ValueError as e:
            faults.append("%s: %s" % (q["id"], e))
            continue
        if args.write:
            q["gold"] = gold
        elif not same_gold(gold, q["gold"]):
            faults.append("%s: computed %s, stored %s" % (q["id"], gold, q["gold"]))

    for fault in faults:
        print(fault, file=sys.stderr)
    if args.write and not faults:
        with open(args.questions, "w", encoding="utf-8") as f:
            for q in questions:
                f.write(json.dumps(q, ensure_ascii=False) + "\n")
    print("%d questions, %d computed twice, %d faults" % (len(questions), len(answerable), len(faults)))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
