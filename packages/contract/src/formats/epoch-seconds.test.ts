import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { FEATURES } from '../features.ts'
import type { AnyRoute } from '../route.ts'

const MOMENTS = ['from', 'until', 'since', 'before']

test('no query takes a moment that no date can hold', () => {
  const asked: string[] = []
  for (const { routes } of Object.values(FEATURES))
    for (const { method, path, in: input } of Object.values(routes) as AnyRoute[]) {
      if (method !== 'GET' || !(input instanceof z.ZodObject)) continue
      for (const name of MOMENTS) {
        const moment: z.ZodType | undefined = input.shape[name]
        if (!moment?.safeParse('1').success || moment.safeParse('x').success) continue
        asked.push(name)
        assert.equal(moment.safeParse('9000000000000000').success, false, `${name} of ${path}`)
        assert.equal(moment.safeParse('-1').success, false, `${name} of ${path}`)
      }
    }
  assert.ok(asked.length > 10)
})
