/** 3723.5 → `1:02:03.5`, 62 → `1:02` */
export function timeText(seconds: number): string {
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  const text = shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
  const rest = Math.round((seconds - whole) * 1000)
  return rest === 0 ? text : `${text}.${String(rest).padStart(3, '0').replace(/0+$/, '')}`
}

/** Seconds that a person has written as `1:02:03.5`, `62:03` or `90`; null when it is no time. */
export function timeOf(text: string): number | null {
  const [, hours = '0', minutes = '0', seconds = '', rest = '0'] =
    /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim()) ?? []
  if (seconds === '' || (text.includes(':') && Number(seconds) > 59)) return null
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(rest.padEnd(3, '0')) / 1000
}
