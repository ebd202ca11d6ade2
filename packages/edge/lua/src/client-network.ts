/** The visitor's address cut to /24 or /48, which is all that is ever written down: `203.0.113.0`, `2001:db8:1::`. */
export function clientNetwork(address: string): string {
  const colon = lastIndexOf(address, ':')
  if (address.includes('.')) {
    const v4 = address.slice(colon + 1)
    const dot = lastIndexOf(v4, '.')
    return `${v4.slice(0, dot)}.0`
  }
  if (colon < 0) return ''
  const groups = leadingGroups(address)
  while (groups.length < 3) groups.push('0')
  return `${groups[0]}:${groups[1]}:${groups[2]}::`
}

/** The groups before `::`, at most three; those it stands for are zero. */
function leadingGroups(address: string): string[] {
  const gap = address.indexOf('::')
  const head = gap < 0 ? address : address.slice(0, gap)
  const groups: string[] = []
  for (const group of head.split(':')) if (group !== '' && groups.length < 3) groups.push(group)
  return groups
}

function lastIndexOf(text: string, char: string): number {
  for (let i = text.length - 1; i >= 0; i--) if (text.charAt(i) === char) return i
  return -1
}
