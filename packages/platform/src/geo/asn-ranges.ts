import { Steps } from './steps.ts'

/** Reads `asn-ipv4-num.csv`: `first,last,asn,name` with decimal addresses, ascending. */
export function readAsnIpv4(csv: string): Steps {
  const steps = new Steps(1 << 20)
  eachLine(csv, (first, last, asn) => {
    appendRange(steps, Number(first), 0, Number(last) + 1, 0, Number(last) === 0xffffffff, asn)
  })
  return steps
}

/** Reads `asn-ipv6.csv`: the same with textual addresses; parts of a /64 count whole. */
export function readAsnIpv6(csv: string): Steps {
  const steps = new Steps(1 << 18)
  eachLine(csv, (first, last, asn) => {
    const [high, low] = upperHalf(first)
    const [lastHigh, lastLow] = upperHalf(last)
    const carry = lastLow === 0xffffffff
    appendRange(
      steps,
      high,
      low,
      carry ? lastHigh + 1 : lastHigh,
      carry ? 0 : lastLow + 1,
      carry && lastHigh === 0xffffffff,
      asn,
    )
  })
  return steps
}

function eachLine(csv: string, use: (first: string, last: string, asn: number) => void): void {
  for (let at = 0; at < csv.length;) {
    const a = csv.indexOf(',', at)
    const b = csv.indexOf(',', a + 1)
    const c = csv.indexOf(',', b + 1)
    if (a < 0 || b < 0 || c < 0) return
    use(csv.slice(at, a), csv.slice(a + 1, b), Number(csv.slice(b + 1, c)))
    const end = csv.indexOf('\n', c)
    at = end < 0 ? csv.length : end + 1
  }
}

/**
 * A range opens at its first address and ends, with "nothing known", one after its last; one that begins inside its
 * predecessor is left out.
 */
function appendRange(
  steps: Steps,
  high: number,
  low: number,
  nextHigh: number,
  nextLow: number,
  isLast: boolean,
  asn: number,
): void {
  if (steps.compareLast(high, low) > 0) return
  steps.append(high, low, asn)
  if (!isLast) steps.append(nextHigh, nextLow, 0)
}

/** Upper 64 bits of a textual IPv6 address as two numbers of 32 bits. */
function upperHalf(address: string): [number, number] {
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const groups =
    right === undefined
      ? head
      : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  const group = (index: number) => Number.parseInt(groups[index] ?? '0', 16)
  return [group(0) * 65_536 + group(1), group(2) * 65_536 + group(3)]
}
