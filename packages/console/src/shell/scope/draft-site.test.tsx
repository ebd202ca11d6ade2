import { addSite, sites } from '@fairway/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const draft = {
  id: 's1',
  domainName: 'example.com',
  zoneStatus: 0,
  dnsState: 'draft',
  nameservers: { global: ['ns1.fairway.test', 'ns2.fairway.test'], china: [] },
  claim: { state: 'draft', since: '2026-11-21T10:00:00Z' },
  domainCount: 0,
  recordCount: 1,
  version: 0,
  deployState: 'live',
  createdAt: '2026-11-21T10:00:00Z',
}
const answers = {
  [`GET ${sites.routes.list.path}`]: () => ({ data: [draft], meta: { total: 1, page: 1, pageSize: -1 } }),
}
const viewer = accountOf({ permissions: ['ViewSite'], siteCount: 1 })

test.each(['/home', '/example.com/dns/dns-records', '/add-site/review-domains?zone_id=s1&zone_name=example.com'])(
  'a viewer whose only site is a draft reads so, and is not led through adding it (%s)',
  async (path) => {
    stubApi(answers, viewer)
    openScreen(path)
    expect(await screen.findByRole('heading', { name: 'example.com is not set up yet', level: 1 })).toBeDefined()
    expect(screen.getByText(/Somebody who may change sites has to finish it/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
  },
)

test('who may change sites goes on where the draft was left', async () => {
  let asked = 0
  stubApi(
    { ...answers, [`GET ${addSite.routes.domains.path.replace('{site}', 's1')}`]: () => (asked++, { status: 404 }) },
    accountOf({ permissions: ['ViewSite', 'EditSite', 'AddSite'], siteCount: 1 }),
  )
  openScreen('/home')
  await waitFor(() => expect(asked).toBeGreaterThan(0))
  expect(screen.queryByText(/is not set up yet/)).toBeNull()
})
