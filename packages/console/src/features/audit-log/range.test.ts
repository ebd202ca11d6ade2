import { describe, expect, test } from 'vitest'
import { AuditRangeSearch, boundsOf } from './range.ts'

const NOW = Date.parse('2026-11-21T10:00:30Z')

describe('the time of the audit log', () => {
  test('a preset reaches back from now, by whole minutes; all has no bounds', () => {
    expect(boundsOf('7d', NOW)).toEqual({ from: '2026-11-14T10:00:00.000Z' })
    expect(boundsOf('all', NOW)).toEqual({})
  })

  test('two days are both whole', () => {
    const { from, to } = boundsOf('2026-11-01_2026-11-01', NOW)
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000)
    expect(from).toBe(new Date('2026-11-01T00:00:00').toISOString())
  })

  test('days that are none have no bounds, and nonsense is no range', () => {
    expect(boundsOf('2026-99-99_2026-01-01', NOW)).toEqual({})
    expect(AuditRangeSearch.parse('yesterday')).toBeUndefined()
  })
})
