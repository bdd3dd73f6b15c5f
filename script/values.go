package script

// valueList are the functions that make and show values. It is filled by init, since help
// speaks of itself.
var valueList []member

func init() {
	valueList = []member{boardFunction, gameFunction, scoreFunction, tableFunction, formatFunction, roundFunction, sumFunction, helpFunction}
}

// valueFunctions are the functions that have to do with values alone.
func valueFunctions() []member { return valueList }

// valueClasses are the kinds of values that they make and that engines answer.
func valueClasses() []*class {
	return []*class{boardClass, outcomeClass, rulingClass, gameClass, gameNodeClass, scoreClass, hintClass, nodeClass}
}
