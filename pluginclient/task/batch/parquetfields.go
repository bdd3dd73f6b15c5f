package batch

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// maxFieldColumns bounds the columns for fields, each of which needs memory for a page.
const maxFieldColumns = 100

// parquetColumns are the columns for the operations and fields of positions. The rows of the first row
// group decide their names and types. They repeat what the columns ops and fields have, so that nothing
// is lost where a column cannot hold a later value, and reading needs no other columns.
type parquetColumns struct {
	at   map[string]int // of the fields by name, among those of row
	row  reflect.Type   // parquetRow with the columns behind its own
	lost int            // later values without a column or not of its type
}

// newParquetColumns returns the columns for the fields of the first rows.
func newParquetColumns(first []Fields) *parquetColumns {
	var names []string
	types := map[string]reflect.Type{}
	for _, fields := range first {
		for _, f := range fields {
			if _, known := types[f.Name]; !known && len(names) < maxFieldColumns && canNameColumn(f.Name) {
				names = append(names, f.Name)
			}
			types[f.Name] = commonType(types[f.Name], typeOf(f.Value))
		}
	}
	c := &parquetColumns{at: map[string]int{}}
	columns := reflect.VisibleFields(reflect.TypeFor[parquetRow]())
	for _, name := range names {
		t := types[name]
		if t == nil { // all of them are null
			t = stringType
		}
		c.at[name] = len(columns)
		taken := slices.ContainsFunc(parquetSchema().Fields(), func(f parquet.Field) bool { return strings.EqualFold(f.Name(), name) })
		if taken || strings.HasPrefix(name, fieldPrefix) {
			name = fieldPrefix + name
		}
		columns = append(columns, reflect.StructField{
			Name: fmt.Sprintf("Own%d", len(columns)), Type: reflect.PointerTo(t),
			Tag: reflect.StructTag("parquet:" + strconv.Quote(name+",optional")),
		})
	}
	c.row = reflect.StructOf(columns)
	return c
}

// canNameColumn reports whether the name of a field can be that of a column, which stands in a tag.
func canNameColumn(name string) bool {
	return name != "" && name != "-" && utf8.ValidString(name) && !strings.Contains(name, ",")
}

func (c *parquetColumns) rowOf(row parquetRow, own Fields) any {
	v, fixed := reflect.New(c.row).Elem(), reflect.ValueOf(row)
	for i := range fixed.NumField() {
		v.Field(i).Set(fixed.Field(i))
	}
	for _, f := range own {
		at, ok := c.at[f.Name]
		if ok && string(f.Value) != "null" {
			value := reflect.New(c.row.Field(at).Type.Elem())
			if err := json.Unmarshal(f.Value, value.Interface()); err != nil {
				var text *string
				if text, ok = value.Interface().(*string); ok {
					*text = string(f.Value)
				}
			}
			if ok {
				v.Field(at).Set(value)
			}
		}
		c.lost += boolToInt(!ok)
	}
	return v.Interface()
}

var (
	stringType = reflect.TypeFor[string]()
	floatType  = reflect.TypeFor[float64]()
	intType    = reflect.TypeFor[int64]()
)

// typeOf returns the type of a column for a value; nil for null. A list or an object is a text, and so is a
// number that is too large.
func typeOf(value json.RawMessage) reflect.Type {
	text := string(value)
	switch {
	case text == "null":
		return nil
	case text == "true" || text == "false":
		return reflect.TypeFor[bool]()
	case !strings.Contains("-0123456789", text[:1]):
		return stringType
	}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return intType
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") {
		return floatType
	}
	return stringType
}

// commonType returns the type of a column for values of two types.
func commonType(a, b reflect.Type) reflect.Type {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	case (a == intType || a == floatType) && (b == intType || b == floatType):
		return floatType
	}
	return stringType
}
