import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { FEATURES } from '@fairway/contract'
import { KEY_FILE, cloudfrontScript, judgeCloudfront } from '@fairway/domain'
import { CLOUDFRONT_VALUES, type VendorUnderTest, startFakeCloudfront } from '@fairway/drivers/testing'
import { type Played, playScript } from '@fairway/app'
import { chromiumMissing, openChromium } from './chromium.ts'
import { setUp } from './console-session.ts'
import { curl } from './curl.ts'
import { type DashPlayed, dashScript } from './dash-player.ts'
import { pace } from './pace.ts'
import { pageServer } from './page-server.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { byoCdnKeys, signedUrls, simulatedCdns, streamAssets, streamBalancers } = FEATURES

const stack = new AsyncDisposableStack()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-steered-'))
let world: World
let vendor: VendorUnderTest
let page: Page
let player: Page

before(async () => {
  if (chromiumMissing) return
  vendor = stack.use(await startFakeCloudfront())
  vendor.mood.at = 'comply'
  world = stack.use(await startWorld({ settings: { FAIRWAY_CDN_API_URLS: `cloudfront=${vendor.url}` } }))
  const browser = await openChromium()
  stack.defer(() => browser.close())
  page = await (await browser.newContext({ baseURL: world.url, locale: 'en-US' })).newPage()
  page.setDefaultTimeout(20_000 * pace())
  await setUp(page)
  const { data } = await world.api(simulatedCdns.routes.list, {})
  const rules = data.map(({ cdnId, address }) => `MAP *.${cdnId}.stream.localhost ${address}`)
  // Every name below localhost is this machine to a browser; the simulated CDNs have addresses of their own.
  const viewer = await openChromium(`--host-resolver-rules=${rules.join(',')}`)
  stack.defer(() => viewer.close())
  player = await (await viewer.newContext()).newPage()
  player.on('request', (request) => {
    if (request.url().includes('_DASH_pathway')) questions.push(new URL(request.url()))
  })
})
after(async () => {
  await stack.disposeAsync()
  fs.rmSync(folder, { recursive: true, force: true })
})

const played = () => player.evaluate<Played>('window.played()')
const dashPlayed = () => player.evaluate<DashPlayed>('window.dashPlayed()')
const hostsOf = ({ loaded }: Pick<Played, 'loaded'> | DashPlayed) => loaded.map(({ host }) => host)
/** Questions of dash.js about where to go. */
let questions: URL[] = []

/** Stock hls.js and stock dash.js beside each other in a page of another origin. */
async function play(master: string, manifest: string): Promise<void> {
  const scripts = ['hls', 'dash.all'].map((name) => `<script src="/${name}.min.js"></script>`).join('')
  const server = await pageServer(`<!doctype html><video muted></video><video class="dash" muted></video>${scripts}`)
  stack.use(server)
  await player.goto(server.address)
  questions = []
  await player.evaluate(playScript(master))
  await player.evaluate(dashScript(manifest))
}

test('stock hls.js and dash.js leave a CDN that is killed while they play, and play on', async (t) => {
  if (chromiumMissing) return t.skip(chromiumMissing)
  const file = path.join(folder, 'pier.mp4')
  const words =
    '-v error -f lavfi -i testsrc2=size=320x180:rate=25:duration=90 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'
  execFileSync('ffmpeg', [...words.split(' '), file])
  await page.goto('/stream/assets')
  // The button moves there once it is known that there is none.
  await page.getByText('No video yet').waitFor()
  await page.getByRole('button', { name: 'Upload videos' }).last().click()
  await page.locator('input[type=file]').setInputFiles(file)
  const ready = await until(
    'the film is ready',
    async () => (await world.api(streamAssets.routes.list, {})).data.find(({ state }) => state === 'ready'),
    60_000 * pace(),
    200,
  )
  // In the console: two simulated CDNs instead of our edge.
  await page.goto('/stream/assets')
  await page.getByRole('tab', { name: 'CDN Loadbalancer' }).click()
  await page.getByRole('switch', { name: 'Steer players' }).click({ force: true })
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('The load balancer is saved.').waitFor()
  const entry = (cdnId: string, weight: number) => ({ cdnId, host: null, weight, enabled: true })
  await world.api(streamBalancers.routes.set, {
    source: 'assets',
    isOn: true,
    mode: 'weights',
    entries: [entry('polaris', 100), entry('swiftlane', 1)],
  })
  await until(
    'both are in place and seen up',
    async () =>
      (await world.api(streamBalancers.routes.get, { source: 'assets' })).entries.every(
        ({ state, health }) => state === 'completed' && health === 'up',
      ),
    60_000 * pace(),
    200,
  )
  await play(ready.manifestUrl ?? '', ready.dashUrl ?? '')
  await until(
    'both play',
    async () => (await played()).seconds > 3 && (await dashPlayed()).seconds > 3,
    40_000 * pace(),
    100,
  )
  const [before, dashBefore] = [await played(), await dashPlayed()]
  for (const from of [hostsOf(before), hostsOf(dashBefore)])
    assert.ok(from.length > 0 && from.every((host) => host.includes('.polaris.')), from.join(' '))
  await world.api(simulatedCdns.routes.set, { cdn: 'polaris', fault: { mode: 'down' } })
  const [after, dashAfter] = await until(
    'both have played on for 20 seconds more',
    async () => {
      const [now, dash] = [await played(), await dashPlayed()]
      return now.seconds > before.seconds + 20 && dash.seconds > dashBefore.seconds + 20 && ([now, dash] as const)
    },
    60_000 * pace(),
    200,
  )
  for (const hosts of [hostsOf(after), hostsOf(dashAfter)])
    assert.ok(hosts.at(-1)?.includes('.swiftlane.'), hosts.join(' '))
  // It says where it is, and goes on being answered as the session that it is.
  const [first, ...sessions] = questions.map(({ searchParams }) => searchParams.get('s'))
  assert.ok(first === null && sessions.length > 0 && new Set(sessions).size === 1, questions.join(' '))
  // That a segment is not to be had there is all that it says.
  assert.ok(
    dashAfter.errors.every((error) => error.startsWith('27 ')),
    dashAfter.errors.join(' '),
  )
  assert.ok(
    !after.errors.some((error) => error.includes('fatal') && error.startsWith('mediaError')),
    after.errors.join(' '),
  )
  t.diagnostic(`stalled ${Math.round(after.stalledMs)} ms; ${after.errors.join(', ') || 'no error'}`)
  assert.ok(after.stalledMs < 1_000 * pace(), `stalled ${after.stalledMs} ms`)
})

test('with a signed address stock hls.js and dash.js are steered too: each viewer’s token goes on to every CDN', async (t) => {
  if (chromiumMissing) return t.skip(chromiumMissing)
  await world.api(simulatedCdns.routes.set, { cdn: 'polaris', fault: { mode: 'up' } })
  await world.api(signedUrls.routes.createKey, {})
  await world.api(signedUrls.routes.set, { on: true })
  await until(
    'both are in place and seen up',
    async () =>
      (await world.api(streamBalancers.routes.get, { source: 'assets' })).entries.every(
        ({ state, health }) => state === 'completed' && health === 'up',
      ),
    60_000 * pace(),
    200,
  )
  const film = (await world.api(streamAssets.routes.list, {})).data.find(({ state }) => state === 'ready')
  const signed = film?.preview?.manifestUrl ?? ''
  const dash = signed.replace('master.m3u8', 'manifest.mpd')
  const answered = (url: string) => {
    const { host, pathname } = new URL(url)
    return curl(`http://${world.edge.host}:${world.edge.port}${pathname}`, host)
  }
  await until(
    'nobody plays without, and the playlist asks where to go',
    async () =>
      (await answered(film?.manifestUrl ?? '')).status === 403 &&
      (await answered(signed)).body.includes('PATHWAY-ID="."') &&
      (await answered(film?.dashUrl ?? '')).status === 403 &&
      (await answered(dash)).body.includes('serviceLocation="."'),
    20_000 * pace(),
    200,
  )
  await play(signed, dash)
  const moved = await until(
    'both play from the CDN that they were told of',
    async () => {
      const [now, other] = [await played(), await dashPlayed()]
      const areThere = [now, other].every((one) => one.seconds > 3 && hostsOf(one).at(-1)?.includes('.polaris.'))
      return areThere && { ...now, other }
    },
    60_000 * pace(),
    200,
  )
  const [token = ''] = /^\/t\/[^/]+\//.exec(new URL(signed).pathname) ?? []
  const paths = [...moved.loaded, ...moved.other.loaded].map((one) => one.path)
  assert.ok(token !== '' && paths.every((one) => one.startsWith(token)), paths.join(' '))
  await world.api(simulatedCdns.routes.set, { cdn: 'polaris', fault: { mode: 'down' } })
  const after = await until(
    'both have played on for 10 seconds more',
    async () => {
      const [now, other] = [await played(), await dashPlayed()]
      return now.seconds > moved.seconds + 10 && other.seconds > moved.other.seconds + 10 && now
    },
    60_000 * pace(),
    200,
  )
  assert.ok(!after.errors.some((error) => error.includes('fatal') && error.startsWith('mediaError')), `${after.errors}`)
  t.diagnostic(`${[...new Set(hostsOf(after))].join(' then ')}; stalled ${Math.round(after.stalledMs)} ms`)
})

/** What CloudFront does for a viewer: it checks the query, takes it out, and asks its origin where it is told to. */
async function standIn(publicKey: string, keyPairId: string, originPath: string, host: string) {
  const key = crypto.createPublicKey(publicKey)
  const refused: string[] = []
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`
    const now = Math.floor(Date.now() / 1000)
    const { refusal } = judgeCloudfront(
      { url, address: '127.0.0.1' },
      {
        now,
        decode: (text) => Buffer.from(text, 'base64').toString('latin1'),
        parse: (text) => JSON.parse(text) as unknown,
        hasKey: (id) => id === keyPairId,
        verify: (_, text, signature) =>
          crypto.verify('sha1', Buffer.from(text, 'latin1'), key, Buffer.from(signature, 'latin1')),
      },
      [],
    )
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (refusal !== '') return (refused.push(`${refusal} ${request.url}`), void response.writeHead(403).end())
    const { pathname } = new URL(url)
    asked.push(pathname)
    http
      .get(
        { host: world.edge.host, port: world.edge.port, path: `${originPath}${pathname}`, headers: { host } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? '' })
          answer.pipe(response)
        },
      )
      .on('error', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => (server.closeAllConnections(), void server.close()))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refused, asked }
}

test('behind CloudFront every file of a signed video is asked for with the viewer’s signature, by stock hls.js and dash.js', async (t) => {
  if (chromiumMissing) return t.skip(chromiumMissing)
  await world.api(byoCdnKeys.routes.create, { platform: 'cloudfront', name: 'Our AWS', values: CLOUDFRONT_VALUES })
  const { data, privateKey } = await world.api(signedUrls.routes.createKey, { kind: 'rsa-2048' })
  const cdnId = (await world.api(signedUrls.routes.get, {})).accounts[0]?.cdnId ?? ''
  await world.api(signedUrls.routes.placeCloudfront, { cdnId })
  const placed = await until(
    'the distribution is live',
    async () => {
      const read = await world.api(signedUrls.routes.get, {})
      return read.cloudfront?.state === 'live' && read
    },
    60_000 * pace(),
    200,
  )
  const keyPairId = placed.keys.find(({ id }) => id === data.id)?.keyPairId ?? ''
  const [originPath = ''] = /\/t\/[^"]+/.exec(JSON.stringify(vendor.settings())) ?? []
  const cloudfront = await standIn(data.publicKey, keyPairId, originPath, new URL(placed.origin).hostname)
  const sample = placed.sample ?? { folder: '', file: '' }
  const script = cloudfrontScript('node', { keyPairId, origin: cloudfront.origin, ...sample })
  fs.writeFileSync(path.join(folder, script.file), script.text)
  fs.writeFileSync(path.join(folder, KEY_FILE), privateKey ?? '')
  const signed = execFileSync(process.execPath, [script.file], { cwd: folder, encoding: 'utf8' }).trim()
  await until('the edge lets it in', async () => (await fetch(signed)).status === 200, 20_000 * pace(), 200)
  assert.equal((await fetch(`${cloudfront.origin}${sample.folder}master.m3u8`)).status, 403)
  cloudfront.refused.length = 0
  await play(signed, signed.replace('master.m3u8', 'manifest.mpd'))
  const now = await until(
    'both play',
    async () => {
      const [seen, dash] = [await played(), await dashPlayed()]
      return seen.seconds > 5 && dash.seconds > 5 && seen
    },
    60_000 * pace(),
    200,
  )
  assert.deepEqual([cloudfront.refused, now.errors.filter((error) => error.includes('fatal'))], [[], []])
  assert.ok(cloudfront.asked.some((one) => one.endsWith('.m4s')) && hostsOf(now).every((host) => host === '127.0.0.1'))
})
