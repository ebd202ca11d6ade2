import { account, billing } from '@fairway/contract'
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const LINK = `POST ${billing.routes.linkMarketplace.path}`
const owner = accountOf({ permissions: ['ViewSite', 'EditSubscription'] })

test('the purchase is linked by a press, and the page says so', async () => {
  let linked: string | null = null
  const changes = stubApi(
    {
      [LINK]: () => ({ customerId: (linked = 'c-1') }),
      [`GET ${account.routes.info.path}`]: () => ({ ...owner, organizationAwsCustomerId: linked }),
    },
    owner,
  )
  openScreen('/redirect/third-party-marketplace?token=t%2B1')
  fireEvent.click(await screen.findByRole('button', { name: 'Link with Example' }))
  expect(await screen.findByRole('heading', { name: 'Your purchase is linked' })).toBeDefined()
  expect(changes.map(({ body }) => body)).toEqual([{ token: 't+1' }])
})

test.each([
  [2455, /belongs to another account/],
  [2456, /linked with a purchase at a marketplace already/],
  [2700, /token has expired/],
] as const)('%i is said on the page', async (code, words) => {
  stubApi({ [LINK]: () => refusal(409, code) }, owner)
  openScreen('/redirect/third-party-marketplace?token=t')
  fireEvent.click(await screen.findByRole('button', { name: 'Link with Example' }))
  expect(await screen.findByText(words)).toBeDefined()
})

test.each([
  ['?token=t', accountOf(), /takes the right to change its billing/],
  ['', owner, /Open your purchase at the marketplace/],
])('%s without what it takes says what to do', async (query, user, words) => {
  stubApi({}, user)
  openScreen(`/redirect/third-party-marketplace${query}`)
  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.queryByRole('button', { name: /Link with/ })).toBeNull()
})
