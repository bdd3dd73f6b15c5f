package record

import (
	"strings"
	"unicode/utf8"

	"qhsh/engine/record"
)

// provinces are what records put before the names of players, in simplified and traditional
// characters. None is the beginning of another.
var provinces = []string{
	"北京", "天津", "上海", "重庆", "重慶", "河北", "山西", "辽宁", "遼寧", "吉林", "黑龙江", "黑龍江",
	"江苏", "江蘇", "浙江", "安徽", "福建", "江西", "山东", "山東", "河南", "湖北", "湖南", "广东", "廣東",
	"海南", "四川", "贵州", "貴州", "云南", "雲南", "陕西", "陝西", "甘肃", "甘肅", "青海", "内蒙古", "內蒙古",
	"广西", "廣西", "宁夏", "寧夏", "新疆", "西藏", "香港", "澳门", "澳門", "台湾", "台灣", "臺灣", "中国", "中國",
}

// PlayerName returns the name of a player as records write it, without the province before it and
// without the spaces that align Chinese names of two characters with those of three. A province
// stays if no more than one character follows, because no name is that short.
func PlayerName(text string) string {
	name := record.JoinHan(strings.TrimSpace(text))
	for _, province := range provinces {
		rest, ok := strings.CutPrefix(name, province)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, "省市队隊 ")
		if utf8.RuneCountInString(rest) > 1 {
			return rest
		}
	}
	return name
}
