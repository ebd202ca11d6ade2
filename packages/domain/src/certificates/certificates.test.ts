import assert from 'node:assert/strict'
import { test } from 'node:test'
import { challengeFor } from './challenge.ts'
import { certificateNamesProblem, isCertificateName } from './check-names.ts'
import { certificateStatus, noticeDue, orderBackOffMs, renewalAt } from './life.ts'
import { chooseCertificates, covers } from './names.ts'

const DAY = 86_400_000

test('a wildcard stands for exactly one label', () => {
  const names = ['a.test', '*.b.test']
  assert.deepEqual(
    ['a.test', 'x.a.test', 'x.b.test', 'b.test', 'y.x.b.test', 'test'].map((host) => covers(names, host)),
    [true, false, true, false, false, false],
  )
})

test('names: of the site, at most 98, wildcards only among themselves or beside their own name', () => {
  const problem = (names: string[]) => certificateNamesProblem(names, 'a.test')
  assert.equal(problem(['a.test', 'www.a.test']), null)
  assert.equal(problem(['*.a.test', 'a.test']), null)
  assert.equal(problem(['*.a.test', '*.b.a.test']), null)
  assert.equal(problem(['*.a.test', 'www.a.test']), 28015)
  assert.equal(problem(['*.a.test', 'a.test', 'www.a.test']), 28015)
  assert.equal(problem(['www.b.test']), 28017)
  assert.equal(problem(['nota.test']), 28017)
  assert.equal(problem(Array.from({ length: 99 }, (_, i) => `n${i}.a.test`)), 28014)
  assert.deepEqual(
    ['a.test', '*.a.test', 'www.a.test', '*.*.a.test', 'x.*.a.test', '_x.a.test', 'test', '*.test', 'a b.test', ''].map(
      isCertificateName,
    ),
    [true, true, true, false, false, false, false, false, false, false],
  )
})

test('what proves control: what was chosen, else DNS where it is ours or a wildcard needs it, else HTTP', () => {
  const type = (names: string[], isVerified: boolean, chosen: 'dns-01' | 'http-01' | null = null) =>
    challengeFor(names, { chosen, isVerified })
  assert.deepEqual(
    [
      type(['a.test'], true),
      type(['a.test'], false),
      type(['a.test', '*.a.test'], false),
      type(['a.test'], true, 'http-01'),
      type(['a.test'], false, 'dns-01'),
    ],
    ['dns-01', 'http-01', 'dns-01', 'http-01', 'dns-01'],
  )
})

test('each name gets the certificate that is valid, uploaded, newest, in this order', () => {
  const one = (id: string, extra: object) => ({
    id,
    names: ['a.test'],
    notBefore: -2,
    notAfter: 10 * DAY,
    uploaded: false,
    createdAt: 1,
    ...extra,
  })
  const chosen = (...certificates: ReturnType<typeof one>[]) => chooseCertificates(certificates, 0).get('a.test')
  assert.equal(chosen(one('old', {}), one('new', { createdAt: 2 })), 'new')
  assert.equal(chosen(one('ordered', { createdAt: 2 }), one('uploaded', { uploaded: true })), 'uploaded')
  assert.equal(chosen(one('expired', { uploaded: true, notAfter: -1 }), one('valid', {})), 'valid')
  assert.equal(chosen(one('early', { uploaded: true, notBefore: 1 }), one('valid', {})), 'valid')
  assert.equal(chosen(one('expired', { notAfter: -1 })), 'expired')
  const wildcard = one('wildcard', { names: ['*.a.test'] })
  const expired = one('expired', { names: ['x.a.test'], notAfter: -1, uploaded: true })
  assert.deepEqual([...chooseCertificates([expired, wildcard], 0)], [['*.a.test', 'wildcard']])
  assert.deepEqual(chooseCertificates([expired, { ...wildcard, notAfter: -1 }], 0).get('x.a.test'), 'expired')
  assert.deepEqual(
    [
      ...chooseCertificates(
        [one('x', { names: ['a.test', 'b.test'] }), one('y', { names: ['b.test'], createdAt: 5 })],
        0,
      ),
    ].sort(),
    [
      ['a.test', 'x'],
      ['b.test', 'y'],
    ],
  )
})

test('status follows from facts', () => {
  const life = {
    notAfter: 90 * DAY,
    step: null,
    hindrance: null,
    isRemoved: false,
    renewsItself: true,
    isServed: true,
  } as const
  const status = (change: object, now = 0) => certificateStatus({ ...life, ...change }, now)
  assert.equal(status({ notAfter: null, step: 'order' }), 'issuing')
  assert.equal(status({ notAfter: null, step: 'order', hindrance: 'waiting' }), 'waiting')
  assert.equal(status({ notAfter: null, hindrance: 'failed' }), 'inactive')
  // Issued is not served: nodes have to confirm it, and while one is renewed the one before is served.
  assert.equal(status({ step: 'deploy', isServed: false }), 'issuing')
  assert.equal(status({ step: 'deploy', isServed: false, hindrance: 'failed' }), 'inactive')
  assert.equal(status({ step: 'deploy', isServed: false }, 90 * DAY), 'expired')
  assert.equal(status({ step: 'deploy' }), 'active')
  assert.equal(status({ step: 'deploy', hindrance: 'failed' }), 'expiring')
  assert.equal(status({}), 'active')
  assert.equal(status({}, 65 * DAY), 'active')
  assert.equal(status({ hindrance: 'failed' }, 65 * DAY), 'expiring')
  assert.equal(status({ renewsItself: false }, 65 * DAY), 'expiring')
  assert.equal(status({ renewsItself: false }, 59 * DAY), 'active')
  assert.equal(status({}, 90 * DAY), 'expired')
  assert.equal(status({ isRemoved: true }), 'deleting')
})

test('renewal: in the middle of the suggested window, else at two thirds of the life', () => {
  assert.equal(renewalAt({ notBefore: 0, notAfter: 90 * DAY }, null), 60 * DAY)
  assert.equal(renewalAt({ notBefore: 0, notAfter: 90 * DAY }, { start: 40 * DAY, end: 42 * DAY }), 41 * DAY)
})

const LEFT_ALONE = { hindrance: null, renewsItself: false }

test('notices come once each, at 30, 14, 7 and 1 days and at the end', () => {
  const told: number[] = []
  let last: number | null = null
  for (let now = 0; now <= 92 * DAY; now += DAY / 2) {
    const due = noticeDue({ ...LEFT_ALONE, notAfter: 90 * DAY }, last, now)
    if (due !== null) told.push((last = due))
  }
  assert.deepEqual(told, [30, 14, 7, 1, 0])
  assert.equal(noticeDue({ ...LEFT_ALONE, notAfter: 3 * DAY }, null, 0), 7)
})

test('of a certificate that renews itself people hear when that is hindered, else on its last day', () => {
  const own = { notAfter: 30 * DAY, renewsItself: true }
  assert.deepEqual(
    [0, 24, 29.5, 30].map((days) => noticeDue({ ...own, hindrance: null }, null, days * DAY)),
    [null, null, 1, 0],
  )
  for (const hindrance of ['waiting', 'failed'] as const)
    assert.deepEqual(
      [0, 24, 29.5, 30].map((days) => noticeDue({ ...own, hindrance }, null, days * DAY)),
      [30, 7, 1, 0],
    )
})

test('orders are tried again ever more slowly', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 9].map((attempts) => orderBackOffMs(attempts) / 60_000),
    [1, 5, 25, 125, 360],
  )
})
