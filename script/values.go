package script

import "go.starlark.net/starlark"

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

// tupleOf returns the values of items.
func tupleOf[E any](items []E, value func(E) starlark.Value) starlark.Tuple {
	all := make(starlark.Tuple, len(items))
	for i, item := range items {
		all[i] = value(item)
	}
	return all
}

// listOf returns the values of items as a new list.
func listOf[E any](items []E, value func(E) starlark.Value) *starlark.List {
	return starlark.NewList(tupleOf(items, value))
}

// stringValue returns a string as a value.
func stringValue(text string) starlark.Value { return starlark.String(text) }

// dictOf returns a new dict with an entry for each item. The keys are strings or numbers.
func dictOf[E any](items []E, entry func(E) (key, value starlark.Value)) *starlark.Dict {
	dict := starlark.NewDict(len(items))
	for _, item := range items {
		key, value := entry(item)
		_ = dict.SetKey(key, value) // it is not frozen, and the key can be hashed
	}
	return dict
}
