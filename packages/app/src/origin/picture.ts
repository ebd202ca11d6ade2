/** A landscape at night with northern lights, the same for the same number. SVG text. */
export function picture(seed: number, width: number, height: number): string {
  const random = sequence(seed)
  const hue = Math.floor(random() * 360)
  const bands = Array.from({ length: 4 }, (_, band) => {
    const y = height * (0.15 + 0.12 * band)
    const points = Array.from(
      { length: 9 },
      (_, at) => `${Math.round((at * width) / 8)},${Math.round(y + (random() - 0.5) * height * 0.2)}`,
    )
    return `<polyline points="${points.join(' ')}" fill="none" stroke="hsl(${(hue + band * 25) % 360} 80% 65%)" stroke-width="${Math.round(height / 14)}" stroke-linejoin="round" opacity=".35"/>`
  })
  const stars = Array.from(
    { length: 40 },
    () =>
      `<circle cx="${Math.round(random() * width)}" cy="${Math.round(random() * height * 0.7)}" r="${(0.5 + random()).toFixed(1)}" fill="#fff" opacity=".7"/>`,
  )
  const ridge = Array.from(
    { length: 13 },
    (_, at) => `${Math.round((at * width) / 12)},${Math.round(height * (0.7 + random() * 0.15))}`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Northern lights over a ridge"><rect width="${width}" height="${height}" fill="hsl(${(hue + 200) % 360} 45% 12%)"/>${stars.join('')}${bands.join('')}<polygon points="0,${height} ${ridge.join(' ')} ${width},${height}" fill="#0b1016"/></svg>`
}

/** A linear congruential sequence in [0, 1): pictures need no better one. */
function sequence(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}
