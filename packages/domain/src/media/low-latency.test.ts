import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import HLS from 'hls-parser'
import { type LivePlaylist, emptyLivePlaylist, withSegment } from './live-playlist.ts'
import {
  type LiveEdge,
  type LivePart,
  partFrames,
  readDirectives,
  reloadOf,
  trimmedParts,
  lowLatencyPlaylist,
  wholeEdge,
  type PlaylistPieces,
} from './low-latency.ts'

HLS.setOptions({ strictMode: true })

type State = { list: LivePlaylist; edge: LiveEdge }
const DAY = Date.parse('2026-01-01T00:00:00Z')

/** A stream as the role makes it: so many parts after its beginning, with breaks before some segments. */
function stream(parts: number, { fps = 30, window = 60, breaks = [] as number[] } = {}): State {
  const { perPart, perSegment } = partFrames(fps, 1)
  const partCount = Math.ceil(perSegment / perPart)
  let list = emptyLivePlaylist(1)
  let finished: LiveEdge['finished'] = []
  let open: LivePart[] = []
  let [number, at, session] = [0, DAY, 1]
  const begin = () => {
    if (breaks.includes(number)) session++
  }
  begin()
  for (let made = 0; made < parts; made++) {
    const frames = Math.min(perPart, perSegment - open.length * perPart)
    const uri = `180p-${session}/s${number}p${open.length}.m4s`
    open = [...open, { uri, seconds: frames / fps, isIndependent: open.length === 0 }]
    if (open.length < partCount) continue
    const seconds = perSegment / fps
    list = withSegment(
      list,
      {
        uri: `180p-${session}/s${number}.m4s`,
        map: `180p-${session}/init.mp4`,
        seconds,
        at,
        breaks: breaks.includes(number),
      },
      window,
    )
    finished = trimmedParts([...finished, open], list)
    open = []
    number++
    at += seconds * 1000
    begin()
  }
  return {
    list,
    edge: {
      partSeconds: perPart / fps,
      partCount,
      finished,
      open: { map: `180p-${session}/init.mp4`, at, breaks: breaks.includes(number), parts: open },
      hint: `180p-${session}/s${number}p${open.length}.m4s`,
    },
  }
}
const textOf = ({ head, whole, end }: PlaylistPieces): string => `${head}${whole.text}${end}`
const text = ({ list, edge }: State, skips = false): string =>
  textOf(lowLatencyPlaylist(list, edge, { skips, others: [] }))
const valueOf = (playlist: string, name: string): number =>
  Number(new RegExp(`${name}=([\\d.]+)`).exec(playlist)?.[1] ?? Number.NaN)

/** What RFC 8216bis asks of a playlist with parts, for what one text can show. */
function obeys(playlist: string): void {
  const lines = playlist.split('\n')
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(playlist)?.[1])
  const longest = valueOf(playlist, 'PART-TARGET')
  // 4.4.3.8
  assert.ok(valueOf(playlist, 'PART-HOLD-BACK') >= 3 * longest - 1e-4, 'PART-HOLD-BACK')
  assert.ok(valueOf(playlist, '[^-]HOLD-BACK') >= 3 * target, 'HOLD-BACK')
  assert.ok(valueOf(playlist, 'CAN-SKIP-UNTIL') >= 6 * target, 'CAN-SKIP-UNTIL')
  // 7: the version that EXT-X-SKIP takes.
  if (playlist.includes('#EXT-X-SKIP')) assert.match(playlist, /^#EXT-X-VERSION:9$/m)
  let parts: number[] = []
  let after = 0
  for (const line of lines.toReversed()) {
    const part = /^#EXT-X-PART:DURATION=([\d.]+)/.exec(line)
    const whole = /^#EXTINF:([\d.]+),/.exec(line)
    if (whole) {
      assert.ok(Math.round(Number(whole[1])) <= target, 'EXTINF within TARGETDURATION')
      after += Number(whole[1])
      parts = []
    } else if (part) {
      const seconds = Number(part[1])
      // 4.4.4.9: none longer than the target, none but the last of its segment shorter than 85 % of it.
      assert.ok(seconds <= longest, `${seconds} of ${longest}`)
      if (parts.length > 0) assert.ok(seconds >= longest * 0.85, `${seconds} of ${longest}`)
      parts.push(seconds)
    }
  }
  assert.ok(after > 0)
  // 6.2.2: none reaches back further than three target durations.
  const durations = lines.flatMap((line) => {
    const part = /^#EXT-X-PART:DURATION=([\d.]+)/.exec(line)
    return part ? [Number(part[1])] : []
  })
  assert.ok(durations.reduce((sum, one) => sum + one, 0) <= 3 * target + 1e-4, 'parts within three target durations')
  // 4.4.5.3: one hint, of what is not there yet; none where nothing comes.
  const hints = [...playlist.matchAll(/^#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"$/gm)].map(([, uri]) => uri ?? '')
  assert.equal(hints.length, playlist.includes('CAN-BLOCK-RELOAD=YES') ? 1 : 0)
  for (const hint of hints) assert.ok(!playlist.includes(`#EXT-X-PART:DURATION=0.33333,URI="${hint}"`))
  // A new initialization segment comes with a discontinuity, and stands before its first part.
  const order = lines.filter((line) => /^#EXT-X-(DISCONTINUITY$|MAP)/.test(line))
  for (const [index, line] of order.entries())
    if (line.startsWith('#EXT-X-MAP') && index > 0) assert.equal(order[index - 1], '#EXT-X-DISCONTINUITY')
}

test('playlists with parts obey RFC 8216bis at every moment of a stream, and a strict reader takes them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 60 }),
      fc.constantFrom(20, 23.976, 24, 25, 29.97, 30, 48, 50, 59.94, 60),
      fc.integer({ min: 3, max: 12 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 19 }), { maxLength: 2 }),
      (parts, fps, window, breaks) => {
        const state = stream(parts, { fps, window, breaks })
        if (state.list.segments.length === 0) return
        const whole = text(state)
        obeys(whole)
        const read = HLS.parse(whole)
        assert.ok(!read.isMasterPlaylist)
        assert.equal(read.mediaSequenceBase, state.list.sequence)
        assert.equal(read.discontinuitySequenceBase, state.list.breaksBefore)
        assert.equal(read.segments.length, state.list.segments.length + 1)
        assert.ok(read.lowLatencyCompatibility?.canBlockReload)
        obeys(text({ ...state, edge: { ...state.edge, hint: null } }))
      },
    ),
    { numRuns: 200 },
  )
})

test('a stream without parts is waited for by whole segments, and speaks of no parts', () => {
  const { list } = stream(30)
  const edge = wholeEdge('180p-1/init.mp4', '180p-1/s10.m4s')
  const playlist = text({ list, edge })
  assert.doesNotMatch(playlist, /PART/)
  const read = HLS.parse(playlist)
  assert.ok(!read.isMasterPlaylist)
  assert.ok(read.lowLatencyCompatibility?.canBlockReload)
  assert.deepEqual([read.segments.length, read.mediaSequenceBase], [list.segments.length, list.sequence])
  const last = list.sequence + list.segments.length - 1
  const reload = (query: string, at = edge) => reloadOf(readDirectives(query) ?? assert.fail(), list, at)
  assert.deepEqual(
    [last, last + 1, last + 2, last + 3].map((msn) => reload(`_HLS_msn=${msn}`)),
    ['now', 'later', 'later', 'refused'],
  )
  assert.equal(reload(`_HLS_msn=${last + 1}&_HLS_part=1`), 'away')
  // Nobody sends: nothing is waited for, and the playlist does not offer it.
  const resting = { ...edge, hint: null }
  assert.equal(reload(`_HLS_msn=${last + 1}`, resting), 'now')
  assert.doesNotMatch(text({ list, edge: resting }), /CAN-BLOCK-RELOAD/)
})

test('an update without the old part is the whole playlist for who had the one before', () => {
  const [before, now] = [stream(90), stream(92)]
  const update = text(now, true)
  const skipped = Number(/#EXT-X-SKIP:SKIPPED-SEGMENTS=(\d+)/.exec(update)?.[1])
  assert.equal(skipped, 24)
  obeys(update)
  assert.ok(update.length < text(now).length / 2)
  const shown = (playlist: string) =>
    [...playlist.matchAll(/^(?:#EXT-X-PROGRAM-DATE-TIME|#EXTINF|180p-|#EXT-X-PART:).*$/gm)].map(([line]) => line)
  const own = shown(text(before)).filter((line) => !line.startsWith('#EXT-X-PART'))
  assert.equal(before.list.sequence, now.list.sequence)
  assert.deepEqual([...own.slice(0, skipped * 3), ...shown(update)], shown(text(now)))
  // There is nothing to leave out of a short one.
  assert.ok(!text(stream(18), true).includes('EXT-X-SKIP'))
})

test('six hours to go back in are written fast enough for every part', () => {
  const few = stream(11)
  const segments = Array.from({ length: 21_600 }, (_, index) => ({
    uri: `180p-1/s${index}.m4s`,
    map: '180p-1/init.mp4',
    seconds: 1,
    at: DAY + index * 1000,
    breaks: false,
  }))
  const state = { ...few, list: { ...few.list, segments } }
  text(state)
  const update = text(state, true)
  assert.ok(update.length < 6_000, `${update.length}`)
  assert.match(update, /SKIPPED-SEGMENTS=21594/)
  assert.equal(text(state).split('#EXTINF').length, 21_601)
})

test('another quality says how far it is', () => {
  const state = stream(8)
  const said = (other: State) =>
    /#EXT-X-RENDITION-REPORT:.*/.exec(
      textOf(lowLatencyPlaylist(state.list, state.edge, { skips: false, others: [{ uri: '360p.m3u8', ...other }] })),
    )?.[0]
  assert.equal(said(stream(8)), '#EXT-X-RENDITION-REPORT:URI="360p.m3u8",LAST-MSN=2,LAST-PART=1')
  assert.equal(said(stream(9)), '#EXT-X-RENDITION-REPORT:URI="360p.m3u8",LAST-MSN=2,LAST-PART=2')
})

test('what a player asks is read strictly', () => {
  for (const [query, read] of [
    ['', { msn: null, part: null, skips: false }],
    ['token=a&CMCD=b', { msn: null, part: null, skips: false }],
    ['_HLS_msn=7', { msn: 7, part: null, skips: false }],
    ['_HLS_part=0&_HLS_msn=7&_HLS_skip=YES', { msn: 7, part: 0, skips: true }],
    ['_HLS_skip=v2', { msn: null, part: null, skips: true }],
    ['_HLS_part=1', null],
    ['_HLS_msn=1000000000000000000', null],
    ['_HLS_msn=-1', null],
    ['_HLS_msn=1.5', null],
    ['_HLS_msn=1e3', null],
    ['_HLS_msn=', null],
    ['_HLS_msn=1&_HLS_msn=2', null],
    ['_HLS_msn=1&_HLS_part=x', null],
    ['_HLS_skip=yes', null],
  ] as const)
    assert.deepEqual(readDirectives(query), read, query)
  fc.assert(fc.property(fc.string(), (query) => void readDirectives(query)))
})

test('a playlist is waited for while it comes soon, refused when it is far ahead, and plain for who was away', () => {
  // Three whole segments, 0 to 2, and two parts of number 3; ten on, 10 whole ones and none of number 10.
  const [open, closed] = [stream(11), stream(30)]
  for (const [state, query, wanted] of [
    [open, '_HLS_msn=2', 'now'],
    [open, '_HLS_msn=3', 'later'],
    [open, '_HLS_msn=4', 'later'],
    [open, '_HLS_msn=5', 'refused'],
    [open, '_HLS_msn=999999999999999', 'refused'],
    [open, '_HLS_msn=3&_HLS_part=1', 'now'],
    [open, '_HLS_msn=3&_HLS_part=2', 'later'],
    [open, '_HLS_msn=4&_HLS_part=0', 'later'],
    [open, '_HLS_msn=3&_HLS_part=3', 'later'],
    [open, '_HLS_msn=3&_HLS_part=4', 'away'],
    [open, '_HLS_msn=2&_HLS_part=4', 'away'],
    [closed, '_HLS_msn=9&_HLS_part=999999999999999', 'away'],
    [open, '_HLS_msn=2&_HLS_part=2', 'now'],
    // Behind the last part of number 2 is the first of number 3.
    [open, '_HLS_msn=2&_HLS_part=3', 'now'],
    [closed, '_HLS_msn=9&_HLS_part=3', 'later'],
    [closed, '_HLS_msn=9&_HLS_part=2', 'now'],
    [closed, '_HLS_msn=10&_HLS_part=0', 'later'],
    [closed, '_HLS_msn=5', 'away'],
    [closed, '_HLS_msn=0&_HLS_part=0', 'away'],
    [closed, '_HLS_skip=YES', 'now'],
  ] as const) {
    const asked = readDirectives(query)
    assert.ok(asked)
    assert.equal(reloadOf(asked, state.list, state.edge), wanted, query)
    // Nobody sends, or it is over: nobody waits.
    const resting = ['refused', 'away'].includes(wanted) ? /^(?:now|away)$/ : /^now$/
    assert.match(reloadOf(asked, state.list, { ...state.edge, hint: null }), resting)
    assert.match(reloadOf(asked, { ...state.list, hasEnded: true }, state.edge), resting)
  }
})

test('a playlist has few addresses, whatever numbers are asked for: running, resting or over', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 12, max: 90 }),
      fc.constantFrom(20, 24, 29.97, 30, 60),
      fc.constantFrom('running', 'resting', 'over'),
      (parts, fps, how) => {
        const made = stream(parts, { fps })
        const list = { ...made.list, hasEnded: how === 'over' }
        const edge = { ...made.edge, ...(how === 'resting' && { hint: null }) }
        const most = list.sequence + list.segments.length + 9
        let addresses = 0
        for (const msn of [...Array.from({ length: most }, (_, index) => index), 1e6, 1e14])
          for (const part of [null, ...Array.from({ length: 60 }, (_, index) => index), 999, 1e14]) {
            const reload = reloadOf({ msn, part, skips: false }, list, edge)
            if (reload === 'now' || reload === 'later') addresses++
          }
        // Of the four last segments, the one that is made and the next: each part, one behind them, and none.
        assert.ok(addresses <= 6 * (edge.partCount + 2), `${addresses}`)
      },
    ),
    { numRuns: 60 },
  )
})
