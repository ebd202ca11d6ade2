import { RecordTtl, auth } from '@fairway/contract'
import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { z } from 'zod'
import errors from './en/errors.json'
import texts from './en/validation.json'
import { validationText } from './validation.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: { en: { validation: texts, errors } }, ns: ['validation', 'errors'] })
const say = (message: string | undefined) => validationText(i18n.t, message)
const messageFor = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

test.each([
  [RecordTtl, 5, 'Enter at least 30'],
  [RecordTtl, 90_000, 'Enter at most 86400'],
  [RecordTtl, 30.5, 'Enter a whole number'],
  [RecordTtl, '', 'Required'],
  [z.email(), 'ada', 'Enter an e-mail address, like name@example.com'],
  [z.string().max(3), 'long', 'Enter at most 3 characters'],
  [z.array(z.string()).min(1), [], 'Required'],
  [z.ipv4(), 'x', 'Enter an IPv4 address, like 203.0.113.10'],
])('what a schema says about a value has words', (schema, value, text) => {
  expect(say(messageFor(schema, value))).toBe(text)
})

test('a message that the contract gives itself is kept', () => {
  expect(say(auth.routes.register.in.shape.password.safeParse('abcdefgh').error?.issues[0]?.message)).toContain(
    'upper-case',
  )
})

test('an error code speaks its own sentence', () => {
  expect(say('code:900104')).toContain('CNAME')
})

test('a message nobody knows is still a sentence, and none is none', () => {
  expect(say('validation.somethingNew')).toBe(texts.invalid)
  expect(say('Invalid input')).toBe(texts.invalid)
  expect(say(undefined)).toBeNull()
})

test.each([
  'required',
  'email',
  'max:80',
  'min:3',
  'regex',
  'max_value:4',
  'min_value:1',
  'integer',
  'between:1:365',
  'length:6',
  'isNumbers',
  'matchInputString',
  'invalidName',
  'onlyLowercase',
  'password',
  'confirmPassword',
  'captcha',
  'mfaCode',
  'organizationName',
  'alpha_dash_custom',
])('the rule %s has words of its own, with its bound', (rule) => {
  const text = say(`validation.${rule}`) ?? ''
  for (const bound of rule.split(':').slice(1)) expect(text).toContain(bound)
  expect(text).not.toMatch(/\{\{/)
  expect(text).not.toBe(texts.invalid)
})
