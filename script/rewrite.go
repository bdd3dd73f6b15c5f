package script

import (
	"go.starlark.net/syntax"
)

// The names of the builtins that rewritten programs call, which are not valid identifiers.
const (
	multiplyName   = "*"  // x * y
	multiplyByName = "*=" // the right side of x *= y
	attrName       = "."  // x.join
)

// rewrite changes a program so that operations which could create a very large value check the size
// first: products, and the methods of guardedMethods. Results, evaluation order and positions in
// errors stay the same.
func rewrite(file *syntax.File) { rewriteStmts(file.Stmts) }

func rewriteStmts(stmts []syntax.Stmt) {
	for _, stmt := range stmts {
		rewriteStmt(stmt)
	}
}

func rewriteStmt(stmt syntax.Stmt) {
	switch s := stmt.(type) {
	case *syntax.AssignStmt:
		rewriteTarget(s.LHS)
		s.RHS = rewriteExpr(s.RHS)
		if s.Op == syntax.STAR_EQ && !smallFactor(s.RHS) {
			s.RHS = hiddenCall(multiplyByName, s.OpPos, s.RHS)
		}
	case *syntax.DefStmt:
		rewriteAll(s.Params)
		rewriteStmts(s.Body)
	case *syntax.ExprStmt:
		s.X = rewriteExpr(s.X)
	case *syntax.ForStmt:
		rewriteTarget(s.Vars)
		s.X = rewriteExpr(s.X)
		rewriteStmts(s.Body)
	case *syntax.WhileStmt:
		s.Cond = rewriteExpr(s.Cond)
		rewriteStmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = rewriteExpr(s.Cond)
		rewriteStmts(s.True)
		rewriteStmts(s.False)
	case *syntax.ReturnStmt:
		s.Result = rewriteExpr(s.Result)
	}
}

// rewriteTarget rewrites the left side of an assignment.
func rewriteTarget(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		rewriteTarget(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			rewriteTarget(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			rewriteTarget(x)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = rewriteExpr(e.X), rewriteExpr(e.Y)
	case *syntax.DotExpr:
		e.X = rewriteExpr(e.X)
	}
}

func rewriteAll(list []syntax.Expr) {
	for i := range list {
		list[i] = rewriteExpr(list[i])
	}
}

// rewriteExpr rewrites an expression, which may be nil.
func rewriteExpr(expr syntax.Expr) syntax.Expr {
	switch e := expr.(type) {
	case *syntax.BinaryExpr:
		return rewriteBinary(e)
	case *syntax.DotExpr:
		e.X = rewriteExpr(e.X)
		if guardedMethods[e.Name.Name] != nil {
			return hiddenCall(attrName, e.Dot, e.X, textLiteral(e.Name))
		}
	case *syntax.ListExpr:
		rewriteAll(e.List)
	case *syntax.TupleExpr:
		rewriteAll(e.List)
	case *syntax.DictExpr:
		rewriteAll(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = rewriteExpr(e.Key), rewriteExpr(e.Value)
	case *syntax.ParenExpr:
		e.X = rewriteExpr(e.X)
	case *syntax.UnaryExpr:
		e.X = rewriteExpr(e.X)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = rewriteExpr(e.Cond), rewriteExpr(e.True), rewriteExpr(e.False)
	case *syntax.IndexExpr:
		e.X, e.Y = rewriteExpr(e.X), rewriteExpr(e.Y)
	case *syntax.SliceExpr:
		e.X, e.Lo, e.Hi, e.Step = rewriteExpr(e.X), rewriteExpr(e.Lo), rewriteExpr(e.Hi), rewriteExpr(e.Step)
	case *syntax.CallExpr:
		e.Fn = rewriteExpr(e.Fn)
		rewriteAll(e.Args)
	case *syntax.LambdaExpr:
		rewriteAll(e.Params)
		e.Body = rewriteExpr(e.Body)
	case *syntax.Comprehension:
		rewriteComprehension(e)
	}
	return expr
}

func rewriteBinary(e *syntax.BinaryExpr) syntax.Expr {
	if e.Op != syntax.EQ { // not NAME=VALUE of a call or a definition
		e.X = rewriteExpr(e.X)
	}
	e.Y = rewriteExpr(e.Y)
	if e.Op != syntax.STAR || smallFactor(e.X) || smallFactor(e.Y) {
		return e
	}
	return hiddenCall(multiplyName, e.OpPos, e.X, e.Y)
}

func rewriteComprehension(e *syntax.Comprehension) {
	e.Body = rewriteExpr(e.Body)
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			rewriteTarget(c.Vars)
			c.X = rewriteExpr(c.X)
		case *syntax.IfClause:
			c.Cond = rewriteExpr(c.Cond)
		}
	}
}

// smallFactor reports whether a product with this factor is never much larger than the other one.
func smallFactor(e syntax.Expr) bool {
	lit, ok := e.(*syntax.Literal)
	if !ok {
		return false
	}
	n, isInt := lit.Value.(int64)
	return lit.Token == syntax.FLOAT || isInt && n <= 2
}

// hiddenCall returns a call of a builtin that scripts cannot name.
func hiddenCall(name string, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: pos, Name: name}, Lparen: pos, Args: args, Rparen: pos}
}

func textLiteral(name *syntax.Ident) *syntax.Literal {
	return &syntax.Literal{
		Token: syntax.STRING, TokenPos: name.NamePos, Raw: `"` + name.Name + `"`, Value: name.Name,
	}
}
