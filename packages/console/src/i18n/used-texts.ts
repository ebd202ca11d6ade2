type Use = { key: string; file: string }

/**
 * Which texts the sources ask for: `t('key')` below the nearest `useTranslation('feature')`, or `t('feature:key')`. A
 * key that is put together
 * (`t(\`state.${state}\`)`) counts as everything that starts as it does. For the test that keeps catalogs and screens
 * together.
 */
export function usedTexts(sources: Record<string, string>): { keys: Use[]; prefixes: Use[] } {
  const keys: Use[] = []
  const prefixes: Use[] = []
  for (const [file, text] of Object.entries(sources)) {
    let feature = 'shell'
    for (const match of text.matchAll(
      /useTranslation\(\[?'([\w-]+)'|TFunction<'([\w-]+)'>|\bt[A-Z]?\w*\(((?:(?!['`])(?:\(\)|[^`)])*?\?\s*)?)(['`])((?:(?!\4)[^\n])+)\4/g,
    )) {
      const named = match[1] ?? match[2]
      const key = match[5]
      if (named !== undefined) feature = named
      else if (key !== undefined && /^\bt\(/.test(match[0]))
        for (const one of [key, ...otherBranch(text, match)]) note(one, feature, file)
    }
    for (const [, key] of text.matchAll(/i18nKey=(?:["']|\{`)([\w:.${}-]+)["'`]/g))
      if (key !== undefined) note(key, feature, file)
  }
  return { keys, prefixes }

  function note(key: string, feature: string, file: string) {
    const full = key.includes(':') ? key : `${feature}:${key}`
    if (full.includes('${')) prefixes.push({ key: full.slice(0, full.indexOf('${')), file })
    else keys.push({ key: full, file })
  }
}

/** `t(on ? 'a' : 'b')` asks for both. */
function otherBranch(text: string, match: RegExpExecArray): string[] {
  if (match[3] === undefined || match[3] === '') return []
  const other = /^\s*:\s*'([^'\n]+)'/.exec(text.slice(match.index + match[0].length))?.[1]
  return other === undefined ? [] : [other]
}
