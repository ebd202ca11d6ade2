/** 3723004 → `01:02:03.004` */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${String(milliseconds % 1000).padStart(3, '0')}`
}

/** Words that are words and no markup (WebVTT 3.5). */
export const escapedText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
