/** What a picture is by its first bytes; null for anything that is not taken. */
export function imageFormat(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | null {
  const text = String.fromCharCode(...bytes.subarray(0, 12))
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'webp' : null
}
