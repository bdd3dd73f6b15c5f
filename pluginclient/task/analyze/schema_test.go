package analyze

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A schema is the part of JSON Schema that ours uses; any other keyword is an error.
type schema struct {
	Dialect              string             `json:"$schema"`
	Ref                  string             `json:"$ref"`
	Defs                 map[string]*schema `json:"$defs"`
	Title, Description   string
	AnyOf                []*schema
	Type                 any // a string or a list of strings
	Enum                 []any
	Const                any
	Required             []string
	Properties           map[string]*schema
	AdditionalProperties *bool
	Items                *schema
	Minimum, Maximum     *float64
}

func parseSchema(t testing.TB) *schema {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(Schema))
	dec.DisallowUnknownFields()
	var s schema
	if err := dec.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// checkSchema checks a line against a definition of the schema.
func checkSchema(t testing.TB, definition string, line []byte) {
	t.Helper()
	var value any
	if err := json.Unmarshal(line, &value); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	root := parseSchema(t)
	if err := root.Defs[definition].check(root, value); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// check returns why a value does not satisfy the schema.
func (s *schema) check(root *schema, value any) error {
	if s.Ref != "" {
		return root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")].check(root, value)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) || s.Const != nil && s.Const != value {
		return fmt.Errorf("%v is not allowed", value)
	}
	if types := fmt.Sprint(s.Type); s.Type != nil && !slices.ContainsFunc(typesOf(value), func(name string) bool { return strings.Contains(types, name) }) {
		return fmt.Errorf("%v is not of type %v", value, types)
	}
	switch v := value.(type) {
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return fmt.Errorf("%v is out of range", v)
		}
	case []any:
		for _, item := range v {
			if err := s.Items.check(root, item); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.checkObject(root, v)
	}
	return nil
}

func (s *schema) checkObject(root *schema, object map[string]any) error {
	for _, key := range s.Required {
		if _, ok := object[key]; !ok {
			return fmt.Errorf("no key %s", key)
		}
	}
	for key, value := range object {
		property, ok := s.Properties[key]
		if !ok {
			return fmt.Errorf("another key: %s", key)
		}
		if err := property.check(root, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// typesOf returns the names of the types of a value.
func typesOf(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{"string"}
	case bool:
		return []string{"boolean"}
	case float64:
		if v == math.Trunc(v) {
			return []string{"number", "integer"}
		}
		return []string{"number"}
	case []any:
		return []string{"array"}
	case map[string]any:
		return []string{"object"}
	}
	return []string{"null"}
}

// TestSchema: all requests and answers of the transcripts satisfy the schema, except the lines
// of invalid.txt.
func TestSchema(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || files == nil {
		t.Fatal("no transcripts")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			request, ok := strings.CutPrefix(line, "> ")
			switch {
			case strings.HasPrefix(line, "{"):
				checkSchema(t, "answer", []byte(line))
			case !ok || filepath.Base(file) == "invalid.txt":
			case strings.Contains(request, `"action"`):
				checkSchema(t, "action", []byte(request))
			default:
				checkSchema(t, "request", []byte(request))
			}
		}
	}
}
