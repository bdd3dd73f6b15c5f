package attach

import (
	"context"
	"fmt"
	"sync"

	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/chessdb"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/serving"
)

// The options of the cloud book.
const (
	urlKey   = "url"
	learnKey = "learn"
)

var _ serving.Foreign = (*chessdb.Client)(nil)

// A cloudBookSession is the local of the cloud book.
type cloudBookSession struct {
	*local
	pluginclient.RepetitionJudge
}

func cloudBook() Row {
	return Row{
		Kind: Kind{
			Name: chessdb.Name, Embedded: true, Network: true,
			Options: []Option{
				{Name: urlKey, Help: "another server of the same program, in quotes: url=\"http://localhost:8000\" (default " + chessdb.DefaultURL + ")"},
				{Name: learnKey, Help: "true: the server may queue the positions that it is asked about for analysis", Words: yesNo},
			},
			Examples: []Example{{chessdb.Name, "the cloud book of Xiangqi at chessdb.cn, which is sent every position"}},
		},
		Parse: parseCloudBook,
	}
}

func parseCloudBook(s Spec) (p Parsed, err error) {
	address, learn := chessdb.DefaultURL, false
	for _, o := range s.Options {
		if o.Key == urlKey {
			address = o.Value
		} else if err := setFlags([]games.Setting{o}, map[string]*bool{learnKey: &learn}); err != nil {
			return p, s.OptionError(err)
		}
	}
	u, err := chessdb.ParseURL(address)
	if err != nil {
		return p, s.OptionError(fmt.Errorf("%s=%s: %w", urlKey, address, err))
	}
	text := "every position is sent to " + u.Host + ", which is told to learn nothing from it"
	if learn {
		text = "every position is sent to " + u.Host + ", which may queue it for analysis (learn=true)"
	}
	var told sync.Once
	p.Game = xiangqi.Rules
	p.Open = func(ctx context.Context, o Options) (pluginclient.Session, error) {
		client := &chessdb.Client{URL: u, Learn: learn, Reply: o.Deadlines.OrDefault().Reply}
		session, latest, err := dialServer(ctx, &qhplugin.Server{Searcher: client, Name: chessdb.Name, Text: []string{text}}, o)
		if err != nil {
			return nil, err
		}
		client.Trace = session.Trace()
		client.Trace.Notef("%s", text)
		if o.Warn != nil {
			told.Do(func() { o.Warn(chessdb.Name + ": " + text) })
		}
		return cloudBookSession{newLocal(session, tracedSearcher{client, client.Trace}, latest), client}, nil
	}
	return p, nil
}
