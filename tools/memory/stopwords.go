package memory

import "catena/internal/text"

// stopWords say little of what a text is about: articles, pronouns, prepositions, forms of be, have and do, and what begins a
// question. They are found as they are written; a query looks for them only when it has no other words. Words that turn a
// statement round (not, no, never, without) are no stop words.
var stopWords = text.WordSet(`a about after again all also am an and any are as at be because been before being between both but by can could
	did do does doing down during each few for from further had has have having he her here hers herself him himself his how i if in
	into is it its itself just me more most my myself of off on once or other our ours ourselves out over own please same she should
	so some such than that the their theirs them themselves then there these they this those through to too under until up very was
	we were what when where which while who whom why will with would you your yours yourself yourselves
	im ive id ill youre hes shes theyre thats whats lets tell`)

// fillers are words of requests to a memory: they name the asking, not what is asked for.
var fillers = text.WordSet("know remember remembered recall memory memories anything something everything")
