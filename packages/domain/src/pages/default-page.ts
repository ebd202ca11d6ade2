import type { PageKind, PageLanguage } from '@fairway/contract'
import { PAGE_BOXES } from './page-tokens.ts'

/** Whose name a page bears. Pictures are data addresses: nothing is fetched for a page that tells of an outage. */
export type PageBrand = { companyName: string; brandColor: string; logo: string | null; logoOnDark: string | null }

type Words = {
  title: string
  text: string
  visitor: string
  edge: string
  origin: string
  works: string
  fails: string
  away: string
  id: string
  website: string
  time: string
}

const TAGS: Record<PageLanguage, string> = { en: 'en', zhHant: 'zh-Hant', zhHans: 'zh-Hans' }

/** The page of a brand for a website that has none of its own. */
export function defaultPage(kind: PageKind, language: PageLanguage, brand: PageBrand): string {
  const words = WORDS[kind][language]
  const box = PAGE_BOXES[kind]
  return `<!doctype html>
<html lang="${TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style>
:root{color-scheme:light dark;--ink:#0f131a;--quiet:#657082;--line:#e6e9ee;--canvas:#f7f8fa;--card:#fff;--ok:#0a6b46;--bad:#b01c2a;--brand:${brand.brandColor}}
@media (prefers-color-scheme:dark){:root{--ink:#eef1f6;--quiet:#8a94a6;--line:#222831;--canvas:#0b0d11;--card:#11141a;--ok:#5fd8a6;--bad:#ff8e97}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--canvas);color:var(--ink);font:15px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","PingFang TC","PingFang SC","Noto Sans CJK TC","Noto Sans CJK SC","Microsoft JhengHei","Microsoft YaHei",sans-serif}
main{width:100%;max-width:560px;padding:36px 40px 28px;background:var(--card);border:1px solid var(--line);border-top:3px solid var(--brand);border-radius:12px}
header{font-weight:600;margin-bottom:28px}header img{display:block;height:24px;max-width:200px}
h1{margin:0 0 8px;font-size:22px;line-height:1.3;font-weight:620}
p{margin:0 0 24px;color:var(--quiet)}
ol{list-style:none;display:flex;gap:10px;margin:0 0 24px;padding:0}
li{flex:1;padding:12px;border:1px solid var(--line);border-radius:10px;font-size:13px;line-height:1.4;overflow-wrap:anywhere}
li b{display:block;font-weight:560}.ok{color:var(--ok)}.bad{color:var(--bad)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:0;padding-top:16px;border-top:1px solid var(--line);font-size:12px;color:var(--quiet)}
dt{white-space:nowrap}dd{margin:0;font-family:ui-monospace,"Geist Mono",Menlo,monospace;overflow-wrap:anywhere}
.box{margin:0 0 24px}.box input{font:inherit;padding:6px 10px;border:1px solid var(--line);border-radius:7px;background:var(--canvas);color:var(--ink)}.box button{font:inherit;padding:6px 14px;border:1px solid var(--line);border-radius:7px;background:var(--canvas);color:var(--ink);cursor:pointer}.box img{display:block;max-width:100%;margin:0 0 12px;border-radius:7px}
@media (max-width:480px){main{padding:28px 22px 22px}ol{flex-direction:column}}
</style>
</head>
<body>
<main>
<header>${logoOf(brand)}</header>
<h1>${words.title}</h1>
<p>${words.text}</p>
${wayOf(kind, words)}${
    box === undefined
      ? ''
      : `<div class="box">::${box}::</div>
`
  }<dl>
<dt>${words.website}</dt><dd>::HOST::</dd>
<dt>${words.id}</dt><dd>::REQUEST_ID:: · ::STATUS::</dd>
<dt>${words.time}</dt><dd>::TIME::</dd>
</dl>
</main>
</body>
</html>
`
}

/** How far a request came: which part works, and which does not. Nothing fails where a visitor is stopped on purpose. */
function wayOf(kind: PageKind, words: Words): string {
  if (kind !== 'errors' && kind !== 'maintenance') return ''
  const state = kind === 'errors' ? words.fails : words.away
  return `<ol>
<li><b>${words.visitor}</b><span class="ok">✓ ${words.works}</span></li>
<li><b>${words.edge}</b><span class="ok">✓ ${words.works}</span></li>
<li><b>${words.origin}</b><span class="bad">${kind === 'errors' ? '✕ ' : ''}${state}</span></li>
</ol>
`
}

function logoOf({ companyName, logo, logoOnDark }: PageBrand): string {
  const name = companyName.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
  if (logo === null) return name
  return `<picture>${logoOnDark === null ? '' : `<source media="(prefers-color-scheme:dark)" srcset="${logoOnDark}">`}<img src="${logo}" alt="${name}"></picture>`
}

const PLACES: Record<PageLanguage, Omit<Words, 'title' | 'text' | 'fails' | 'away'>> = {
  en: {
    visitor: 'You',
    edge: 'Network',
    origin: 'Website',
    works: 'works',
    id: 'Request',
    website: 'Website',
    time: 'Time',
  },
  zhHant: { visitor: '您', edge: '網路', origin: '網站', works: '正常', id: '請求編號', website: '網站', time: '時間' },
  zhHans: { visitor: '您', edge: '网络', origin: '网站', works: '正常', id: '请求编号', website: '网站', time: '时间' },
}

const WORDS: Record<PageKind, Record<PageLanguage, Words>> = {
  errors: {
    en: {
      ...PLACES.en,
      title: 'This website does not answer',
      text: 'The server behind it has a problem at the moment. Your connection is fine. Try again in a few minutes; if it lasts, tell the website’s owner the request number below.',
      fails: 'no answer',
      away: '',
    },
    zhHant: {
      ...PLACES.zhHant,
      title: '這個網站目前沒有回應',
      text: '網站後方的伺服器暫時發生問題，您的連線一切正常。請幾分鐘後再試；若情況持續，請將下方的請求編號告知網站擁有者。',
      fails: '沒有回應',
      away: '',
    },
    zhHans: {
      ...PLACES.zhHans,
      title: '此网站目前没有响应',
      text: '网站后方的服务器暂时出现问题，您的连接一切正常。请几分钟后再试；如果情况持续，请将下方的请求编号告知网站所有者。',
      fails: '没有响应',
      away: '',
    },
  },
  maintenance: {
    en: {
      ...PLACES.en,
      title: 'We will be back soon',
      text: 'This website is being worked on. Nothing is wrong with your connection. Come back in a few minutes.',
      fails: '',
      away: 'in maintenance',
    },
    zhHant: {
      ...PLACES.zhHant,
      title: '我們很快回來',
      text: '網站正在維護，您的連線沒有問題。請幾分鐘後再回來。',
      fails: '',
      away: '維護中',
    },
    zhHans: {
      ...PLACES.zhHans,
      title: '我们很快回来',
      text: '网站正在维护，您的连接没有问题。请几分钟后再回来。',
      fails: '',
      away: '维护中',
    },
  },
  blocked: {
    en: {
      ...PLACES.en,
      title: 'This request was blocked',
      text: 'The security rules of this website do not allow it. If this is a mistake, tell the website’s owner the request number below.',
      fails: '',
      away: '',
    },
    zhHant: {
      ...PLACES.zhHant,
      title: '這個請求已被封鎖',
      text: '網站的安全規則不允許這個請求。如果有誤，請將下方的請求編號告知網站擁有者。',
      fails: '',
      away: '',
    },
    zhHans: {
      ...PLACES.zhHans,
      title: '此请求已被拦截',
      text: '网站的安全规则不允许此请求。如果有误，请将下方的请求编号告知网站所有者。',
      fails: '',
      away: '',
    },
  },
  'rate-limited': {
    en: {
      ...PLACES.en,
      title: 'Too many requests',
      text: 'There were more requests from you than this website allows. Try again in a few minutes.',
      fails: '',
      away: '',
    },
    zhHant: {
      ...PLACES.zhHant,
      title: '請求過多',
      text: '您的請求超過這個網站允許的數量，請幾分鐘後再試。',
      fails: '',
      away: '',
    },
    zhHans: {
      ...PLACES.zhHans,
      title: '请求过多',
      text: '您的请求超过此网站允许的数量，请几分钟后再试。',
      fails: '',
      away: '',
    },
  },
  challenge: {
    en: {
      ...PLACES.en,
      title: 'One moment',
      text: 'This website checks that it is visited by people. It goes on by itself within a few seconds.',
      fails: '',
      away: '',
    },
    zhHant: {
      ...PLACES.zhHant,
      title: '請稍候',
      text: '這個網站正在確認訪客不是程式，幾秒內會自動繼續。',
      fails: '',
      away: '',
    },
    zhHans: {
      ...PLACES.zhHans,
      title: '请稍候',
      text: '此网站正在确认访客不是程序，几秒内会自动继续。',
      fails: '',
      away: '',
    },
  },
  captcha: {
    en: {
      ...PLACES.en,
      title: 'Are you a person?',
      text: 'This website asks its visitors a question before it goes on.',
      fails: '',
      away: '',
    },
    zhHant: { ...PLACES.zhHant, title: '您是真人嗎？', text: '這個網站會先向訪客提出一個問題。', fails: '', away: '' },
    zhHans: { ...PLACES.zhHans, title: '您是真人吗？', text: '此网站会先向访客提出一个问题。', fails: '', away: '' },
  },
}
