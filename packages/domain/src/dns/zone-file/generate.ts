/** `$GENERATE`'s range (`1-10/2`); null when it is none. */
export function readRange(text: string): { start: number; stop: number; step: number } | null {
  const [, start, stop, step] = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text) ?? []
  const range = { start: Number(start), stop: Number(stop), step: Number(step ?? 1) }
  return range.start <= range.stop && range.stop <= 0x7fffffff && range.step >= 1 ? range : null
}

const MOST_DIGITS = 63

/**
 * Puts the number into a side of `$GENERATE`: for `$`, for `${offset}`, and for `${offset,width,base}` with the base d,
 * o, x, X, n or N; `$$` and `\$` are a dollar.
 * Null when the braces hold something else.
 */
export function substitute(text: string, number: number): string | null {
  let isMalformed = false
  const written = text.replace(/\\.|\$\$|\$(?:\{([^}]*)\}?)?/gsu, (found, braces: string | undefined) => {
    if (found.startsWith('\\')) return found
    if (found === '$$') return '$'
    const [, offset, width = '0', base = 'd'] =
      /^([+-]?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?$/.exec(braces ?? '0') ?? []
    const value = number + Number(offset)
    if (
      offset === undefined ||
      (braces !== undefined && !found.endsWith('}')) ||
      value < 0 ||
      Number(width) > MOST_DIGITS
    )
      isMalformed = true
    return isMalformed ? '' : digitsOf(value, Number(width), base)
  })
  return isMalformed ? null : written
}

function digitsOf(value: number, width: number, base: string): string {
  switch (base) {
    case 'o':
      return value.toString(8).padStart(width, '0')
    case 'x':
      return value.toString(16).padStart(width, '0')
    case 'X':
      return value.toString(16).toUpperCase().padStart(width, '0')
    case 'n':
      return nibbles(value, width)
    case 'N':
      return nibbles(value, width).toUpperCase()
    default:
      return String(value).padStart(width, '0')
  }
}

/** Hexadecimal digits as labels, the last one first, as in names below ip6.arpa; dots count into the width. */
function nibbles(value: number, width: number): string {
  return value
    .toString(16)
    .padStart(Math.ceil(width / 2), '0')
    .split('')
    .reverse()
    .join('.')
}
