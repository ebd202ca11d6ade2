import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'
// Pages are fetched when they are opened; here they are there before the first test begins to wait.
import '../guide/screen.tsx'
import './screen.tsx'

const REPORT = '/analytics/v2/sites/s1/dns-requests/'

test('below a domain the queries are those for its name; taking the name off leads to the whole site', async () => {
  const asked = new Set<string | null>()
  stubApi({
    'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
    [`GET ${REPORT}`]: (_, query) => {
      asked.add(query.get('name'))
      return { intervalSeconds: 600, total: 0, series: [], shares: [], distinct: 0, marks: [] }
    },
    [`GET ${REPORT}tail/`]: () => ({ data: [] }),
  })
  const { router } = openScreen('/example.com/www.example.com/dns/dns-request')
  const off = await within(await screen.findByRole('main')).findByRole('button', { name: /www\.example\.com/ })
  await waitFor(() => expect([...asked]).toEqual(['www.example.com']))
  fireEvent.click(off)
  await waitFor(() => expect(router.state.location.pathname).toBe('/example.com/dns/dns-request'))
  await waitFor(() => expect(asked).toContain(null))
})

test.each([
  ['/analytics/dns', '/guide/dns/dns-request'],
  ['/analytics/dem', '/guide/analytics/dem'],
  ['/dem/routing-strategies', '/guide/dem/routing-strategies'],
  ['/dem/route-map', '/guide/dem/route-map'],
  ['/dem/data-feeds', '/guide/dem/data-feeds'],
])('%s without a site leads to the choice of one', async (address, guide) => {
  stubApi({ 'GET /web/v2/sites/s1/domains/': () => page([domainOf()]) })
  const { router } = openScreen(address)
  expect((await screen.findByRole('link', { name: /^example\.com/ })).getAttribute('href')).toBe(
    `/example.com${guide.replace('/guide', '')}`,
  )
  expect(router.state.location.pathname).toBe(guide)
})
