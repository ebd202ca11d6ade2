const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/Version\/.* Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/**
 * Browser and system that a User-Agent speaks of; null for what is no browser. The order counts: browsers also name the
 * ones they are like.
 */
export function deviceOf(agent: string | null): { browser: string; system: string } | null {
  const browser = BROWSERS.find(([mark]) => mark.test(agent ?? ''))?.[1]
  const system = SYSTEMS.find(([mark]) => mark.test(agent ?? ''))?.[1]
  return browser !== undefined && system !== undefined ? { browser, system } : null
}
