package script

import (
	"maps"
	"slices"

	"go.starlark.net/syntax"
)

// Names in a rewritten program, which no script can contain.
const (
	operandName   = "+"     // x + y
	addendName    = "+="    // the right side of x += y
	inPlaceName   = "*="    // that of x *= y and the like
	slicedName    = "[:]"   // x[i:j]
	targetName    = "[]="   // x[i] = y
	spreadName    = "**"    // f(*x)
	methodPrefix  = "."     // x.join
	collectorName = "#"     // what a comprehension collects in; a variable of it
	listName      = "[for"  // that of a list
	dictName      = "{for"  // that of a dict
	collectedName = "[for]" // what it has collected
)

// rewrite changes a program so that operations that could create a large value check the memory
// first, by marks around their operands. Results, evaluation order and the positions of errors stay
// the same.
func rewrite(file *syntax.File) { new(rewriter).stmts(file.Stmts) }

// rewriteExpr rewrites an expression of a prompt.
func rewriteExpr(e syntax.Expr) syntax.Expr { return new(rewriter).expr(e) }

// A rewriter rewrites statements outside functions, or the body of one function. A function copies its
// marks to local variables, which are faster than predeclared names.
type rewriter struct {
	local map[string]bool // marks of the function; nil outside functions and in a lambda
}

// localSuffix is appended to the name of a mark in a local variable.
const localSuffix = " "

// withMarks returns a function's body with assignments of its marks in front.
func (r *rewriter) withMarks(def *syntax.DefStmt) []syntax.Stmt {
	var marks []syntax.Stmt
	for _, name := range slices.Sorted(maps.Keys(r.local)) {
		marks = append(marks, &syntax.AssignStmt{
			OpPos: def.Def, Op: syntax.EQ, LHS: hidden(name+localSuffix, def.Def), RHS: hidden(name, def.Def),
		})
	}
	first := 0
	if stmt, ok := def.Body[0].(*syntax.ExprStmt); ok && isLiteral(stmt.X) {
		first = 1 // the docstring
	}
	return slices.Insert(slices.Clone(def.Body), first, marks...)
}

func (r *rewriter) stmts(stmts []syntax.Stmt) {
	for _, stmt := range stmts {
		r.stmt(stmt)
	}
}

func (r *rewriter) stmt(stmt syntax.Stmt) {
	switch s := stmt.(type) {
	case *syntax.AssignStmt:
		if op := spelledOut[s.Op]; op != 0 && simple(s.LHS) {
			s.Op, s.RHS = syntax.EQ, &syntax.BinaryExpr{X: copied(s.LHS), OpPos: s.OpPos, Op: op, Y: s.RHS}
		}
		r.target(s.LHS)
		s.RHS = r.expr(s.RHS)
		if name := rightMarks[s.Op]; name != "" && !harmless(s.Op, s.RHS) {
			s.RHS = r.marked(name, s.OpPos, s.RHS)
		}
	case *syntax.DefStmt:
		r.exprs(s.Params)
		inner := rewriter{local: map[string]bool{}}
		inner.stmts(s.Body)
		s.Body = inner.withMarks(s)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.ForStmt:
		r.target(s.Vars)
		s.X = r.expr(s.X)
		r.stmts(s.Body)
	case *syntax.WhileStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.True)
		r.stmts(s.False)
	case *syntax.ReturnStmt:
		s.Result = r.expr(s.Result)
	}
}

// target rewrites what is evaluated on the left side of an assignment.
func (r *rewriter) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		r.target(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = r.marked(targetName, e.Lbrack, r.expr(e.X)), r.expr(e.Y)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
	}
}

func (r *rewriter) exprs(list []syntax.Expr) {
	for i := range list {
		list[i] = r.expr(list[i])
	}
}

// expr rewrites an expression; nil is one that is not there.
func (r *rewriter) expr(expr syntax.Expr) syntax.Expr {
	switch e := expr.(type) {
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
		if guardedNames[e.Name.Name] {
			return r.marked(methodPrefix+e.Name.Name, e.Dot, e.X)
		}
	case *syntax.ListExpr:
		r.exprs(e.List)
	case *syntax.TupleExpr:
		r.exprs(e.List)
	case *syntax.DictExpr:
		r.exprs(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = r.expr(e.Key), r.expr(e.Value)
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.UnaryExpr:
		e.X = r.expr(e.X)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = r.expr(e.X), r.expr(e.Lo), r.expr(e.Hi), r.expr(e.Step)
		e.X = r.marked(slicedName, e.Lbrack, e.X)
	case *syntax.CallExpr:
		e.Fn = r.expr(e.Fn)
		r.exprs(e.Args)
		for _, arg := range e.Args {
			if star, ok := arg.(*syntax.UnaryExpr); ok && (star.Op == syntax.STAR || star.Op == syntax.STARSTAR) {
				star.X = r.marked(spreadName, star.OpPos, star.X)
			}
		}
	case *syntax.LambdaExpr:
		r.exprs(e.Params)
		e.Body = new(rewriter).expr(e.Body)
	case *syntax.Comprehension:
		return r.comprehension(e)
	}
	return expr
}

func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	if e.Op != syntax.EQ { // else NAME=VALUE of a call or a definition
		e.X = r.expr(e.X)
	}
	e.Y = r.expr(e.Y)
	switch {
	case !guardedOps[e.Op] || harmless(e.Op, e.X) || harmless(e.Op, e.Y):
		return e
	case e.Op == syntax.STAR: // either may be a number
		e.X, e.Y = r.factor(e, e.X), r.factor(e, e.Y)
	case e.Op == syntax.PERCENT || e.Op == syntax.LTLT || !isLiteral(e.X):
		e.X = r.marked(operandName, e.OpPos, e.X)
	case !isLiteral(e.Y):
		e.Y = r.marked(operandName, e.OpPos, e.Y)
	}
	return e
}

// factor returns a factor with its mark, unless it is an integer literal.
func (r *rewriter) factor(e *syntax.BinaryExpr, x syntax.Expr) syntax.Expr {
	if lit, ok := x.(*syntax.Literal); ok && lit.Token == syntax.INT {
		return x
	}
	return r.marked(operandName, e.OpPos, x)
}

// guardedOps are the operators that can create large values.
var guardedOps = map[syntax.Token]bool{
	syntax.PLUS: true, syntax.STAR: true, syntax.PERCENT: true, syntax.LTLT: true,
	syntax.MINUS: true, syntax.AMP: true, syntax.PIPE: true, syntax.CIRCUMFLEX: true,
}

// rightMarks are the marks for the right side of assignments.
var rightMarks = map[syntax.Token]string{
	syntax.PLUS_EQ: addendName, syntax.STAR_EQ: inPlaceName, syntax.MINUS_EQ: inPlaceName, syntax.AMP_EQ: inPlaceName,
	syntax.PIPE_EQ: inPlaceName, syntax.CIRCUMFLEX_EQ: inPlaceName,
}

// spelledOut are the operators of assignments whose left operand decides what happens, so that a mark
// on the right side has no effect: x %= y becomes x = x % y.
var spelledOut = map[syntax.Token]syntax.Token{syntax.PERCENT_EQ: syntax.PERCENT, syntax.LTLT_EQ: syntax.LTLT}

// simple reports whether an expression may be evaluated twice.
func simple(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Ident, *syntax.Literal:
		return true
	case *syntax.ParenExpr:
		return simple(e.X)
	case *syntax.IndexExpr:
		return simple(e.X) && simple(e.Y)
	case *syntax.DotExpr:
		return simple(e.X)
	}
	return false
}

// copied returns a simple expression once more.
func copied(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: e.NamePos, Name: e.Name}
	case *syntax.ParenExpr:
		return copied(e.X)
	case *syntax.IndexExpr:
		return &syntax.IndexExpr{X: copied(e.X), Lbrack: e.Lbrack, Y: copied(e.Y), Rbrack: e.Rbrack}
	case *syntax.DotExpr:
		return &syntax.DotExpr{X: copied(e.X), Dot: e.Dot, NamePos: e.NamePos, Name: e.Name}
	}
	return e
}

// harmless reports whether an operator with this operand creates nothing large, whatever the other
// operand is.
func harmless(op syntax.Token, e syntax.Expr) bool {
	lit, ok := e.(*syntax.Literal)
	if !ok || lit.Token != syntax.INT && lit.Token != syntax.FLOAT {
		return false
	}
	switch op {
	case syntax.STAR, syntax.STAR_EQ:
		return lit.Token == syntax.FLOAT
	case syntax.PERCENT, syntax.PERCENT_EQ, syntax.LTLT, syntax.LTLT_EQ:
		return false // the other one may be a text, or a large number
	}
	return true
}

func isLiteral(e syntax.Expr) bool {
	_, ok := e.(*syntax.Literal)
	return ok
}

// comprehension makes a comprehension add its elements to a collector: [x for v in y] becomes
// collected[[c for c in new if not [0 for v in y if c[x]]]], where c[x] adds x and is false.
func (r *rewriter) comprehension(e *syntax.Comprehension) syntax.Expr {
	e.Body = r.expr(e.Body)
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			r.target(c.Vars)
			c.X = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
	at, _ := e.Body.Span()
	kind, elem := listName, e.Body
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		kind, at = dictName, entry.Colon
		elem = &syntax.TupleExpr{Lparen: at, List: []syntax.Expr{entry.Key, entry.Value}, Rparen: at}
	}
	first := e.Clauses[0].(*syntax.ForClause).For
	inner := &syntax.Comprehension{
		Lbrack: e.Lbrack, Rbrack: e.Rbrack,
		Body:    &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: "0", Value: int64(0)},
		Clauses: append(e.Clauses, &syntax.IfClause{If: at, Cond: indexed(collectorName, at, elem)}),
	}
	return r.marked(collectedName, e.Lbrack, &syntax.Comprehension{
		Lbrack: e.Lbrack, Rbrack: e.Rbrack,
		Body: hidden(collectorName, first),
		Clauses: []syntax.Node{
			&syntax.ForClause{For: first, Vars: hidden(collectorName, first), X: hidden(kind, first)},
			&syntax.IfClause{If: first, Cond: &syntax.UnaryExpr{OpPos: first, Op: syntax.NOT, X: inner}},
		},
	})
}

// marked returns an operand with a mark.
func (r *rewriter) marked(name string, pos syntax.Position, x syntax.Expr) syntax.Expr {
	if r.local != nil {
		r.local[name] = true
		name += localSuffix
	}
	return indexed(name, pos, x)
}

func indexed(name string, pos syntax.Position, x syntax.Expr) syntax.Expr {
	return &syntax.IndexExpr{X: hidden(name, pos), Lbrack: pos, Y: x, Rbrack: pos}
}

// hidden returns a name that scripts do not see.
func hidden(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: name}
}
