package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// jsonPosition is a position in a line of JSON. An answer of 'qhsh hints' is a position too;
// its bad lines are as bad as before. Keys that are neither of a position nor of an answer are
// kept as operations of EPD, see others.
type jsonPosition struct {
	FEN   *string   `json:"fen"`
	Moves jsonTexts `json:"moves"`
	ID    jsonID    `json:"id"`
	BM    jsonTexts `json:"bm"`
	AM    jsonTexts `json:"am"`
	Ops   string    `json:"ops"`
	Input *string   `json:"input"`
}

// readKeys are those of a jsonPosition.
var readKeys = []string{"fen", "moves", "id", "bm", "am", "ops", "input"}

var (
	errNoObject = errors.New(`want an object on each line, such as {"fen": "..."}`)
	errList     = fmt.Errorf("%w: jq -c '.[]' FILE makes that of a list", errNoObject)
	errOpen     = errors.New("the object does not end on its line: jq -c . FILE puts each on one, jq -c '.[]' FILE those of a list")
	errNoFEN    = errors.New("the key fen is missing")
)

func parseJSON(game engine.Game, line string) batch.Item {
	record, err := readJSON(line)
	if err != nil {
		return batch.Item{Input: batch.Excerpt(line), Err: err}
	}
	item := record.Item(game)
	item.Input = batch.Excerpt(line)
	return item
}

func readJSON(line string) (batch.Record, error) {
	var p jsonPosition
	if strings.HasPrefix(line, "[") {
		return batch.Record{}, errList
	}
	if !strings.HasPrefix(line, "{") {
		return batch.Record{}, errNoObject
	}
	if err := json.Unmarshal([]byte(line), &p); err != nil {
		return batch.Record{}, explainJSON(err)
	}
	if p.FEN == nil {
		p.FEN = p.Input
	}
	if p.FEN == nil {
		return batch.Record{}, errNoFEN
	}
	return batch.Record{
		Text: *p.FEN, Moves: p.Moves, ID: string(p.ID), BM: p.BM, AM: p.AM,
		Ops: append(batch.ParseOps(p.Ops), othersOfJSON(line)...),
	}, nil
}

// explainJSON says what to do about an object that is no line.
func explainJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input" {
		return errOpen
	}
	return engine.ExplainJSON(err)
}

// jsonTexts is a list of texts, or a text with several parted by blanks or commas.
type jsonTexts []string

func (t *jsonTexts) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*t = batch.SplitMoves(text)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// jsonID is a text or a number.
type jsonID string

func (id *jsonID) UnmarshalJSON(data []byte) error {
	var number json.Number
	if data[0] != '"' && json.Unmarshal(data, &number) == nil {
		*id = jsonID(number)
		return nil
	}
	return json.Unmarshal(data, (*string)(id))
}
