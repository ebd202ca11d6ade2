import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact } from './redact.ts'

test('passwords and keys of others are cut out, however people write them', () => {
  for (const [text, secret] of [
    ['My password is hunter2', 'hunter2'],
    ['the password was still "correct-horse"', 'correct-horse'],
    ['密碼是 hunter2', 'hunter2'],
    ['密码：hunter2', 'hunter2'],
    ['password: "two words"', 'two words'],
    ['DB_PASSWORD=s3cr3t!', 's3cr3t!'],
    ['"api_key": "abcd1234"', 'abcd1234'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalr'],
    ['I used wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY there', 'wJalr'],
    ['AKIAIOSFODNN7EXAMPLE', 'AKIA'],
    ['postgres://anna:hunter2@db.example/x', 'hunter2'],
    ['Authorization: Basic aHVudGVyMg==', 'aHVudGVyMg'],
    ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', '4eC39'],
    ['otpauth://totp/x?secret=JBSWY3DPEHPK3PXP', 'JBSWY3DP'],
    ['4242 4242 4242 4242', '4242 4242'],
  ] as const)
    assert.ok(!redact(text).includes(secret), `${text} became ${redact(text)}`)
})

test('what only speaks of them stays', () => {
  for (const fine of [
    'Order 1234567890123456 has a token problem',
    'Call +886 2 2345 6789',
    'shop.example answers 503 since 10:42',
    'my password is not accepted, the token was refused',
    'The password is wrong and the API key is missing',
    'THIS PAGE SAYS NOTHING. CONFIGURATIONS FAIL',
    'commit 6a7101b0c3d4e5f60718293a4b5c6d7e8f901234 broke it',
    'see https://www.example.com/stories/night-train-to-the-north-of-the-country',
    'basic knowledge of caching',
    'id 0f8fad5b-d9cb-469f-a165-70867728950e, fwk_0f8fad5b',
  ])
    assert.equal(redact(fine), fine)
})
