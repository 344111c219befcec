"""Checks that servers of models can make a grammar of a schema, and that the grammar takes plans and refuses what is none.

    check.py LLAMA_CPP_PYTHON.tar.gz [xgrammar] < {"schema": {...}, "good": [...], "bad": [...]}

The makers of grammars: the converter of llama.cpp, as the source of llama-cpp-python has it (Ollama and others use it),
llguidance (vLLM, SGLang and llama.cpp can use it), and, where it is named, xgrammar (vLLM and SGLang; it needs torch). Exit code 1 and a line for each thing that is not as it should be.
"""
import json
import re
import sys
import tarfile
import types

from llguidance import LLMatcher, LLTokenizer


def converter(archive):
    """The module of the converter alone: nothing of it needs the compiled library."""
    with tarfile.open(archive) as tar:
        name = next(n for n in tar.getnames() if n.endswith("llama_cpp/llama_grammar.py"))
        source = tar.extractfile(name).read()
    module = types.ModuleType("llama_grammar")
    sys.modules["llama_grammar"] = module
    exec(compile(source, name, "exec"), module.__dict__)
    return module.json_schema_to_gbnf


class Gbnf:
    """Matches texts against a grammar in llama.cpp's form, by the set of places where each part may end."""

    TOKEN = re.compile(r'\s*("(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[A-Za-z][\w-]*|[()|*+?]|\{\d+(?:,\d*)?\})')

    def __init__(self, grammar):
        self.rules = {}
        for rule in re.split(r"\n(?=[A-Za-z][\w-]* ::=)", grammar.strip()):
            name, body = rule.split("::=", 1)
            self.tokens = self.TOKEN.findall(body)
            self.rules[name.strip()] = self.alternatives()

    def alternatives(self):
        out = [[]]
        while self.tokens and self.tokens[0] != ")":
            token = self.tokens.pop(0)
            if token == "|":
                out.append([])
            elif token in ("*", "+", "?") or token[0] == "{":
                low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(token) or self.times(token)
                out[-1].append(("times", out[-1].pop(), low, high))
            elif token == "(":
                out[-1].append(("any", self.alternatives()))
                self.tokens.pop(0)
            elif token[0] == '"':
                out[-1].append(("text", json.loads(token)))
            elif token[0] == "[":
                out[-1].append(("class", re.compile(token)))
            else:
                out[-1].append(("rule", token))
        return out

    @staticmethod
    def times(token):
        low, _, high = token[1:-1].partition(",")
        return int(low), int(low) if "," not in token else int(high) if high else None

    def ends(self, part, text, at):
        kind, what = part[:2]
        if kind == "text":
            return {at + len(what)} if text.startswith(what, at) else set()
        if kind == "class":
            return {at + 1} if at < len(text) and what.match(text[at]) else set()
        if kind == "times":
            return self.repeated(part, text, at)
        if kind == "rule":
            key = what, at
            if key not in self.seen:
                self.seen[key] = set().union(*(self.sequence(a, text, at) for a in self.rules[what]))
            return self.seen[key]
        return set().union(*(self.sequence(a, text, at) for a in what))

    def repeated(self, part, text, at):
        _, what, low, high = part
        found, last, count = set(), {at}, 0
        while last and (high is None or count <= high):
            if count >= low:
                last = last - found
                found |= last
            last = set().union(*(self.ends(what, text, a) for a in last))
            count += 1
        return found

    def sequence(self, parts, text, at):
        places = {at}
        for part in parts:
            places = set().union(*(self.ends(part, text, a) for a in places))
        return places

    def takes(self, text):
        self.seen = {}
        return len(text) in self.ends(("rule", "root"), text, 0)


class Guidance:
    """Matches texts against the grammar that llguidance makes of a schema."""

    def __init__(self, schema):
        self.grammar = LLMatcher.grammar_from_json_schema(schema)

    def takes(self, text):
        matcher = LLMatcher(LLTokenizer("byte"), self.grammar)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        tokens = list(text.encode())
        return matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting()


class XGrammar:
    """Matches texts against the grammar that xgrammar makes of a schema."""

    def __init__(self, schema):
        import xgrammar
        from xgrammar.testing import _is_grammar_accept_string

        self.grammar, self.accepts = xgrammar.Grammar.from_json_schema(schema), _is_grammar_accept_string

    def takes(self, text):
        return self.accepts(self.grammar, text)


def main():
    task = json.load(sys.stdin)
    schema = json.dumps(task["schema"])
    makers = {
        "llama.cpp": lambda: Gbnf(converter(sys.argv[1])(schema)),
        "llguidance": lambda: Guidance(schema),
    }
    if "xgrammar" in sys.argv[2:]:
        makers["xgrammar"] = lambda: XGrammar(schema)
    failed = 0
    for name, make in makers.items():
        try:
            grammar = make()
            for text, want in [(t, True) for t in task["good"]] + [(t, False) for t in task["bad"]]:
                if grammar.takes(text) != want:
                    print(f"{name}: {'refuses' if want else 'takes'} {text}")
                    failed += 1
        except Exception as error:
            print(f"{name}: makes no grammar: {error}")
            failed += 1
    sys.exit(1 if failed else 0)


main()
