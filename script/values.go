package script

// valueFunctions returns the functions that create and format values.
func valueFunctions(g *catalog) []member {
	return []member{
		boardFunction(g), gameFunction, scoreFunction, tableFunction, formatFunction, roundFunction, sumFunction,
		helpFunction(g),
	}
}

// valueClasses returns the classes of the values that they and engines return.
func valueClasses() []*class {
	return []*class{boardClass, outcomeClass, rulingClass, gameClass, gameNodeClass, scoreClass, hintClass, puzzleClass, playedClass, nodeClass}
}
