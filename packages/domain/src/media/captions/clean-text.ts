import { isLanguage } from '@fairway/contract'
import { timeOf } from './read-time.ts'
import { escapedText } from './write.ts'

type Of = { isVtt: boolean; from: number; to: number }

const TAG = /^(\/?)(b|i|u|c|v|lang|ruby|rt)((?:\.[^\s.]+)*)(?:\s+(.*))?$/is
const TAG_BEGINS = /^[a-z/!?]/i
const CLASS = /^[\w-]{1,30}$/
const TIME = /^(?:\d{2,4}:)?[0-5]\d:[0-5]\d\.\d{3}$/
/** Placing and looks of other formats, as `{\an8}`. */
const OVERRIDE = /\{\\[^{}\n]{0,100}\}/g
const DEEPEST = 8
const LONGEST_NAME = 100

/**
 * The words of a cue with the markup of WebVTT (3.5) alone, each element closed; of every other the words are kept. No
 * line of it is empty: that would end the cue.
 */
export function cleanText(text: string, { isVtt, from, to }: Of): string {
  const source = isVtt ? text : text.replaceAll(OVERRIDE, '')
  const words = (raw: string) => escapedText(isVtt ? decoded(raw) : raw)
  const open: string[] = []
  let out = ''
  let reached = from
  for (let at = 0; at < source.length;) {
    const start = source.indexOf('<', at)
    out += words(source.slice(at, start < 0 ? source.length : start))
    if (start < 0) break
    const other = source.indexOf('<', start + 1)
    const inside = source.slice(start + 1, other < 0 ? source.length : other)
    // `a < b` and `<3` are words.
    const length = TAG_BEGINS.test(inside) || TIME.test(inside.split('>', 1)[0] ?? '') ? inside.indexOf('>') : -1
    out += length < 0 ? '&lt;' : tag(inside.slice(0, length))
    at = start + 1 + (length < 0 ? 0 : length + 1)
  }
  while (open.length > 0) out += `</${open.pop() ?? ''}>`
  return out
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

  function tag(inside: string): string {
    if (isVtt && TIME.test(inside)) {
      const time = timeOf(inside)
      if (time <= reached || time >= to) return ''
      reached = time
      return `<${inside}>`
    }
    const [, slash, written = '', classes = '', rest = ''] = TAG.exec(inside) ?? []
    const name = written.toLowerCase()
    if (name === '') return ''
    if (slash) {
      // Elements end in the order in which they began.
      const known = open.lastIndexOf(name)
      if (known < 0) return ''
      return open
        .splice(known)
        .reverse()
        .map((one) => `</${one}>`)
        .join('')
    }
    const said = words(rest.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_NAME))
    if (open.length >= DEEPEST || (name === 'rt' && open.at(-1) !== 'ruby')) return ''
    if ((name === 'v' && said === '') || (name === 'lang' && !isLanguage(said))) return ''
    open.push(name)
    const kept = classes.split('.').filter((one) => CLASS.test(one))
    return `<${[name, ...kept.slice(0, 8)].join('.')}${name === 'v' || name === 'lang' ? ` ${said}` : ''}>`
  }
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' }
const decoded = (text: string): string => text.replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name) => NAMED[name] ?? '')
