package offline

import (
	"catena/planner/plan"
)

// meaning is something that people want done and say in words of their own: "remember that", "what do I know about", "what
// depends on". It names no tool. A tool carries it out when its name speaks of one of the things of about, has one of the
// verbs of does (where there are any), and an argument whose name has one of the words of takes.
type meaning struct {
	about []string // lemmas of nouns in a tool's name
	kinds []string // other words of the phrases that a table may be about
	does  []string // verbs in a tool's name; none: any tool about it
	takes []string // words of the name of the argument that takes what the message says, best first; none: no argument
	slot  slot     // how what stands for * is read
	whole bool     // * reaches to the end of the message, whatever clauses it has
	// said are the ways of saying it, as phrases (see newPhrase). They are so plain that they come before tables: only where a
	// table is called what the meaning is about, the tables come first.
	said []string
	// perhaps are ways of saying it that may also be a question about tables: they count where no table answers.
	perhaps []string
	// bare meanings are for where no table is about it, live ones included: that there is nothing is then said by the tool.
	bare bool
	// named says that * must read as a name in code, such as Engine.Turn, parseFile or Settle().
	named bool
	// strict leaves out a single word with a capital, which may be anybody's name.
	strict bool
	// exact says that ids are given as such: a name is none.
	exact bool
	// example is a way of saying it that shows what can be asked here; "" keeps the meaning out of the examples.
	example string
	// offers is what the example is one of, behind “I also”.
	offers string
	// asks tells what is missing, where * stands for nothing.
	asks string
	// topic says that what is changed is told by its topic, or by “it”.
	topic bool
	// never says why it is not done at all, and what to do.
	never string
	// instead is the meaning that is planned when there is no id in what is said: what is forgotten by its content is looked
	// for first.
	instead string
}

// slot says how the words that stand for * become an argument.
type slot uint8

const (
	noSlot       slot = iota
	textSlot          // as written, to the letter
	phraseSlot        // without articles and the mark at the end
	thingSlot         // a file, module or name of code, without words for its kind: "the payment module" is payment
	pathSlot          // a path, else this folder
	patternSlot       // a name, may have * in it
	codeSlot          // as written, without fences
	questionSlot      // the whole message
	idSlot            // an id, as written
	namesSlot         // names, one for each required id
	changeSlot        // names, and by how much a number changes
	taggedSlot        // a tag: the live table of the things is asked for it
)

const offersMemory = "remember what you tell me and find it again"

// meanings are what the offline planner understands beside questions about tables. To teach it another way of saying something,
// add a phrase; to teach it another thing, add a meaning. The first that fits a message counts.
var meanings = map[string]*meaning{
	"interact": {
		about: []string{"interaction", "conversation", "message"}, does: []string{"record", "log", "add", "store"}, takes: []string{"content", "text", "message"},
		slot: textSlot, whole: true, asks: "Who said what to whom?",
		said: []string{
			"record|log that * told|tells|asked|asks|said|says|wrote|writes|thanked|thanks|texted|promised *",
			"record|log an|the? interaction|conversation between|from|of|: *",
		},
	},
	"keep": {
		offers:  offersMemory,
		example: "remember that Globex prefers calls on Monday",
		about:   []string{"memory", "note", "fact", "reminder"}, does: []string{"store", "save", "add", "create", "remember", "keep", "write"}, takes: []string{"content", "text", "memory", "note", "fact", "body"},
		slot: textSlot, whole: true, asks: "What should I remember?",
		said: []string{
			"remember|memorize|memorise that|:|, *", "remember this|the? following? : *", "remember to *",
			"remember|memorize|memorise +my|our|i|we|the|this|his|her|their|your|mr|mrs|ms *",
			"note|memo|reminder : *", "note that *", "note down? that|: *", "make|take|write a? note that|of|: *", "take note that|of|: *",
			"keep in mind that? :? *", "bear in mind that? *", "do? not|never forget that|:|to *",
			"save|store|add|put|write to|in|into my|your|the? memory|memories|notes that|: *", "save|store|add a|this|the|as? new? memory|note|fact|reminder that|:|about *",
			"save|store|keep this|that : *", "for the record :|, *", "record that *",
			"dont|not forget that|:|to *", "remember|memorize|memorise this|that|it|something?",
		},
		perhaps: []string{"remember|memorize|memorise *"},
	},
	"forget": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"delete", "remove", "forget", "erase"}, takes: []string{"id"},
		slot: idSlot, asks: "Which memory do you mean? “Forget what I said about …” shows those that may be meant, with their ids.", instead: "recall",
		said: []string{
			"forget|delete|remove|erase what i|we|you have? said|told|know|noted|mentioned|wrote|remember you? about|of|on *",
			"forget|delete|remove|erase everything|all|anything you|i? know|said? about|of|on *",
			"forget|delete|remove|erase my|the|all|any|this|that? memory|memories|note|notes of|about|on|with|id|: *",
			"forget|delete|remove|erase my|the|all|any|this|that? memory|memories|note|notes *",
			"forget|delete|remove|erase it|that|this memory|note|again?",
			"forget about|that? *",
		},
	},
	"wipe": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"delete", "remove", "forget", "erase"},
		never: "Memories are deleted one by one here, so nothing was deleted. “List my memories” shows them; say “forget what I said about …”, or “forget” with an id, for each that should go.",
		said: []string{
			"forget|delete|remove|erase|clear|wipe|drop all|every|each|everything of? my|the|your|these|stored|saved? memory|memories|notes",
			"forget|delete|remove|erase|clear|wipe my|your|the memories|notes|memory", "forget|delete|remove|erase everything|all i|you know|knows|remember|said|told|have? you|remembered|stored? about? me?",
			"delete|remove|erase|clear|wipe|forget everything|all in|from|of my|your|the memory|memories|notes",
		},
	},
	"amend": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"update", "change", "edit", "set"}, takes: []string{"content", "text", "memory", "body"},
		slot: textSlot, whole: true, topic: true, asks: "Which memory do you mean? Say “change memory”, its id and “to:” with what it should say.",
		said: []string{
			"update|change|correct|edit|replace my|the|that|this? memory|note about|on|of * to|by|with :? *",
			"update|change|correct|edit|replace what i|we said|told|noted you? about|on|of * to|by|with :? *",
			"update|change|correct|edit|replace it|that|this memory|note? to|by|with :? *",
		},
	},
	"label": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"update", "change", "edit", "set"}, takes: []string{"tags", "labels"},
		slot: textSlot, whole: true, topic: true, asks: "Which memory do you mean? Say “what do I know about …” first, or “tag the memory about … as …”.",
		said: []string{"tag|label it|that|this memory|note? as|with|:? *", "tag|label my|the|that|this? memory|note about|on|of * as|with|: :? *"},
	},
	"tagged": {
		about: []string{"memory", "note"}, does: []string{"list", "show", "get"}, slot: taggedSlot, asks: "Which tag do you mean?",
		said: []string{
			"list|show|find|get|give|search me? all|my|the? memories|notes that|which? are? tagged|labelled|labeled as|with? *",
			"list|show|find|get|give|search me? all|my|the? memories|notes with|having|of|under a|the? tag|tags|label *",
			"which|what memories|notes are|is|do|i|have? tagged|labelled|labeled as|with? *", "which|what memories|notes have|has the? tag|label *", "memories|notes tagged as|with? *",
		},
	},
	"correct": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"update", "change", "edit", "set"}, takes: []string{"content", "text", "memory", "body"},
		slot: textSlot, whole: true, exact: true, asks: "Which memory do you mean? Say “change memory”, its id and “to:” with what it should say. “Forget what I said about …” shows ids.",
		said: []string{"update|change|correct|edit the? memory|note * to|: :? *"},
	},
	"recall": {
		offers:  offersMemory,
		example: "what do I know about Globex?",
		about:   []string{"memory", "note", "fact", "reminder"}, does: []string{"search", "find", "recall", "query", "retrieve", "lookup"}, takes: []string{"query", "q", "text", "term", "search"},
		slot: phraseSlot, asks: "What should I look for in your memories?",
		said: []string{
			"what do|did i|you|we know|remember|recall about|of|on *", "what do|did i|you|we have noted|remembered|stored|written about|of|on *",
			"what did|have i|we tell|told|say|said|mention|mentioned|write|wrote|written|note|noted|ask|asked to? you? about|of|on|regarding *",
			"do|did you still? remember|recall anything|something|what? about|of? *", "recall what i|we said|told|know|noted you? about? *",
			"remind me about|of *", "remind me what i|we said|told|know|noted you? about|of *",
			"search|check|query|look in|through|into|up? my|your|the? memory|memories|notes for|about|on *",
			"find|show|get|list|give me? my|the|all|any? memories|notes|memory about|on|of|for|with|mentioning|regarding *",
			"is|are there any|a? memory|memories|notes about|on|of|for *", "any memories|notes about|on|of *",
			"have i|we told|mentioned|said|noted to? you? anything|something? about|of|on *",
			"what is|was|are|do? in? my memories|notes say? about|on *",
			"when did|have i|we tell|told|mention|mentioned|say|said|talk you|to? about|of|on|regarding *", "did|have|has i|we ever? tell|told|mention|mentioned|say|said you? that|about|of? *",
			"tell me everything|anything|all|what you|i|we know|remember about|of *", "remind me what i|we said|told|know|noted you? regarding|concerning *",
			"is|are there? anything|something about|on|regarding * in my|the|your? notes|memories|memory", "which|what of? my|the? memories|notes mention|mentions|contain|contains *",
			"do|did? you? remember when|what|how|who|where i|we|you talked|talk|spoke|said|told|met|discussed me|you? about? *",
		},
		perhaps: []string{
			"when|who is|are|was|were my *", "recall *", "what do|did i|you|we have on|about *",
			"do|did|have i|we|you have|got|keep? any|some|a? note|notes|memory|memories on|about|of *",
			"do|did you|we|i know anything|something|of? about|of|on *", "is there? anything|something known? about|on|of *", "what is known about|of *",
		},
	},
	"memories": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"list", "show", "get"},
		said: []string{
			"list|show|display|give|see|view|get me? all|of? my|your|the|these|stored|saved? memories|notes|memory",
			"what do|did you remember|recall", "what have i told you", "what memories|notes do|have i|you have", "which memories|notes do|have i|you have|are|there",
			"my memories|notes", "what was|is the last|latest|newest|most recent? thing|things i|we told|said|asked you|to? remember?",
		},
	},
	"none": {
		about: []string{"memory", "note", "fact", "reminder"}, does: []string{"list"}, bare: true,
		said: []string{"how many memories|notes|facts|reminders *", "number|count of|my|the? memories|notes *", "count my|the|all? memories|notes", "do i|you|we have any|some memories|notes"},
	},
	"export": {
		about: []string{"memory", "note", "fact"}, does: []string{"export", "dump", "download", "backup"},
		said: []string{"export|download|dump|save all|of? my|the|your? memories|notes to|as|into? a|json? file?", "back up? all? my|the? memories|notes", "backup of? my|the? memories|notes"},
	},
	"index": {
		offers:  "answer questions about code, once it is indexed",
		example: "index this repository",
		about:   []string{"index", "repo", "repository", "workspace"}, does: []string{"ensure", "create", "build", "make", "index", "update"}, takes: []string{"path", "folder", "directory", "dir", "root"},
		slot: pathSlot,
		said: []string{
			"index|reindex|scan this|the|my|our|current|local? repository|repo|folder|project|codebase|code|directory|workspace|source|sources base|code|folder|here|again? at|in|under|of|: *",
			"index|reindex|scan this|the|my|our|current|local? repository|repo|folder|project|codebase|code|directory|workspace|source|sources base|code|folder|here|again?",
			"build|make|create|update|refresh an|the? index of|for|over? this|the|my|our? repository|repo|folder|project|codebase|code|directory *",
			"build|make|create|update|refresh an|the? index of|for|over? this|the|my|our? repository|repo|folder|project|codebase|code|directory",
		},
		perhaps: []string{"index|reindex *"},
	},
	"dependents": {
		about: []string{"dependent", "caller", "usage", "reference", "importer"}, takes: []string{"filepath", "file", "path", "symbol", "name", "target", "module"},
		kinds: []string{"file", "module", "package", "class", "function", "method", "source", "script"},
		slot:  thingSlot, asks: "Which file or module do you mean?",
		said: []string{
			"show|list|find|get|give me? all? the? dependents|importers of|for *", "dependents|importers of *",
			"which|what other? files|modules|packages|classes|functions|methods|sources|scripts|code depend|depends|rely|relies on *", "which|what other? files|modules|packages|sources|scripts|code import|imports|include|includes *",
			"how many other? files|modules|packages|classes|sources|scripts depend|depends|rely|relies on *", "how many other? files|modules|packages|sources|scripts import|imports|include|includes *",
		},
		perhaps: []string{
			"show|list|find|get|give me? all? the? callers of|for *", "callers of *",
			"which|what files|modules|packages|functions|methods|classes|sources|scripts|code use|uses|import|imports|call|calls|include|includes|reference|references *",
			"what|who depends|depend|relies on *", "what|who uses|imports|calls|includes|references|invokes *", "where is|are|gets * used|called|imported|referenced|invoked",
			"what would break|breaks if i|we? change|changed|remove|removed|touch *", "usages|users|references of|to *",
		},
	},
	"symbol": {
		about: []string{"index", "repo", "repository", "code", "codebase"}, does: []string{"ask", "explain", "answer"}, takes: []string{"question", "query"}, slot: questionSlot, named: true,
		perhaps: []string{
			"what|who|which functions|function|methods|method|code|files|places|tests? calls|call|invokes|invoke|uses|use|references|reference *", "where is|are|do|does we|it? * used|called|referenced|invoked|use|call",
			"callers|usages|users|uses|references|call sites? of|to *", "show|list|find|give|who|what|where me|are|is? all? the? callers|usages|users|uses|references|call sites? of|to *",
			"where is|are|can|do i|we? find? the? definition|declaration of *", "where is|are * defined|declared|located", "which|what file|package|folder|module defines|declares|has|contains *",
			"show|find|give me? the? definition|declaration of *", "what does|do * do|call|calls|invoke|use", "which functions|methods does|do * call|invoke|use", "what|which tests|test cover|covers|test|tests|exercise *",
		},
	},
	"described": {
		about: []string{"index", "repo", "repository", "code", "codebase"}, does: []string{"ask", "explain", "answer"}, takes: []string{"question", "query"}, slot: questionSlot, named: true, strict: true,
		perhaps: []string{"describe|explain *", "what is *", "where is|are *"},
	},
	"complexity": {
		about: []string{"complexity"}, takes: []string{"files", "file", "filepaths", "filepath", "paths", "path"}, slot: thingSlot,
		said:    []string{"what is|are the? cyclomatic|cognitive complexity of|in *", "show|get|compute|give me? the? cyclomatic|cognitive|code? complexity of|for|in *"},
		perhaps: []string{"how complex|complicated is|are *", "what is|are the? complexity of|in *", "complexity of *"},
	},
	"similar": {
		about: []string{"similar"}, does: []string{"find", "search", "get"}, takes: []string{"code", "snippet", "text"}, slot: codeSlot, whole: true, asks: "Which code should it be similar to? Paste it behind a colon.",
		said: []string{
			"find|show|search|list|get me? all|any|other|more? functions|function|methods|code|snippets|chunks that? is|are|looks|look? similar|like to? this|the|following? code|function|snippet|one? :? *",
			"what|which functions|code|methods? is|are|looks|look? similar to this|the|following? code|function|snippet|one? :? *",
		},
	},
	"functions": {
		about: []string{"function", "symbol", "method"}, kinds: []string{"class"}, does: []string{"list", "find", "get", "search"}, takes: []string{"pattern", "name", "query"}, slot: patternSlot,
		said: []string{
			"list|show|find|get|give me? all|the|any? functions|function|methods|method|symbols|classes that? are|is? named|called|matching|like *",
			"list|show|find|get|give me? all|the|any? functions|function|methods|method|symbols|classes whose|with the|a? name|names is|are|like|match|matches|contains|contain|matching? *",
			"which|what functions|methods|symbols|classes are|is|do|does? named|called|match|matches|matching *",
			"functions|methods|symbols|classes named|called|matching *", "is|are|do|does we|there|it? have? a|any|some? function|functions|method|methods|symbol|class|classes that|which|is|are? named|called|matching *",
		},
	},
	"members": {
		about: []string{"function", "symbol", "method"}, kinds: []string{"class"}, does: []string{"list", "find", "get"}, takes: []string{"path", "filepath", "file"}, slot: thingSlot,
		said: []string{
			"which|what functions|methods|symbols|classes are|is? there? in|inside|within|of the? file|folder|package? *",
			"list|show|find|get|give me? all|the|any? functions|methods|symbols|classes in|inside|within|of the? file|folder|package? *",
		},
	},
	"files": {
		about: []string{"file", "context"}, does: []string{"get", "show", "read"}, takes: []string{"filepath", "file", "path"}, slot: thingSlot, asks: "Which file do you mean?",
		said: []string{"show|get|give me? the? context of|for|around *", "what is|are related to the? file *", "which|what tests|test cover|covers|belong|belongs|test|tests to? the? file *", "what|which|show|list|find|get me|are|is? all? the? tests of|for *"},
	},
	"explain": {
		about: []string{"index", "repo", "repository", "code", "codebase"}, does: []string{"ask", "explain", "answer"}, takes: []string{"question", "query"}, slot: questionSlot,
		said: []string{
			"how|why|when|where|what|who does|do|is|are|did|can|happens|starts|calls * in|inside|within this|the|our|my repository|repo|codebase",
			"explain|describe|tell how|me|about|why? * in|of|inside this|the|our|my repository|repo|codebase",
			"ask the? index|repository|repo|codebase :|, *",
		},
		perhaps: []string{"how does|do|is|are * work|works|working|implemented|structured|organized|organised", "how|why|where|what does|do|is|are|happens * in|inside|within this|the|our|my project|code|source"},
	},
	"code": {
		about: []string{"code", "semantic", "repo", "repository", "source", "codebase"}, does: []string{"search", "find", "query", "lookup"}, takes: []string{"query", "q", "question", "text"}, slot: phraseSlot, asks: "What should I look for in the code?",
		said: []string{
			"search|grep|scan|look|check through|in|into|at? this|the|my|our? source? code|codebase|repository|repo|sources|source for|about *",
			"where is|are|do|does * in|inside this|the|our|my repository|repo|codebase", "semantic search for|: *", "search semantically for *",
		},
		perhaps: []string{
			"where is|are|do|does|gets|we|i * handled|handle|implemented|implement|defined|define|declared|computed|compute|parsed|parse|validated|validate|checked|check|configured|configure|created|create|set|done|initialized|started|opened|read|written|wrapped|logged|sent|saved|stored|loaded|built|cached|retried|raised|thrown|caught|registered|generated|rendered|sorted|filtered|decided|chosen|counted",
			"where do|does|did we|it|they|you|i|the *",
			"how is|are * handled|implemented|computed|parsed|validated|checked|configured|created|done|encoded|stored",
			"find the|all|any? code|function|functions|method|methods that|which|for|where|with *",
			"which|what function|functions|method|methods|class|code|file|module handles|handle|implements|implement|parses|parse|computes|validates|creates|starts|opens|writes|reads|does|sends|checks *",
			"where is|are the? code|function|method|class|type for|of *",
		},
	},
	"compatible": {
		offers:  "know personas, their goals and relationships",
		example: "how compatible are Lila and Don?",
		about:   []string{"compatibility"}, slot: namesSlot, asks: "Which two do you mean?",
		said: []string{
			"how compatible|well are|is|would|do|does|will * match|fit|together|along|get|be?", "are|is|would|will * compatible|match|matching with? *", "are|is|would|will * compatible",
			"analyze|analyse|check|assess|compute|show|what me? is? the? compatibility of|between|for *", "compatibility of|between *", "do|does|would|will|can * get|fit along|together",
		},
	},
	"goals": {
		about: []string{"goal"}, does: []string{"assess", "check", "get", "show", "list"}, slot: namesSlot, asks: "Whose goals do you mean?",
		said: []string{
			"assess|check|show|list|get|track the? goal|goals progress? of|for *", "assess|check|track the? progress of|for goals|goal of *", "how is|are|does|do * doing|going|coming with|on|along his|her|their|the? goals|goal",
			"how far is|are|has|have * come? with|from|towards|toward his|her|their|the? goals|goal",
		},
	},
	"strategy": {
		about: []string{"strategy"}, slot: namesSlot, asks: "Whose strategy do you mean?",
		said: []string{"which|what strategy should|would|could|does|fits|suits|is best|for|good? *", "choose|select|suggest|pick a|the? strategy for *"},
	},
	"respond": {
		about: []string{"response", "reply", "answer"}, does: []string{"generate", "write", "suggest", "create"}, takes: []string{"context", "message", "situation", "text"}, slot: textSlot, whole: true, asks: "To what should the persona respond?",
		said: []string{"how|what would|could|should|might * respond|answer|reply|react|say to|when|if :? *", "write|generate|suggest a? response|reply|answer of|from|by|for * to|when|if :? *"},
	},
	"settle": {
		about: []string{"relationship"}, does: []string{"commit", "save", "store"}, slot: namesSlot, asks: "Which two do you mean?",
		said: []string{"commit|save|confirm the|state|of? relationship state? of|between *"},
	},
	"finish": {
		about: []string{"session"}, does: []string{"finalize", "finish", "end", "close"},
		said: []string{"finalize|finish|end|wrap|close up? the|this|our? demo session?", "finalize|finish|wrap up? the|this? demo? session"},
	},
	"relate": {
		about: []string{"relationship", "relation"}, does: []string{"update", "change", "adjust", "set"}, slot: changeSlot, asks: "By how much should it change? Say a number, such as “by 2”.",
		said: []string{"raise|increase|improve|strengthen|boost|deepen|grow|lower|decrease|reduce|weaken|drop|cut|diminish" +
			"|change|adjust|update|set the? * between|of|from|among|for *"},
	},
}

// meaningOrder is the order in which meanings are tried: what says more comes first.
var meaningOrder = []string{"interact", "keep", "correct", "amend", "label", "wipe", "tagged", "forget", "export", "recall", "none", "memories", "relate", "settle", "compatible", "goals", "strategy", "respond", "finish", "similar", "symbol", "described", "dependents", "complexity", "functions", "members", "files", "index", "code", "explain"}

// sinking are words of a change that make something less.
var sinking = plan.WordSet("lower decrease reduce weaken drop cut diminish")

// spoken is a way in which a message says a meaning.
type spoken struct {
	m      *meaning
	id     string
	object []token // what stands for the last *
	all    []token // the clause
}

// readMeanings finds what a message, or a clause of it, says, in the order of meaningOrder. loose takes the phrases that may be
// questions about tables too. whole is for meanings that reach to the end of the message.
func readMeanings(toks []token, loose, whole bool) (out []spoken) {
	for _, id := range meaningOrder {
		m := meanings[id]
		if m.whole != whole {
			continue
		}
		phrases := meaningPhrases[id].said
		if loose {
			phrases = meaningPhrases[id].perhaps
		}
		for i := range phrases {
			if object, ok := phrases[i].match(toks); ok {
				out = append(out, spoken{m: m, id: id, object: object, all: toks})
				break
			}
		}
	}
	return out
}
