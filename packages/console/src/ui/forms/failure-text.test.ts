import { DECLINE_CODES, ERRORS, isErrorCode } from '@fairway/contract'
import { createInstance } from 'i18next'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { loadCatalog } from '../../i18n/catalogs.ts'
import { LOCALES } from '../../i18n/locale.ts'
import { failureText } from '../layers/snackbar.tsx'

const BUSY = new Set([500])

describe.each(LOCALES)('%s', (locale) => {
  test('every code that the API answers is told in its own words, with every figure filled in', async () => {
    const i18n = createInstance()
    await i18n.init({
      lng: 'x',
      resources: { x: await loadCatalog(locale) },
      ns: ['errors'],
      interpolation: { escapeValue: false },
    })
    const say = (error: unknown) => failureText(i18n.getFixedT(null, 'errors'), error)
    const unknown = say(new ApiError(123_456, 400))
    expect(say(new Error('x'))).toBe(unknown)
    for (const code of Object.keys(ERRORS).map(Number).filter(isErrorCode)) {
      const text = say(new ApiError(code, ERRORS[code].status))
      expect({ code, text }).toEqual({ code, text: expect.not.stringMatching(/\{\{|errorMessage|^$/) })
      if (!BUSY.has(code)) expect({ code, text }).not.toEqual({ code, text: unknown })
    }
    const against = (path: string) => say(new ApiError(27_020, 409, null, [{ path, message: 'validation.cdnCannot' }]))
    const said = ['settings.websocket', 'origin.address', 'origin.hostHeader', 'origin.protocol', 'origin.port']
    expect(new Set(said.map(against)).size).toBe(said.length)
    for (const text of said.map(against)) expect(text.length).toBeGreaterThan(say(new ApiError(27_020, 409)).length)
    expect(against('origin.unknown')).toBe(say(new ApiError(27_020, 409)))
    for (const code of DECLINE_CODES) {
      const declined = new ApiError(7709, 402)
      declined.declineCode = code
      expect({ code, text: say(declined) }).toEqual({ code, text: expect.not.stringMatching(/errorMessage|^$/) })
    }
  })
})
