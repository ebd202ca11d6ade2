import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { unknownFields } from './unknown-fields.ts'

const Inner = z.object({ a: z.string().optional() })

test('fields that a schema does not know are found by their path, however deep', () => {
  for (const [schema, value, expected] of [
    [Inner, { a: 'x' }, []],
    [Inner, { a: 'x', b: 1 }, ['b']],
    [z.object({ list: z.array(Inner) }), { list: [{ a: 'x' }, { c: 1 }] }, ['list.1.c']],
    [z.object({ inner: Inner.nullable().optional().default({}) }), { inner: { b: 1 } }, ['inner.b']],
    [z.object({ map: z.record(z.string(), Inner) }), { map: { any: { b: 1 } } }, ['map.any.b']],
    [z.object({ free: z.record(z.string(), z.unknown()) }), { free: { any: { b: 1 } } }, []],
    [z.object({ pair: z.tuple([Inner, Inner]) }), { pair: [{ b: 1 }, {}] }, ['pair.0.b']],
    [
      z.discriminatedUnion('k', [z.object({ k: z.literal(1), x: z.int() }), z.object({ k: z.literal(2) })]),
      { k: 2, x: 1 },
      ['x'],
    ],
    [z.union([z.object({ x: z.int() }), z.object({ y: z.int() })]), { y: 1 }, []],
    [z.object({ x: z.int() }).transform((one) => one.x), { x: 1, y: 2 }, ['y']],
    [
      z
        .object({ x: z.int() })
        .refine(() => true)
        .and(z.object({ y: z.int() })),
      { x: 1, y: 2, z: 3 },
      ['z'],
    ],
    [z.preprocess((one) => one, Inner), { b: 1 }, ['b']],
    [z.looseObject({ x: z.int() }), { x: 1, y: 2 }, []],
    [Inner, JSON.parse('{"__proto__":{"b":1},"constructor":1}'), ['__proto__', 'constructor']],
  ] as const)
    assert.deepEqual(unknownFields(schema, value), expected, JSON.stringify(value))
})
