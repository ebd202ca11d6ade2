import assert from 'node:assert/strict'
import { test } from 'node:test'
import HLS from 'hls-parser'
import { isCaptionProblem, readCaptions } from './captions/read.ts'
import { chaptersJson, chaptersVtt, inOrder, oddChapter } from './chapters.ts'
import { masterPlaylist } from './ladder.ts'

const CHAPTERS = [
  { start: 62.5, title: 'Port & <b>starboard</b> --> home' },
  { start: 0, title: 'Casting off' },
]

test('chapters follow each other to the end of the film, and titles are words', () => {
  assert.equal(
    chaptersVtt(inOrder(CHAPTERS), 90),
    'WEBVTT\n\n00:00:00.000 --> 00:01:02.500\nCasting off\n\n00:01:02.500 --> 00:01:30.000\nPort &amp; &lt;b&gt;starboard&lt;/b&gt; --&gt; home\n',
  )
  assert.deepEqual(JSON.parse(chaptersJson(inOrder(CHAPTERS))), [
    { chapter: 1, 'start-time': 0, titles: [{ language: 'und', title: 'Casting off' }] },
    { chapter: 2, 'start-time': 62.5, titles: [{ language: 'und', title: CHAPTERS[0]?.title }] },
  ])
  // Its own strict reader takes it.
  assert.ok(!isCaptionProblem(readCaptions(new TextEncoder().encode(chaptersVtt(inOrder(CHAPTERS), 90)))))
})

test('two that begin at one time, and one after the end, are told', () => {
  assert.equal(oddChapter(CHAPTERS, 90), null)
  assert.deepEqual(oddChapter([...CHAPTERS, { start: 0, title: 'x' }], null), {
    index: 2,
    why: 'validation.chapterTwice',
  })
  assert.deepEqual(oddChapter(CHAPTERS, 60), { index: 0, why: 'validation.chapterLate' })
})

test('a strict parser finds them in the main playlist', () => {
  const list = HLS.parse(masterPlaylist([], null, false, [], 'chapters-1/chapters.json'))
  assert.ok(list.isMasterPlaylist)
  assert.deepEqual(
    list.sessionDataList.map(({ id, uri }) => [id, uri]),
    [['com.apple.hls.chapters', 'chapters-1/chapters.json']],
  )
})
