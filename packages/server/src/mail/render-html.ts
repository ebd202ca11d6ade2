import type { NotificationLevel } from '@fairway/contract'
import { contrast, inkOn } from '@fairway/domain'
import type { LetterText } from './letter-text.ts'

export type Sheet = {
  text: LetterText
  language: string
  companyName: string
  brandColor: string
  link: string | null
  more: { label: string; link: string } | null
  cannotOpen: string
  footer: { line: string; links: { label: string; href: string }[] }
}

const LEVEL_COLORS: Readonly<Record<NotificationLevel, { ink: string; soft: string }>> = {
  critical: { ink: '#b01c2a', soft: '#fdecee' },
  warning: { ink: '#8a4f00', soft: '#fdf3e0' },
  notice: { ink: '#075a9f', soft: '#e8f3fd' },
  info: { ink: '#475061', soft: '#f1f3f6' },
}
const FONT =
  "font-family:'Inter',-apple-system,'Segoe UI','PingFang TC','PingFang SC','Noto Sans CJK TC','Noto Sans CJK SC','Microsoft JhengHei','Microsoft YaHei',Arial,sans-serif"

/**
 * Tables and inline styles, since mail programs know nothing newer; readable with pictures and styles off, and by
 * screen readers.
 */
export function renderHtml({ text, language, companyName, brandColor, link, more, cannotOpen, footer }: Sheet): string {
  const ink = inkOn(brandColor)
  // A pale brand colour cannot carry text on white; its letters are dark then.
  const titleColor = contrast(brandColor, '#ffffff') >= 4.5 ? brandColor : '#0f131a'
  const level = text.level && LEVEL_COLORS[text.level.name]
  const body = [
    text.level && level
      ? `<p style="margin:0 0 12px"><span style="display:inline-block;padding:2px 10px;border-radius:10px;background:${level.soft};color:${level.ink};font-size:12px;line-height:18px;font-weight:600">${escaped(text.level.label)}</span></p>`
      : '',
    `<h1 style="margin:0 0 16px;font-size:21px;line-height:28px;font-weight:620;letter-spacing:${language === 'en' ? '-0.01em' : '0'};color:#0f131a">${escaped(text.heading)}</h1>`,
    ...text.lines.map(
      (line) => `<p style="margin:0 0 12px;font-size:15px;line-height:23px;color:#2b3340">${escaped(line)}</p>`,
    ),
    facts(text.facts ?? []),
    text.button && link ? button(text.button, link, brandColor, ink) + fallback(cannotOpen, link) : '',
    more
      ? `<p style="margin:0 0 16px;font-size:14px;line-height:21px"><a href="${escaped(more.link)}" style="color:${titleColor};text-decoration:underline">${escaped(more.label)}</a></p>`
      : '',
    ...(text.notes ?? []).map(
      (note) => `<p style="margin:0 0 6px;font-size:13px;line-height:20px;color:#566072">${escaped(note)}</p>`,
    ),
  ]
    .filter(Boolean)
    .join('\n')
  return `<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><meta name="format-detection" content="telephone=no,date=no,address=no">
<title>${escaped(text.subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f2f4f7;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escaped(text.lines.find((line) => line.length > 20) ?? text.heading)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f4f7"><tr><td align="center" style="padding:28px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td style="padding:0 4px 14px;font-size:16px;line-height:22px;font-weight:640;color:${titleColor === brandColor && contrast(brandColor, '#f2f4f7') >= 4.5 ? brandColor : '#0f131a'};${FONT}">${escaped(companyName)}</td></tr>
<tr><td style="background:#ffffff;border:1px solid #e1e5eb;border-top:3px solid ${brandColor};border-radius:10px;padding:28px 28px 22px;${FONT}" role="main">
${body}
</td></tr>
<tr><td style="padding:16px 4px 0;font-size:12px;line-height:19px;color:#566072;${FONT}">
<p style="margin:0 0 4px">${escaped(footer.line)}</p>
${footer.links.length ? `<p style="margin:0">${footer.links.map(({ label, href }) => `<a href="${escaped(href)}" style="color:#566072;text-decoration:underline">${escaped(label)}</a>`).join(' · ')}</p>` : ''}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

const button = (label: string, link: string, color: string, ink: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 12px"><tr><td style="background:${color};border-radius:7px"><a href="${escaped(link)}" style="display:inline-block;padding:11px 20px;font-size:15px;line-height:20px;font-weight:600;color:${ink};text-decoration:none;${FONT}">${escaped(label)}</a></td></tr></table>`

const fallback = (words: string, link: string): string =>
  `<p style="margin:0 0 18px;font-size:12px;line-height:18px;color:#566072">${escaped(words)}<br><a href="${escaped(link)}" style="color:#566072;word-break:break-all">${escaped(link)}</a></p>`

const facts = (rows: readonly { label: string; value: string }[]): string =>
  rows.length
    ? `<table cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:4px 0 16px;border-top:1px solid #e6e9ee">${rows.map(({ label, value }) => `<tr><th scope="row" align="left" valign="top" style="padding:9px 16px 9px 0;border-bottom:1px solid #e6e9ee;font-size:13px;line-height:20px;font-weight:400;color:#566072;width:34%">${escaped(label)}</th><td valign="top" style="padding:9px 0;border-bottom:1px solid #e6e9ee;font-size:14px;line-height:20px;color:#0f131a;word-break:break-word">${escaped(value)}</td></tr>`).join('')}</table>`
    : ''

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
