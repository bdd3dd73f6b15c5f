package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	docLink  = regexp.MustCompile(`\[\*?([A-Za-z]\w+(?:\.[A-Za-z]\w*)*)\](?:[^(:\[\w]|$)`)
	articleA = regexp.MustCompile(`\b[Aa] [aeio][a-z]*[A-Z]\w*`)
)

// notLinks are words in brackets that something else wants there.
var notLinks = map[string]bool{"DhtmlXQ": true, "DhtmlXQ_red": true, "P_N_C": true, "LETTER": true, "exec": true, "Hint": true}

// TestComments: the links of doc comments lead somewhere, and an identifier has the article that it is
// read with. A search that replaces words in code leaves others behind in comments.
func TestComments(t *testing.T) {
	files, sources := token.NewFileSet(), map[string]*ast.File{}
	declared := map[string]bool{}   // FOLDER.Name of what is declared, FOLDER.Type.Name of methods and fields
	imported := map[string]string{} // by FOLDER.Package: folders in the repository, or "" elsewhere
	eachSource(t, files, func(name string, file *ast.File) {
		sources[name] = file
		for _, d := range file.Decls {
			addNames(declared, path.Dir(name), d)
		}
		for _, spec := range file.Imports {
			folder := strings.Trim(spec.Path.Value, `"`)
			local := path.Base(folder)
			if spec.Name != nil {
				local = spec.Name.Name
			}
			below, isOurs := strings.CutPrefix(folder, "qhsh/")
			if !isOurs {
				below = ""
			}
			imported[path.Dir(name)+"."+local] = below
		}
	})
	for name, file := range sources {
		here := path.Dir(name) + "."
		for _, group := range file.Comments {
			text, at := group.Text(), files.Position(group.Pos())
			if wrong := articleA.FindString(text); wrong != "" {
				t.Errorf("%v: %s", at, wrong)
			}
			if at.Column > 1 { // within a declaration
				continue
			}
			for _, m := range docLink.FindAllStringSubmatch(text, -1) {
				before, member, _ := strings.Cut(m[1], ".")
				folder, isImported := imported[here+before]
				if !declared[here+m[1]] && !notLinks[m[1]] && !(isImported && (folder == "" || member == "" || declared[folder+"."+member])) {
					t.Errorf("%v: [%s] leads nowhere", at, m[1])
				}
			}
		}
	}
}

// addNames adds what a declaration declares.
func addNames(names map[string]bool, folder string, d ast.Decl) {
	if f, ok := d.(*ast.FuncDecl); ok {
		name := f.Name.Name
		if f.Recv != nil {
			receiver, _, _ := strings.Cut(types.ExprString(f.Recv.List[0].Type), "[")
			name = strings.TrimPrefix(receiver, "*") + "." + name
		}
		names[folder+"."+name] = true
		return
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, n := range spec.Names {
				names[folder+"."+n.Name] = true
			}
		case *ast.TypeSpec:
			names[folder+"."+spec.Name.Name] = true
			ast.Inspect(spec.Type, func(n ast.Node) bool {
				if field, ok := n.(*ast.Field); ok {
					for _, n := range field.Names {
						names[folder+"."+spec.Name.Name+"."+n.Name] = true
					}
				}
				return true
			})
		}
	}
}
