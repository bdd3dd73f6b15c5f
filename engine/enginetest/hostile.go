package enginetest

// Ran is what the script in hostile texts writes to the console of a browser that runs it.
const Ran = "hostile text ran"

// HostileTexts are names and comments that a format or a page must not take for its own syntax.
var HostileTexts = []string{
	"<script>console.log('" + Ran + "')</script>",
	"</script><script>console.log('" + Ran + "')//",
	`"><img src=x onerror="console.log('` + Ran + `')">`,
	`' onload='console.log("` + Ran + `")' x='`,
	"</title></pre></text></textarea><svg onload=console.log('" + Ran + "')>",
	"<!-- --> --> <!--<script> ]]> <![CDATA[ <?xml ?>",
	"&lt;script&gt;&amp;lt;&#60;&#x3c;&quot",
	"{{title}} {{data}} ${1} `x` {a} }{ \\ \\\" %s %q \\u003c",
	"[DhtmlXQ]x[/DhtmlXQ_red][DhtmlXQ_red]y[/DhtmlXQ]",
	"[Red \"x\"]\n\n1. H2-E2 *",
	"one\ntwo\r\nthree || four",
	"a\u2028b\u2029c",
	"a\x00b\x1b[2Jc\x7fd\u0085e\u009b2J",
	"a\u202eb\u200fc\u2066d\u061c",
	"\ufeffa\ufffeb\uffffc\U0001f600",
	" ends with a space ",
	"炮二平五 <b>ё</b> Ñandú",
}
