/** `pier.mp4` → `pier (2).mp4` → `pier (3).mp4`; the ending says what is in the file and stays. */
export function otherName(name: string): string {
  const [, stem = name, number, ending = ''] = /^(.*?)(?: \((\d{1,6})\))?(\.[^.]{1,5})?$/s.exec(name) ?? []
  const next = ` (${number === undefined ? 2 : Number(number) + 1})${ending}`
  return `${stem.slice(0, 200 - next.length)}${next}`
}
