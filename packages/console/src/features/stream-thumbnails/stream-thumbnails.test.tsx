import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video } from '../../testing/stream-answers.ts'
import { platforms } from '../../testing/steering-answers.ts'

const AT = '/vsp/v2/assets/v1/thumbnail/'
const automatic = {
  kind: 'automatic',
  at: null,
  state: 'live',
  reasonCode: null,
  reason: '',
  url: 'http://k.stream.localhost/v1/poster.jpg',
  previewUrl: 'http://k.stream.localhost/v1/poster.jpg',
  spriteUrl: 'http://k.stream.localhost/v1/sprite.jpg',
  changedBy: null,
  changedAt: null,
}
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/v1/': () => video,
  [`GET ${AT}`]: () => automatic,
}
const open = async () => {
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Thumbnail' }))
}

test('a moment is chosen by its picture and sent by its exact time; one after the end is told before', async () => {
  const calls = stubApi(
    { ...world, [`PUT ${AT}`]: () => ({ ...automatic, kind: 'moment', at: 33.5, state: 'making' }) },
    accountOf({ plan: VIDEO_PLAN }),
  )
  await open()
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save' })
  expect(save.disabled).toBe(true)
  fireEvent.click(screen.getByText('A moment'))
  expect(screen.getAllByRole('button', { name: /^At / })).toHaveLength(8)
  fireEvent.click(screen.getByRole('button', { name: 'At 0:33' }))
  const time = screen.getByLabelText<HTMLInputElement>('Time')
  expect(time.value).toBe('0:33')
  fireEvent.change(time, { target: { value: '1:30' } })
  expect(await screen.findByText('The video has ended by then')).toBeDefined()
  expect(save.disabled).toBe(true)
  fireEvent.change(time, { target: { value: '0:33.5' } })
  fireEvent.click(save)
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ thumbnail: { kind: 'moment', at: 33.5 } }),
  )
})

test('what is no picture never leaves the browser, whatever it is called', async () => {
  const calls = stubApi(world, accountOf({ plan: VIDEO_PLAN }))
  await open()
  fireEvent.click(await screen.findByText('Own picture'))
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('nowhere to choose a file')
  fireEvent.change(input, { target: { files: [new File(['<svg onload="x"/>'], 'sun.png')] } })
  expect(await screen.findByText('Use a JPEG, PNG or WebP file')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
})

test('a picture that could not be made is told with its reason, and that the one before stays', async () => {
  stubApi(
    {
      ...world,
      [`GET ${AT}`]: () => ({ ...automatic, kind: 'picture', state: 'failed', reasonCode: 30024, reason: 'cut off' }),
    },
    accountOf({ plan: VIDEO_PLAN, permissions: ['ViewSite'] }),
  )
  await open()
  expect(await screen.findByText('The picture cannot be read.')).toBeDefined()
  expect(screen.getByText(/The picture before it stays\. cut off/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
