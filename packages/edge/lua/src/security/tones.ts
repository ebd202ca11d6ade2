/** A sound for those who cannot see the picture: groups of tones, to be counted. 8 kHz, one byte a sample. */
const RATE = 8000
const GROUPS = 5
const MOST = 5

let tone = ''
let pause = ''
let gap = ''

function prepare(): void {
  if (tone !== '') return
  const samples: string[] = []
  const length = Math.floor(RATE * 0.16)
  for (let i = 0; i < length; i++) {
    // Swells and fades, so that it does not click.
    const loud = Math.min(1, i / 160, (length - i) / 160)
    samples.push(String.fromCharCode(Math.floor(128 + 90 * loud * Math.sin((2 * Math.PI * 620 * i) / RATE))))
  }
  tone = samples.join('')
  pause = String.fromCharCode(128).repeat(Math.floor(RATE * 0.16))
  gap = String.fromCharCode(128).repeat(Math.floor(RATE * 1.1))
}

/** How many tones each group has, as the digits of an answer. */
export function countsOf(digest: string): string {
  const digits: string[] = []
  for (let i = 0; i < GROUPS; i++) digits.push(`${1 + ((tonumber(`0x${digest.slice(i * 4, i * 4 + 4)}`) ?? 0) % MOST)}`)
  return digits.join('')
}

/** The sound of such digits, as a WAV file. */
export function soundOf(counts: string): string {
  prepare()
  const parts: string[] = []
  for (let i = 0; i < counts.length; i++) {
    parts.push(`${tone}${pause}`.repeat(counts.charCodeAt(i) - 48))
    parts.push(gap)
  }
  const data = parts.join('')
  return `RIFF${word(36 + data.length)}WAVEfmt ${word(16)}${short(1)}${short(1)}${word(RATE)}${word(RATE)}${short(1)}${short(8)}data${word(data.length)}${data}`
}

const short = (value: number): string => String.fromCharCode(value % 256, Math.floor(value / 256) % 256)
const word = (value: number): string => `${short(value % 65536)}${short(Math.floor(value / 65536))}`
