import { CaptionLanguage } from '@fairway/contract'

/** How a language is called in another (or in itself); empty when nobody knows. */
export function languageName(tag: string, inLanguage: string): string {
  if (!CaptionLanguage.safeParse(tag).success) return ''
  try {
    const name = new Intl.DisplayNames(inLanguage, { type: 'language', fallback: 'none' }).of(tag.trim()) ?? ''
    return name === '' ? '' : name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1)
  } catch {
    // Not every tag that is well formed is one that names are asked for by.
    return ''
  }
}

/** `film.pt-BR.srt` → `pt-BR` */
export function languageOfFile(name: string): string {
  const tag = /\.([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.\w+$/.exec(name)?.[1] ?? ''
  return languageName(tag, 'en') === '' ? '' : tag
}
