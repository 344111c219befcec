package orders

// Keys of texts for people.
const (
	sayMissing      = "missing"
	sayCall         = "callbare"
	sayCallWith     = "callwith"
	sayArgument     = "argument"
	sayGiven        = "givewhat"
	sayNeeds        = "needs"
	sayTakes        = "takes"
	sayTakesNothing = "takesnothing"
	sayTools        = "tools"
	sayTables       = "tables"
	sayAsk          = "ask"
	sayMore         = "andmore"
	sayWhole        = "verbatim"
)
