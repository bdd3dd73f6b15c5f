package jsonl

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
)

// What a picture may have: shapes and texts, and nothing that runs or that loads something, since it
// becomes part of a page.
var (
	svgElements   = strings.Fields("svg g rect circle ellipse line polyline polygon path text tspan")
	svgAttributes = strings.Fields(`xmlns width height viewBox x y x1 y1 x2 y2 cx cy r rx ry d points dx dy transform fill fill-opacity fill-rule
		stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray opacity
		font-family font-size font-weight text-anchor dominant-baseline textLength xml:space`)
)

// checkSVG returns why a text is not a picture that can be shown.
func checkSVG(text string) error {
	if !strings.HasPrefix(text, "<svg") {
		return errors.New("want a text that begins with <svg")
	}
	for in := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := in.RawToken()
		switch t := token.(type) {
		case nil:
			if err == io.EOF { //nolint:errorlint // as the decoder documents it
				return wellFormed(text)
			}
			return err
		case xml.StartElement:
			if !slices.Contains(svgElements, t.Name.Local) || t.Name.Space != "" {
				return fmt.Errorf("element %s: want %s", engine.Quote(t.Name.Local), strings.Join(svgElements, ", "))
			}
			for _, a := range t.Attr {
				name := strings.TrimPrefix(a.Name.Space+":"+a.Name.Local, ":")
				if !slices.Contains(svgAttributes, name) || strings.Contains(strings.ToLower(a.Value), "url(") {
					return fmt.Errorf("attribute %s: want %s", engine.Quote(name+"="+a.Value), strings.Join(svgAttributes, ", "))
				}
			}
		case xml.EndElement, xml.CharData:
		default:
			return errors.New("want elements and texts alone, without comments and declarations")
		}
	}
}

// wellFormed returns an error of a text that is not one element of XML.
func wellFormed(text string) error {
	var root struct{ XMLName xml.Name }
	in := xml.NewDecoder(strings.NewReader(text))
	if err := in.Decode(&root); err != nil {
		return err
	}
	if rest := strings.TrimSpace(text[in.InputOffset():]); rest != "" {
		return fmt.Errorf("%s follows the picture", engine.Quote(rest))
	}
	return nil
}
