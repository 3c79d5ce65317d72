# A solver's Python module behind its standard input: text comes in, commands are run at `(check-sat)` and `(get-value ...)`.
import sys

name = sys.argv[1]


def bitwuzla():
    import os
    import tempfile
    import bitwuzla

    state = {}

    def reset():
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        state["terms"] = bitwuzla.TermManager()
        state["parser"] = bitwuzla.Parser(state["terms"], options)
        state["pending"] = []

    def check(lines):
        parser = state["parser"]
        text = [line for line in lines if not line.startswith(("(check-sat", "(set-option"))]
        parser.parse("\n".join(text), False, False)
        solver = parser.bitwuzla()
        result = str(solver.check_sat()).lower()
        print("sat" if result == "sat" else "unsat" if result == "unsat" else "unknown")

    def values(names):
        solver = state["parser"].bitwuzla()
        declared = {str(term): term for term in state["parser"].get_declared_funs()}
        pairs = []
        for each in names:
            value = solver.get_value(declared[each])
            text = str(value)
            pairs.append("(%s %s)" % (each, text))
        print("(" + " ".join(pairs) + ")")

    return reset, check, values


def cvc5():
    import cvc5

    state = {}

    def reset():
        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        solver.setOption("produce-models", "true")
        state["solver"] = solver
        state["symbols"] = cvc5.SymbolManager(terms)

    def run(text):
        parser = cvc5.InputParser(state["solver"], state["symbols"])
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
        out = ""
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return out.strip()
            out += command.invoke(state["solver"], state["symbols"])

    def check(lines):
        print(run("\n".join(line for line in lines if not line.startswith("(set-option"))))

    def values(names):
        print(run("(get-value (%s))" % " ".join(names)).replace("\n", " "))

    return reset, check, values


reset, check, values = {"bitwuzla": bitwuzla, "cvc5": cvc5}[name]()
reset()
pending = []
for line in sys.stdin:
    line = line.rstrip("\n")
    if line == "(reset)":
        reset()
        pending = []
    elif line.startswith("(get-value"):
        values(line[len("(get-value (") : -2].split())
    else:
        pending.append(line)
        if line == "(check-sat)":
            check(pending)
            pending = []
    sys.stdout.flush()
