import { billing } from '@fairway/contract'
import type { AccountInfo } from '@fairway/contract'
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { renderPart } from '../../testing/render.tsx'
import { PlanUsage } from './plan-usage.tsx'

const item = (type: string, used: number, quota: number | null, unit = 'count') => ({
  type,
  used,
  quota,
  unit,
  progress: quota === null ? 0 : (used / quota) * 100,
  overUsage: quota !== null && used > quota,
  overMinor: null,
})
const report = {
  month: 'current',
  from: '2026-11-01T00:00:00.000Z',
  until: new Date(Date.now() + 9.5 * 86_400_000).toISOString(),
  currency: 'USD',
  countedAt: null,
  items: [item('dns', 3, 50), item('dnsQuery', 612_000, 1_000_000), item('cdnTraffic', 1.12e12, 1e12, 'bytes')],
}

function open(user: AccountInfo, usage: () => object) {
  stubApi({ [`GET ${billing.routes.usage.path}`]: usage }, user)
  const root = createRootRoute({
    component: () => (
      <Suspense fallback={null}>
        <PlanUsage />
        <p>there</p>
      </Suspense>
    ),
  })
  // The console's own router is the registered one; this small one stands for it here.
  renderPart(<RouterProvider router={createRouter({ routeTree: root, history: createMemoryHistory() }) as never} />)
}

test('the foot of the navigation tells what is used of the plan, and leads to it', async () => {
  open(accountOf({ permissions: ['ViewSite', 'ViewSubscription'] }), () => report)
  const card = (await screen.findByText('Business plan')).closest('a')
  expect(card?.getAttribute('href')).toBe('/account/billing/plan')
  for (const words of ['10 days left', 'DNS queries', '612K / 1M', 'CDN traffic', '1.1 TB / 1 TB', 'Over by 12%'])
    expect(card?.textContent).toContain(words)
})

test('who may not see billing is not shown it', async () => {
  open(accountOf({ permissions: ['ViewSite'] }), () => {
    throw new Error('asked all the same')
  })
  await screen.findByText('there')
  expect(screen.queryByText('Business plan')).toBeNull()
})
