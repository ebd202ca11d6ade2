import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Caption } from '@fairway/contract'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video as film } from '../../testing/stream-answers.ts'
import { platforms } from '../../testing/steering-answers.ts'
import { languageName, languageOfFile } from './language-name.ts'

const editor = accountOf({ plan: VIDEO_PLAN })
const AT = '2026-11-21T10:00:00Z'
const video = { ...film, source: film.source && { ...film.source, seconds: 5 } }
const german: Caption = {
  id: 'c1',
  language: 'de',
  label: 'Deutsch',
  kind: 'subtitles',
  isDefault: true,
  cues: 12,
  endsAt: 9,
  size: 100,
  isLive: true,
  url: null,
  createdBy: 'ada',
  changedAt: AT,
}
const LIST = 'GET /vsp/v2/assets/v1/captions/'
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/v1/': () => video,
  [LIST]: () => ({ data: [], limit: 60 }),
}

async function openTab() {
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Captions' }))
}
async function choose(name: string, bytes: BlobPart) {
  fireEvent.click(await screen.findByRole('button', { name: 'Add captions' }))
  const field = await waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('input[type=file]')
    if (!found) throw new Error('no field yet')
    return found
  })
  fireEvent.change(field, { target: { files: [new File([bytes], name)] } })
}
const addButton = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Add captions' }).at(-1)

test('a file names its language, is counted before it is sent, and goes as it is', async () => {
  const calls = stubApi({ ...world, 'POST /vsp/v2/assets/v1/captions/': () => german }, editor)
  await openTab()
  await choose('pier.de.srt', '1\n00:00:01,000 --> 00:00:02,000\nAhoi\n')
  expect(await screen.findByText('pier.de.srt: one caption')).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Language/ }).value).toBe('de')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('Deutsch')
  fireEvent.click(addButton() as HTMLElement)
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true))
  const body = calls.find(({ method }) => method === 'POST')?.body as Record<string, unknown>
  expect(body).toMatchObject({ language: 'de', label: 'Deutsch', kind: 'subtitles', isDefault: false })
  expect(atob(String(body['file']))).toContain('Ahoi')
})

test('a file in another encoding is told with its line, and is not sent', async () => {
  stubApi(world, editor)
  await openTab()
  await choose(
    'pier.srt',
    Uint8Array.from([...'1\n00:00:01,000 --> 00:00:02,000\ncaf'].map((one) => one.charCodeAt(0)).concat(0xe9)),
  )
  expect(await screen.findByText(/Line 3 is not UTF-8/)).toBeDefined()
  expect(addButton()?.disabled).toBe(true)
})

test('who may only look sees what there is, and what ends after the video is told', async () => {
  stubApi(
    { ...world, [LIST]: () => ({ data: [german], limit: 60 }) },
    accountOf({ plan: VIDEO_PLAN, permissions: ['ViewSite'] }),
  )
  await openTab()
  expect(await screen.findByText('In the player')).toBeDefined()
  expect(screen.getByText('Ends after the video')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Download Deutsch' }).getAttribute('href')).toBe(
    '/vsp/v2/assets/v1/captions/c1/file/',
  )
  expect(screen.queryByRole('button', { name: 'Add captions' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete Deutsch' })).toBeNull()
})

test('languages are named where they have a name, and what is none breaks nothing', () => {
  expect(languageName('de', 'en')).toBe('German')
  expect(languageName('de', 'de')).toBe('Deutsch')
  for (const tag of ['', 'x', 'qqq', 'de-']) expect([tag, languageName(tag, 'en')]).toEqual([tag, ''])
  expect(languageOfFile('pier.pt-BR.srt')).toBe('pt-BR')
  expect([languageOfFile('pier.srt'), languageOfFile('pier.final.srt'), languageOfFile('a.qqq.vtt')]).toEqual([
    '',
    '',
    '',
  ])
})
