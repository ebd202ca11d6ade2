import { domains, overview, sites } from '@fairway/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const MANY = 10_000
const siteOf = (number: number) => ({
  id: `s${number}`,
  domainName: `customer-${number}.example`,
  zoneStatus: 1,
  dnsState: 'verified',
  nameservers: { global: [], china: [] },
  claim: { state: 'proven', since: '2026-11-21T10:00:00Z', by: 'delegation' },
  domainCount: 0,
  recordCount: 0,
  version: 3,
  deployState: 'live',
  createdAt: '2026-11-21T10:00:00Z',
})

/** An account with very many sites; records how its list is asked. */
function manySites(site: number, gone = new Set<number>()) {
  const asked: Record<string, string>[] = []
  const ofSite = (path: string, at: number) => path.replace('{site}', `s${at}`)
  stubApi(
    {
      [`GET ${sites.routes.list.path}`]: (_, query) => {
        asked.push(Object.fromEntries(query))
        const wanted = /customer-(\d+)/.exec(query.get('name') ?? query.get('search') ?? '')?.[1]
        const isFound = wanted !== undefined && Number(wanted) < MANY && !gone.has(Number(wanted))
        const first = Array.from({ length: 51 }, (__, at) => at).filter((at) => !gone.has(at))
        const rows = wanted === undefined ? first.slice(0, 50).map(siteOf) : []
        return {
          data: isFound ? [siteOf(Number(wanted))] : rows,
          meta: { total: isFound ? 1 : wanted === undefined ? MANY : 0, page: 1, pageSize: 50 },
        }
      },
      ...Object.fromEntries(
        [site, site + 1].flatMap((at) => [
          [
            `GET ${ofSite(domains.routes.list.path, at)}`,
            () => ({ data: [], meta: { total: 0, page: 1, pageSize: -1 } }),
          ],
          [`GET ${ofSite(overview.routes.get.path, at)}`, () => ({ status: 404 })],
        ]),
      ),
    },
    accountOf({ siteCount: MANY }),
  )
  return asked
}

test('of ten thousand sites a page reads the one that it is about; the others are found as one types', async () => {
  const asked = manySites(7777)
  openScreen('/customer-7777.example/welcome/multi-cdn/cdn-management')
  fireEvent.click(await screen.findByRole('button', { name: 'Site: customer-7777.example' }))
  expect(asked.slice(0, 1)).toEqual([{ name: 'customer-7777.example', page_size: '1' }])
  expect(await screen.findByText('9950 more: find them by their names.')).toBeDefined()
  fireEvent.change(screen.getByRole('textbox', { name: 'Find' }), { target: { value: 'Customer-4321' } })
  expect(await screen.findByRole('menuitemradio', { name: 'customer-4321.example' })).toBeDefined()
  expect(asked.slice(1)).toEqual([
    { page_size: '50', ordering: 'domain_name' },
    { page_size: '50', ordering: 'domain_name', search: 'customer-4321' },
  ])
})

test('home leads to the first site, which is not asked for again; a name that is none is not found', async () => {
  localStorage.clear()
  const asked = manySites(0)
  const { router } = openScreen('/home')
  await waitFor(() => expect(router.state.location.pathname).toBe('/customer-0.example/home'))
  await screen.findByRole('button', { name: 'Site: customer-0.example' })
  expect(asked).toEqual([{ page_size: '50', ordering: 'domain_name', draft: 'false' }])
  await router.navigate({ href: '/customer-10001.example/home' })
  expect(await screen.findByText('404')).toBeDefined()
  expect(asked.at(-1)).toEqual({ name: 'customer-10001.example', page_size: '1' })
})

test('who is on a site that somebody deletes comes to another one, whatever lists still show it', async () => {
  localStorage.clear()
  const gone = new Set<number>()
  manySites(0, gone)
  const { router, queryClient } = openScreen('/home')
  fireEvent.click(await screen.findByRole('button', { name: 'Site: customer-0.example' }))
  expect(await screen.findByRole('menuitemradio', { name: 'customer-1.example' })).toBeDefined()
  gone.add(0)
  await queryClient.invalidateQueries({ queryKey: [sites.routes.list.path] })
  await waitFor(() => expect(router.state.location.pathname).toBe('/customer-1.example/home'))
  expect(await screen.findByRole('button', { name: 'Site: customer-1.example' })).toBeDefined()
})
