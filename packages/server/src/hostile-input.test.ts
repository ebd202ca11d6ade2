import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { ErrorEnvelope, unknownFields } from '@fairway/contract'
import { send, startApiUnderTest, nodeTokenOf, type ApiUnderTest, type Client } from './testing/api-under-test.ts'
import { everyRoute, type NamedRoute } from './testing/every-route.ts'
import { startNodeUnderTest, type NodeUnderTest } from './testing/node-under-test.ts'
import { OWNED, knownBodyOf, newWorld, valueOf, type World } from './testing/whole-world.ts'

let api: ApiUnderTest
let running: NodeUnderTest[]
let world: World
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
  world = await newWorld(api, 'Hostile')
  operator = await api.newClient({ isOperator: true })
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

/** What the database has no place for. */
const HOSTILE: readonly unknown[] = ['a\u0000b', 2 ** 31]

type Shape = { properties?: Record<string, Shape>; items?: Shape; anyOf?: Shape[]; oneOf?: Shape[]; allOf?: Shape[] }
type Path = readonly string[]

/** Every field that an input has, six deep; an array's first element is `0`. */
function pathsOf(shape: Shape, at: Path = []): Path[] {
  // What lies deeper is the same form once more, nested in itself.
  if (at.length > 5) return []
  const inner = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])].flatMap((one) =>
    pathsOf(one, at),
  )
  const fields = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => [
    [...at, name],
    ...pathsOf(field, [...at, name]),
  ])
  const elements = shape.items ? [[...at, '0'], ...pathsOf(shape.items, [...at, '0'])] : []
  return [...new Map([...inner, ...fields, ...elements].map((path) => [path.join(' '), path])).values()]
}

/** The input with a value at a path, making what is missing on the way. */
function put(input: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (step === '0') return [put(Array.isArray(input) ? input[0] : undefined, rest, value)]
  const fields = typeof input === 'object' && input !== null ? Object.fromEntries(Object.entries(input)) : {}
  return { ...fields, [step]: put(fields[step], rest, value) }
}

/**
 * A call that would pass, but for one field or one part of the path. What takes something of the world away gets the
 * latter only.
 */
function hostileInputs(entry: NamedRoute): Record<string, unknown>[] {
  const { route, params, name } = entry
  const isOurs = route.permission !== 'public' && route.permission !== 'node' && !route.scope
  const body = isOurs ? knownBodyOf(entry, world) : {}
  const path = Object.fromEntries(
    params.map((param) => [param, isOurs && OWNED.has(param) ? valueOf(entry, param, world) : 'x']),
  )
  const isParting = /remove|delete|deactivate|end|signOut|logout|revoke/i.test(name)
  const paths = isParting ? [] : pathsOf(z.toJSONSchema(route.in, { io: 'input', unrepresentable: 'any' }) as Shape)
  const inFields = paths.flatMap((at) =>
    HOSTILE.map((value) => put({ ...path, ...body }, at, value) as Record<string, unknown>),
  )
  return [
    ...inFields,
    ...params.flatMap((param) => ['a\u0000b', '9'.repeat(30)].map((value) => ({ ...body, ...path, [param]: value }))),
  ]
}

test('whatever is sent to whichever route, the answer is never that something went wrong here', async () => {
  let told = 0
  for (const entry of everyRoute.filter(({ route }) => !route.stream)) {
    const { route, name } = entry
    const token = route.permission === 'node' ? nodeTokenOf(api) : route.scope ? operator.token : world.client.token
    for (const input of hostileInputs(entry)) {
      const response = await send(api.url, token, route, input)
      const text = await response.text()
      // Others than us may be away (502, 503): the event store is, here.
      assert.notEqual(response.status, 500, `${name} answered ${text} to ${JSON.stringify(input).slice(0, 300)}`)
      assert.notEqual(response.status, 429, `${name}: so many calls a minute are not answered any more`)
      if (response.status === 400) told++
    }
  }
  assert.ok(told > 1_000, `${told} inputs were refused as such`)
})

test('a field that a route does not know is refused by its name, wherever it stands', async () => {
  let refused = 0
  for (const entry of everyRoute.filter(({ route }) => !route.stream && route.permission !== 'node')) {
    const { route, name, params } = entry
    const isOurs = route.permission !== 'public' && !route.scope
    const path = Object.fromEntries(
      params.map((param) => [param, isOurs && OWNED.has(param) ? valueOf(entry, param, world) : 'x']),
    )
    const body = isOurs ? knownBodyOf(entry, world) : {}
    if (!route.in.safeParse(body).success) {
      // What a call to it holds is not known here; its form is looked at without sending anything.
      assert.ok(isClosed(route.in), `${name} takes fields that it does not know`)
      continue
    }
    const token = route.scope ? operator.token : world.client.token
    const call = () => send(api.url, token, route, { ...path, ...body, fieldOfNobody: 'x' })
    let response = await call()
    // A quick machine has made all the calls that one address may make in a minute.
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after') ?? 60) * 1000))
      response = await call()
    }
    const text = await response.text()
    assert.equal(response.status, 400, `${name} answered ${response.status} ${text.slice(0, 200)}`)
    assert.deepEqual(
      ErrorEnvelope.parse(JSON.parse(text)).meta.fields,
      [{ path: 'fieldOfNobody', message: 'validation.unknownField' }],
      name,
    )
    refused++
  }
  assert.ok(refused > 150, `${refused} routes refused it`)
})

/** Whether unknown fields of an input are found: one object, or a choice among such. */
function isClosed(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodObject) return unknownFields(schema, { fieldOfNobody: 'x' }).includes('fieldOfNobody')
  if (schema instanceof z.ZodUnion) return schema.options.every((one) => one instanceof z.ZodType && isClosed(one))
  return schema instanceof z.ZodPipe && schema.in instanceof z.ZodType && isClosed(schema.in)
}
