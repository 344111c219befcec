package query

// The functions of Call. Null in an argument gives null, but for those of which another thing is said.
//
//	eq ne lt le gt ge a b      comparisons: numbers by exact value, text by bytes, times by instant
//	same a b                   equal, or both null: never null
//	and or a b ...             of three values: false and null is false, true or null is true
//	not a
//	is_null a                  never null
//	in a b c ...               a equals one of the others; null where it does not and one of them is null
//	between a low high         both bounds included
//	like a pattern [escape]    % any text, _ one character; upper and lower case differ
//	ilike a pattern [escape]   like, where they do not
//	matches a pattern          an RE2 pattern somewhere in a
//	contains starts_with ends_with a b
//
//	add sub mul a b            exact for integers and decimals; an integer that 64 bits do not hold becomes a decimal.
//	                           A date and an integer are days; two dates give an integer of days; times and durations give either
//	div a b                    the quotient as a float, rounded once; null by zero
//	idiv a b                   of integers, cut towards zero; null by zero
//	mod a b                    with the sign of a; null by zero
//	neg abs sign floor ceil exp ln log10 log2 sqrt a      null where it is not defined
//	log base a     power a b
//	round a [digits]           half away from zero; of decimals exact
//	sin cos tan asin acos atan radians degrees a          atan2 y x   pi
//	least greatest a b ...     nulls are left out
//
//	concat a b ...             texts of the values; nulls are left out
//	join_text a b              as concat, null with a null (SQL's ||)
//	lower upper trim ltrim rtrim reverse a                trim, ltrim and rtrim take what to trim as a second argument
//	length a                   in characters
//	substring a from [n]       characters, counted from 1; a negative from counts from the end
//	replace a old new     regexp_replace a pattern new
//	split a separator n        the n-th part, from 1; null where there is none
//	position a b               where b begins in a, from 1; 0 where it is not
//	repeat a n     lpad rpad a n [fill]     chr n     ascii a
//
//	trunc unit t               the first day or instant of t's year, quarter, month, week (Monday), day, hour, minute, second
//	part unit t                year quarter month week (ISO) isoyear day weekday (0 Sunday to 6) isoweekday (1 Monday to 7) yearday hour minute second epoch (seconds)
//	diff unit a b              whole units from a to b, as calendars have them
//	shift unit n t             t and n units; the last day of a shorter month where the day is not in it
//	format_time layout t       by strftime's letters
//	make_date year month day   null where there is no such day
//	days t                     julian day number with a fraction, as SQLite's julianday
//
//	coalesce a b ...           the first that is not null
//	nullif a b                 null where they are equal
//	bin a width [origin]       the lower bound of the interval of that width in which a lies
//
// Units of time are literals of text.
type Functions struct{}

// Aggregates of Aggregate and WindowColumn; all but count, first, last and list skip nulls, and give null over no values.
//
//	count            rows, or values that are not null        count with Distinct: different values
//	sum              exact; an integer that 64 bits do not hold becomes a decimal
//	mean             exact for integers and decimals, then rounded once to a float
//	weighted_mean x w      sum(x*w)/sum(w)
//	median  quantile x q   (linear between the two next values)  mode (the smallest of the most frequent)
//	min max          any type that is ordered
//	stddev variance  of a sample (n-1)      stddev_pop variance_pop
//	corr x y         Pearson's     slope y x     intercept y x     of the least squares line
//	any every        of conditions
//	first last       in Order, else in the rows' order; nulls count
//	list x [separator]     texts in Order, joined; ", " where none is given
//
// Windows of WindowColumn: row_number rank dense_rank percent_rank cume_dist ntile n; lag lead x [n [default]];
// first_value last_value x, nth_value x n (of the frame); share x (of the partition's sum); change x and change_ratio x (to the row before).
type Aggregates struct{}
