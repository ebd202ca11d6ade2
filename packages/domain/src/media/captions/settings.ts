const SHARE = String.raw`(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)%`
/** Cue settings of WebVTT 3.3 that stand for themselves; regions are left behind with their definitions. */
const SETTINGS: Record<string, RegExp> = {
  vertical: /^(?:rl|lr)$/,
  line: new RegExp(`^(?:-?\\d{1,3}|${SHARE})(?:,(?:start|center|end))?$`),
  position: new RegExp(`^${SHARE}(?:,(?:line-left|center|line-right))?$`),
  size: new RegExp(`^${SHARE}$`),
  align: /^(?:start|center|end|left|right)$/,
}

/** Each setting once, as written; what is none is left out. */
export function settingsOf(text: string): string {
  const kept = new Map<string, string>()
  for (const word of text.split(/[ \t]+/)) {
    const colon = word.indexOf(':')
    const name = word.slice(0, Math.max(0, colon))
    if (Object.hasOwn(SETTINGS, name) && !kept.has(name) && SETTINGS[name]?.test(word.slice(colon + 1)))
      kept.set(name, word)
  }
  return [...kept.values()].join(' ')
}
