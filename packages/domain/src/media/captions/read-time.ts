/** `1:02:03,4`, `02:03.400` → milliseconds */
export function timeOf(text: string): number {
  const [whole = '', fraction = ''] = text.split(/[,.]/)
  const seconds = whole.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return seconds * 1000 + Number(fraction.padEnd(3, '0'))
}
