import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS } from '@fairway/contract'
import { everyRoute } from '../testing/every-route.ts'
import { openApiDocument } from './openapi.ts'

type Operation = {
  operationId: string
  tags: string[]
  security?: object[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
  'x-error-codes': number[]
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

// As it goes over the wire: what JSON cannot hold would be lost here.
const document = JSON.parse(JSON.stringify(openApiDocument('http://127.0.0.1:8080'))) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('the document is OpenAPI 3.1 and says what it is', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.ok(document.info.title && document.info.version)
  assert.deepEqual(Object.keys(document.components.securitySchemes), ['bearer'])
})

test('every route that is declared is in it, once, under its own id', () => {
  const declared = everyRoute.map(({ name, route }) => `${route.method} ${route.path} ${name}`).sort()
  assert.deepEqual(
    operations.map(({ path, method, operation }) => `${method.toUpperCase()} ${path} ${operation.operationId}`).sort(),
    declared,
  )
  assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
})

test('paths begin and end with a slash, and their parameters are declared, no others', () => {
  for (const { path, operation } of operations) {
    assert.match(path, /^\/.*\/$/)
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      inPath.map((parameter) => parameter.name),
      [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      operation.operationId,
    )
    assert.ok(inPath.every((parameter) => parameter.required))
    assert.equal(
      new Set(operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size,
      operation.parameters.length,
    )
    assert.ok(operation.parameters.every((parameter) => typeof parameter.schema === 'object'))
  }
})

test('every operation has an answer, the errors it may give, and a body only where one is sent', () => {
  for (const { method, operation } of operations) {
    assert.ok(operation.responses['200']?.content, operation.operationId)
    assert.ok(
      Object.entries(operation.responses).every(
        ([status, response]) => /^[1-5]\d\d$/.test(status) && response.description,
      ),
      operation.operationId,
    )
    assert.ok(operation['x-error-codes'].every((code) => code in ERRORS))
    if (method === 'get') assert.equal(operation.requestBody, undefined)
  }
})

test('every reference leads somewhere', () => {
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.ok(name.startsWith('#/components/'), name)
    const target = name
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
    assert.equal(typeof target, 'object', name)
  }
})
