;(() => {
  // Before any module makes a schema: zod would try `new Function`, which the content security policy refuses and reports.
  globalThis.__zod_globalConfig = { jitless: true }
  const root = document.documentElement
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const scheme = read('fairway.scheme')
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  const locale = /(?:^|; )i18n_redirected=(\w+)/.exec(document.cookie)
  root.lang = { zhHant: 'zh-Hant', zhHans: 'zh-Hans' }[locale && locale[1]] || 'en'
  const brand = /^(#[0-9a-f]{6}) (#[0-9a-f]{6})$/i.exec(read('fairway.brand') || '')
  // A page that the server has painted already knows better than the last visit.
  if (brand && !root.style.getPropertyValue('--brand')) {
    root.style.setProperty('--brand', brand[1])
    root.style.setProperty('--brand-ink', brand[2])
  }
  const port = location.port && `_${location.port}`
  const isSignedIn = document.cookie.split('; ').some((cookie) => cookie.startsWith(`fairway_signed_in${port}=`))
  const now = new Set([root.lang, isSignedIn ? 'signed-in' : ''])
  for (const link of document.querySelectorAll('link[rel="later"]'))
    if (link.dataset.when.split(' ').every((need) => now.has(need))) link.rel = 'modulepreload'
})()
