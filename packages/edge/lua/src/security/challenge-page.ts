import { bodyForm } from '../answer/negotiate.ts'
import { type Language, wordsOf } from '../answer/page-words.ts'
import type { Challenge } from './clearance.ts'

type Words = {
  tag: string
  question: string
  send: string
  script: string
  picture: string
  type: string
  another: string
  blind: string
  tones: string
}
const ASKED: Record<Language, Words> = {
  en: {
    tag: 'en',
    question: 'How much is',
    send: 'Go on',
    script: 'This takes a moment.',
    picture: 'Four characters',
    type: 'Type the characters you see',
    another: 'Another picture',
    blind: 'I cannot read it',
    tones: 'Listen: there are five groups of tones. Type how many each has, such as 31452.',
  },
  zhHant: {
    tag: 'zh-Hant',
    question: '請計算',
    send: '繼續',
    script: '請稍候。',
    picture: '四個字元',
    type: '請輸入圖中的字元',
    another: '換一張圖',
    blind: '我看不清楚',
    tones: '請聆聽：共有五組聲音。請輸入每組的次數，例如 31452。',
  },
  zhHans: {
    tag: 'zh-Hans',
    question: '请计算',
    send: '继续',
    script: '请稍候。',
    picture: '四个字符',
    type: '请输入图中的字符',
    another: '换一张图',
    blind: '我看不清楚',
    tones: '请聆听：共有五组声音。请输入每组的次数，例如 31452。',
  },
}

/** Where an answer is sent. */
export const SOLVE_PATH = '/.well-known/cdn/clearance'

/**
 * What a page asks its visitor: a browser solves it by itself, and a person without scripts by a sum. `toPerson` asks
 * for what is on a picture, by eye or by ear; by a sum while there are no pictures. Nothing of it comes from elsewhere.
 */
export function challengeBox(
  { seed, bits, question, picture }: Challenge,
  target: string,
  toPerson: boolean,
  language: Language,
): string {
  const asked = ASKED[language]
  const to = escaped(target)
  // Fetched by a browser that shows pages, with scripts or without: so many people see a challenge.
  const shown = `<img src="${SOLVE_PATH}?shown=${seed}" alt="" hidden>`
  const begin = `<form action="${SOLVE_PATH}"><input type="hidden" name="seed" value="${seed}"><input type="hidden" name="to" value="${to}">`
  if (toPerson && picture !== '')
    return `${shown}${begin}<div role="img" aria-label="${asked.picture}">${picture}</div><p><label>${asked.type} <input name="text" size="8" autocomplete="off" autocapitalize="off" spellcheck="false" required></label> <button>${asked.send}</button></p></form><p><a href="${to}">${asked.another}</a></p><details><summary>${asked.blind}</summary><p>${asked.tones}</p><audio controls preload="none" src="${SOLVE_PATH}?sound=${seed}"></audio></details>`
  const [a, b] = question
  const form = `${begin}<p><label>${asked.question} ${a} + ${b}? <input name="sum" size="3" inputmode="numeric" autocomplete="off"></label> <button>${asked.send}</button></p></form>`
  return toPerson
    ? `${shown}${form}`
    : `${shown}<p id="w">${asked.script}</p><noscript>${form}</noscript><script>${SCRIPT}solve(${jsText(seed)},${bits},${jsText(SOLVE_PATH)},location.pathname+location.search)</script>`
}

/** The edge's own page around it, for a website that has none. */
export function challengePage(box: string, language: Language): string {
  const { title, sentence } = wordsOf('challenge', language)
  return `<!doctype html><html lang="${ASKED[language].tag}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}h1{font-size:1.4rem}small{opacity:.7}</style>
<h1>${title}</h1><p>${sentence}</p>${box}<p><small>${ngx.var.fw_incident}</small></p></html>
`
}

/** Whether who asks can show a page at all. */
export const takesPages = (): boolean => bodyForm(ngx.var.http_accept ?? '') === 'page'

// SHA-1 in the page itself: browsers offer theirs to secure pages only.
const SCRIPT = `function sha(s){var w=[],n=s.length,i,t,h=[1732584193,4023233417,2562383102,271733878,3285377520];for(i=0;i<n;i++)w[i>>2]|=s.charCodeAt(i)<<24-(i&3)*8;w[n>>2]|=128<<24-(n&3)*8;var l=((n+8>>6)+1)*16;w[l-1]=n*8;for(i=0;i<l;i+=16){var a=h[0],b=h[1],c=h[2],d=h[3],e=h[4],x=[];for(t=0;t<80;t++){if(t<16)x[t]=w[i+t]|0;else{var y=x[t-3]^x[t-8]^x[t-14]^x[t-16];x[t]=y<<1|y>>>31}var f=t<20?(b&c|~b&d)+1518500249:t<40?(b^c^d)+1859775393:t<60?(b&c|b&d|c&d)-1894007588:(b^c^d)-899497514;var q=(a<<5|a>>>27)+f+e+x[t]|0;e=d;d=c;c=b<<30|b>>>2;b=a;a=q}h[0]=h[0]+a|0;h[1]=h[1]+b|0;h[2]=h[2]+c|0;h[3]=h[3]+d|0;h[4]=h[4]+e|0}return h}
function solve(s,b,u,to){var n=0;(function go(){for(var i=0;i<2000;i++,n++){var h=sha(s+n)[0];if(h>>>(32-b)===0){location.replace(u+'?seed='+encodeURIComponent(s)+'&nonce='+n+'&to='+encodeURIComponent(to));return}}setTimeout(go,0)})()}
`

const jsText = (text: string): string => `"${text}"`

function escaped(text: string): string {
  const [page] = string.gsub(text, '[&<>"\']', { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })
  return page
}
