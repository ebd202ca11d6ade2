/** A form in parts with the boundary `x`: heads and what they hold, in turn. A head begins behind its first name. */
export function formOf(...headsAndContents: string[]): string {
  const parts: string[] = []
  for (let i = 0; i < headsAndContents.length; i += 2)
    parts.push(`--x\r\nContent-Disposition: ${headsAndContents[i]}\r\n\r\n${headsAndContents[i + 1]}\r\n`)
  return `${parts.join('')}--x--\r\n`
}

/** Bytes as the edge's texts hold them: a character each. */
export const bytesOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
