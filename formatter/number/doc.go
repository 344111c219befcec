// Package number writes numbers and dates for people: by one grammar, over exact decimals, in the way of each locale.
//
// # The grammar
//
// A specification is that of Python's format strings (https://docs.python.org/3/library/string.html#formatspec), with
// what d3-format adds and with currencies:
//
//	[[fill]align][sign][z][symbol][0][width][grouping][.precision][~][type]
//
//	align      <  left    >  right (the default)    ^  centre    =  between sign and digits
//	sign       -  negative numbers only (the default)    +  positive ones too    space  a space for positive ones
//	           (  parentheses around negative ones    a  as the accounting of the locale has it
//	z          a number that is rounded to zero has no sign, neither - nor +
//	symbol     $  symbol of the currency    $$  its code    $$$  its name    #  prefix of the base (0x); zeros kept by g
//	0          zeros between sign and digits up to the width
//	grouping   ,  as the locale groups    _  an underscore between groups of three
//	~          no zeros at the end of a fraction
//	type       f F  digits after the point (6)           %    times 100, with a percent sign
//	           f%   in percent already, with a sign      d    no fraction
//	           e E  exponent                             g G  significant digits (6), exponent where needed
//	           r    significant digits, no exponent      p    r, times 100, with a percent sign
//	           n    g, grouped                           s    significant digits and an SI prefix: 1.20M
//	           k    shortened in the locale's letters: 1.2M, 1,2 Mio., 120万
//	           K    in its words: 1.2 million            b o x X  to base 2, 8, 16
//	           none all digits that there are; with a precision as g; with $ and no precision as the currency has it
//
// Numbers are rounded half to even on their decimal digits. The currency is no part of a specification: WithCurrency
// says which it is, and without one no symbol is written. Plain "f" is not grouped; ",.2f" is.
//
// ParseD3 reads d3-format's own dialect, ParsePattern the number patterns of CLDR, such as #,##0.00. All three give a
// Format, and there is one way in which Formats are written.
//
// # Locales
//
// The data are those of CLDR 41: separators, signs, patterns and symbols of currencies, short forms, names of months
// and weekdays. Digits are ASCII. For chooses the locale of a BCP 47 tag.
package number
