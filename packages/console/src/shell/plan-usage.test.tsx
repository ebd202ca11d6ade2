import { billing } from '@fairway/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../testing/answers.ts'
import { openScreen } from '../testing/open-screen.tsx'

const item = (type: string, used: number, quota: number | null, unit = 'count') => ({ type, used, quota, unit, progress: quota === null ? 0 : (used / quota) * 100, overUsage: quota !== null && used > quota, overMinor: null })
const report = { month: 'current', from: '2026-11-01T00:00:00.000Z', until: new Date(Date.now() + 9.5 * 86_400_000).toISOString(), currency: 'USD', countedAt: null, items: [item('dns', 3, 50), item('dnsQuery', 612_000, 1_000_000), item('cdnTraffic', 1.12e12, 1e12, 'bytes')] }

test('the foot of the navigation tells what is used of the plan, and leads to it', async () => {
  stubApi({ [`GET ${billing.routes.usage.path}`]: () => report }, accountOf({ permissions: ['ViewSite', 'ViewSubscription'] }))
  await openScreen('/welcome')
  const card = await screen.findByRole('link', { name: /Business plan/ })
  expect(card.getAttribute('href')).toBe('/account/billing/plan')
  for (const words of ['10 days left', 'DNS queries', '612K / 1M', 'CDN traffic', '1.1 TB / 1 TB', 'Over by 12%']) expect(card.textContent).toContain(words)
})

test('who may not see billing is not shown it', async () => {
  stubApi({ [`GET ${billing.routes.usage.path}`]: () => { throw new Error('asked all the same') } }, accountOf({ permissions: ['ViewSite'] }))
  await openScreen('/welcome')
  await screen.findByRole('navigation', { name: 'Main navigation' })
  expect(screen.queryByText('Business plan')).toBeNull()
})
