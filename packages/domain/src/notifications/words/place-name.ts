/** A score key as it is said in any language: `country:GB|AS2856` is `GB, AS2856`, `city:US-CA-San Jose` is `San Jose, US`. */
export function placeName(scoreKey: string): string {
  const [place = scoreKey, network] = scoreKey.split('|')
  const [kind, rest = ''] = [place.slice(0, place.indexOf(':')), place.slice(place.indexOf(':') + 1)]
  const [country = rest, region = '', ...city] = rest.split('-')
  const name = kind === 'city' ? `${city.join('-')}, ${country}` : kind === 'region' ? `${region}, ${country}` : country
  return network ? `${name}, ${network}` : name
}
