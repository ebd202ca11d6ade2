import { account, addSite, domains, sites } from '@fairway/contract'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { change } from '../../api/use-change.ts'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

test('who adds the first site within a second of signing in gets to its pages, not back to where one is added', async () => {
  let rows: object[] = []
  stubApi({
    [`GET ${account.routes.info.path}`]: () =>
      accountOf({ permissions: ['ViewSite', 'EditSite', 'AddSite'], siteCount: rows.length }),
    [`GET ${sites.routes.list.path}`]: () => ({ data: rows, meta: { total: rows.length, page: 1, pageSize: -1 } }),
    [`GET ${domains.routes.list.path.replace('{site}', 's9')}`]: () => ({
      data: [],
      meta: { total: 0, page: 1, pageSize: -1 },
    }),
    [`POST ${addSite.routes.create.path}`]: () => {
      const data = {
        id: 's9',
        domainName: 'harbour.example',
        zoneStatus: 1,
        dnsState: 'pending',
        nameservers: { global: [], china: [] },
        claim: { state: 'proven', since: '2026-11-21T10:00:00Z', by: 'delegation' },
        domainCount: 0,
        recordCount: 0,
        version: 1,
        deployState: 'live',
        createdAt: '2026-11-21T10:00:00Z',
      }
      rows = [data]
      return { data, meta: { version: 1 } }
    },
  })
  const { router, queryClient } = openScreen('/home')
  await screen.findByRole('textbox', { name: 'Domain name' })
  expect(router.state.location.pathname).toBe('/add-site')
  await change(queryClient, addSite.routes.create, { domainName: 'harbour.example' })
  await act(() => router.navigate({ href: '/harbour.example/add-domain' }))
  expect(router.state.location.pathname).toBe('/harbour.example/add-domain')
  await screen.findByRole('textbox', { name: 'Origin' })
})
