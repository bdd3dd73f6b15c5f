package record

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
)

// An Encoding is a text encoding.
type Encoding struct {
	name string                // in the WHATWG's Encoding Standard
	enc  encoding.Encoding     // nil: UTF-8
	bits int                   // how unlikely it is among games
	han  func() map[rune]uint8 // bits of the common Chinese characters; nil: there are none
}

// UTF8 is the encoding of texts that have been decoded.
var UTF8 = &Encoding{"utf-8", nil, 0, sync.OnceValue(func() map[rune]uint8 {
	return rankHan(hanRank{big5Level1(), 11}, hanRank{gbLevel1(), 11}, hanRank{traditionalHan, 8}, hanRank{simplifiedHan, 8})
})}

// encodings are those that are detected. If a text is equally likely in two, the first is chosen.
var encodings = []*Encoding{
	UTF8,
	{"gb18030", simplifiedchinese.GB18030, 0, sync.OnceValue(func() map[rune]uint8 {
		return rankHan(hanRank{traditionalHan, 14}, hanRank{gbLevel1(), 11}, hanRank{simplifiedHan, 8})
	})},
	{"big5", traditionalchinese.Big5, 0, sync.OnceValue(func() map[rune]uint8 {
		return rankHan(hanRank{big5Level1(), 11}, hanRank{traditionalHan, 8})
	})},
	{"windows-1252", charmap.Windows1252, 3, nil},
	{"windows-1251", charmap.Windows1251, 3, nil},
	{"koi8-r", charmap.KOI8R, 8, nil},
	{"ibm866", charmap.CodePage866, 12, nil},
}

// ParseEncoding returns the text encoding with a name or label of the WHATWG's Encoding Standard, such
// as "windows-1252" or "latin1".
func ParseEncoding(label string) (*Encoding, error) {
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil, fmt.Errorf("unknown text encoding %q: use utf-8, gb18030, big5, windows-1252, windows-1251 or another name of the WHATWG's Encoding Standard", label)
	}
	name, err := htmlindex.Name(enc)
	if name == UTF8.name {
		enc = nil
	}
	return &Encoding{name: name, enc: enc}, err
}

func (e *Encoding) String() string {
	if e == nil {
		return ""
	}
	return e.name
}

// decode decodes a text, with the replacement character for what is invalid.
func (e *Encoding) decode(raw []byte) string {
	if e.enc == nil {
		return strings.ToValidUTF8(string(bytes.TrimPrefix(raw, []byte(bom))), string(utf8.RuneError))
	}
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/2)
	_, _ = io.Copy(&b, transform.NewReader(bytes.NewReader(raw), e.enc.NewDecoder())) // what is invalid is no error
	return b.String()
}

// invalidLine returns the first line, from 0, that has invalid bytes, given the decoded text; -1 if there
// is none. A replacement character that the text itself has is valid.
func (e *Encoding) invalidLine(raw []byte, text string) int {
	const replacement = string(utf8.RuneError)
	if !strings.Contains(text, replacement) {
		return -1
	}
	own := []byte(replacement)
	if e.enc != nil {
		own = []byte("\x84\x31\xa4\x37") // in GB18030; other encodings have none
	}
	line := 0
	for part := range bytes.Lines(raw) {
		if strings.Count(e.decode(part), replacement) > bytes.Count(part, own) {
			return line
		}
		line++
	}
	return -1
}

// surprise returns how unlikely a text of games is in an encoding, in bits: rare characters, letters
// of two alphabets in a word, capitals within words, brackets without their counterparts. It is an
// estimate of the length of the text in a code made for such texts (minimum description length), where
// ASCII takes 5 bits a character. The weights fit 300 names and comments in each encoding.
func (e *Encoding) surprise(raw []byte) (bits int) {
	text := string(raw) // in UTF-8 each invalid byte counts
	if e.enc != nil {
		text = e.decode(raw)
	}
	var han map[rune]uint8
	if e.han != nil {
		han = e.han()
	}
	bits = e.bits
	var before, letter rune // the character and the letter before
	for _, r := range text {
		bits += runeBits(before, letter, r, han)
		before = r
		if unicode.IsLetter(r) {
			letter = r
		}
	}
	for _, pair := range []string{"{}", "[]"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
			bits += 20
		}
	}
	if strings.Count(text, `"`)%2 != 0 {
		bits += 20
	}
	return bits
}

// runeBits returns the surprise of a character, given the character and the letter before.
func runeBits(before, letter, r rune, han map[rune]uint8) (bits int) {
	script := scriptOf(r)
	switch {
	case script == nil || script == scriptOf(letter):
	case letter == before:
		bits += 12
	case script != unicode.Han && unicode.Is(unicode.Cyrillic, r) != unicode.Is(unicode.Cyrillic, letter):
		bits += 2
	}
	switch {
	case letter != before || !unicode.IsUpper(r):
	case unicode.IsLower(letter):
		bits += 8
	case unicode.IsUpper(letter):
		bits++
	}
	switch {
	case r == utf8.RuneError, 0x80 <= r && r < 0xa0, unicode.Is(unicode.Co, r):
		return 40
	case 0x2500 <= r && r < 0x25a0: // lines and blocks
		return bits + 24
	case strings.ContainsRune("оеаинтсрвл", r):
		return bits + 4
	case r < 0x80, 'А' <= r && r <= 'я':
		return bits + 5
	case script == unicode.Han && han[r] > 0:
		return bits + int(han[r])
	case script == unicode.Han:
		return bits + 18
	case script == unicode.Latin && before >= 0x80:
		return bits + 11
	case script == unicode.Latin, unicode.Is(unicode.Mn, r) && letter == before:
		return bits + 7
	case 0x3000 <= r && r < 0x3020, 0xff01 <= r && r < 0xff5f, strings.ContainsRune("ёіїєўґЁІЇЄЎҐ«»–—‘’“”„…·°½¡¿±", r):
		return bits + 8
	}
	return bits + 14
}

// scriptOf returns the script of a letter, if it is one of those that encodings are confused with.
func scriptOf(r rune) *unicode.RangeTable {
	if r < utf8.RuneSelf {
		if unicode.IsLetter(r) {
			return unicode.Latin
		}
		return nil
	}
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Han, unicode.Cyrillic} {
		if unicode.Is(script, r) {
			return script
		}
	}
	return nil
}

// A hanRank is the surprise of each of some Chinese characters.
type hanRank struct {
	text string
	bits uint8
}

// rankHan returns the surprise of Chinese characters: of those of moves, and as given, where the last
// counts.
func rankHan(ranks ...hanRank) map[rune]uint8 {
	bits := map[rune]uint8{}
	for _, rank := range append(ranks, hanRank{moveHan, 5}) {
		for _, r := range rank.text {
			bits[r] = rank.bits
		}
	}
	return bits
}

// gbLevel1 and big5Level1 return the characters that the standards give as the common ones.
func gbLevel1() string { return twoBytes(simplifiedchinese.GBK, 0xb0, 0xd7, 0xa1) }

func big5Level1() string { return twoBytes(traditionalchinese.Big5, 0xa4, 0xc6, 0x40) }

// twoBytes returns the characters between two lead bytes whose second byte is at least trail.
func twoBytes(enc encoding.Encoding, from, to, trail byte) string {
	var raw []byte
	for lead := from; lead <= to; lead++ {
		for b := int(trail); b < 0xff; b++ {
			if b < 0x7f || b > 0xa0 {
				raw = append(raw, lead, byte(b))
			}
		}
	}
	text, _ := enc.NewDecoder().Bytes(raw)
	return string(text)
}

// Chinese characters by where they are frequent: in moves, and in the names and comments of games.
const (
	moveHan        = "车車俥马馬傌相象仕士帅帥将將炮砲包兵卒进進退平前后後中一二三四五六七八九胜勝负負和红紅黑"
	simplifiedHan  = "的赛局棋北柳了年方市殺戰實京国全标锦先州不上手吕对钦大双明第化海之子地出李杯安河着是势许有在走如决广以攻图名嘟师初王龙为时成而说击華瑞请再天邀忠屠于覃景纯力此用下官然可变形嘉良利已刘深江能庭人妙战动无璘路步金失要华占复新打好杨胡知来则法制赢开汉顺得回应速山合武榮守头起阵川玉欣賞左我心改专林哈薛义右也作备行这被兑防误尔滨杭慈高入风度面劣强定忆西徐东徽但准从指又松谱何理仍其杀间发多优点欽未十吃借只盘个两黄都呂正使巡末台长福贵侯单底銀口解同意过去就布最反看活换你网沈张楊陳來群立展必至分紧敌线边蓝德小阳家南苏湖陶許龍富并重弃接尽认量仙显抢迫捉日陈赵吴周孙朱郭罗郑梁谢宋唐韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程魏丁任姚卢姜崔钟谭陆汪范石廖贾夏韦付白邹孟熊秦邱尹闫段雷史黎贺顾毛郝龚邵万钱严戴莫孔向汤"
	traditionalHan = "第國賽局先全華北榮棋年廣海江東對上河胡李杯章人大趙欽呂屆州京龍個川來群王體安天楊明團屏林風湖柳徐銀許官張蘇璘南劉嘉左手陳徽攻西良運過文子頭橫黃山漢於殺戰精邀寧請福路波合節順右軍電破浙會錦羊聯正冠遼彩光飛幼新如陶棄妙威直標殿蔣機洪慶金德陽十宮方巧腦門師港雙吉世兌取志謝組梁火入成偉宏強清香娜智首市建底城亞玉忠輪梅連知制鄭未仙永蔡邊的鳳甘挺單列級勢步兩反指擊杭爾瀋式吳濱蛇甲意朱家勇開立巡加卜青孫發名肅春謀高哈爭臧祥孝決洲鑫萬閻武臺陝松實縣廈星莊都周特動敏貴何虎健埠斌鵬汪澳郭昆蚌預惠孟補型盤庭閣泰排霸錢義功利凱揚緊業洋元友英隊逼法霞軒尼深無苗互轉學鴻羅宋唐韓馮鄧曹彭曾肖田董袁潘于余杜葉程魏丁任沈姚盧姜崔鍾譚陸范石廖賈夏韋付白鄒熊秦邱尹薛段雷侯史黎賀顧毛郝龔邵嚴覃戴莫孔向湯"
)
