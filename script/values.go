package script

// valueFunctions returns the functions that make and show values.
func valueFunctions(g *catalog) []member {
	return []member{
		boardFunction(g), gameFunction, scoreFunction, tableFunction, formatFunction, roundFunction, sumFunction,
		helpFunction(g),
	}
}

// valueClasses returns the kinds of values that they make and that engines answer.
func valueClasses() []*class {
	return []*class{boardClass, outcomeClass, rulingClass, gameClass, gameNodeClass, scoreClass, hintClass, nodeClass}
}
