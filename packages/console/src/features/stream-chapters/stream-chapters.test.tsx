import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { VIDEO_PLAN, video } from '../../testing/stream-answers.ts'
import { platforms } from '../../testing/steering-answers.ts'
import { timeOf, timeText } from './time-text.ts'

const GET = 'GET /vsp/v2/assets/v1/chapters/'
const chapters = (data: { start: number; title: string }[]) => ({
  data,
  limit: 200,
  isLive: true,
  jsonUrl: null,
  vttUrl: null,
})
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/v1/': () => video,
  [GET]: () => chapters([{ start: 0, title: 'Casting off' }]),
}

test('times are written as people write them, and read as they are written', () => {
  for (const [text, seconds] of [
    ['0:00', 0],
    ['1:02', 62],
    ['1:02:03.5', 3723.5],
    ['0:03.05', 3.05],
  ] as const) {
    expect(timeOf(text)).toBe(seconds)
    expect(timeText(seconds)).toBe(text)
  }
  expect([timeOf('90'), timeOf('62:03'), timeOf('1,5')]).toEqual([90, 3723, 1.5])
  for (const bad of ['', 'x', '1:60', '1:2:3:4', '-1', '1.2345']) expect([bad, timeOf(bad)]).toEqual([bad, null])
})

test('a chapter is added and all are sent; what cannot be is told before', async () => {
  const calls = stubApi(
    {
      ...world,
      'PUT /vsp/v2/assets/v1/chapters/': () =>
        chapters([
          { start: 0, title: 'Casting off' },
          { start: 62.5, title: 'Port' },
        ]),
    },
    accountOf({ plan: VIDEO_PLAN }),
  )
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Chapters' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Add chapter' }))
  const time = screen.getByLabelText('Beginning of chapter 2')
  fireEvent.change(screen.getByLabelText('Title of chapter 2'), { target: { value: 'Port' } })
  fireEvent.change(time, { target: { value: '2:00' } })
  expect(await screen.findByText('The video has ended by then')).toBeDefined()
  fireEvent.change(time, { target: { value: '0:00' } })
  expect((await screen.findAllByText('Two chapters begin at this time')).length).toBe(2)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  fireEvent.change(time, { target: { value: '1:02.5' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      chapters: [
        { start: 0, title: 'Casting off' },
        { start: 62.5, title: 'Port' },
      ],
    }),
  )
})

test('who may only look reads them and changes nothing', async () => {
  stubApi(world, accountOf({ plan: VIDEO_PLAN, permissions: ['ViewSite'] }))
  openScreen('/stream/assets/detail/v1')
  fireEvent.click(await screen.findByRole('tab', { name: 'Chapters' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Title of chapter 1')).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
