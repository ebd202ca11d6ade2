/** Programs that post to an outside feed; each reads its key from the environment. */
export const FEED_SNIPPETS = ['curl', 'node', 'python'] as const
export type FeedSnippet = (typeof FEED_SNIPPETS)[number]

/** What to run, for a feed's address and a CDN to speak of. */
export function feedSnippets({ url, cdn }: { url: string; cdn: string }): Record<FeedSnippet, string> {
  return {
    curl: `at=$(date +%s)
body='{"entries":[{"cdn":"${cdn}","place":"country:JP","availability":99.9,"latencyMs":42,"samples":120,"measuredAt":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}]}'
signature=$(printf '%s.%s' "$at" "$body" | openssl dgst -sha256 -hmac "$FEED_KEY" | sed 's/^.* //')
curl -sS '${url}' -H 'content-type: application/json' -H "feed-timestamp: $at" -H "feed-signature: v1=$signature" --data-raw "$body"`,
    node: `import { createHmac } from 'node:crypto'

const { now } = Date
const { fetch: send, process } = globalThis
const { env } = process
const seconds = Math.floor(now() / 1000)
const measuredAt = new Date(seconds * 1000).toISOString()
const entry = { cdn: '${cdn}', place: 'country:JP', availability: 99.9, latencyMs: 42, samples: 120, measuredAt }
const body = JSON.stringify({ entries: [entry] })
const signature = createHmac('sha256', env.FEED_KEY).update(seconds + '.' + body).digest('hex')
const headers = { 'content-type': 'application/json', 'feed-timestamp': String(seconds), 'feed-signature': 'v1=' + signature }
const answer = await send('${url}', { method: 'POST', headers, body })
console.log(answer.status, await answer.text())`,
    python: `import hashlib, hmac, json, os, time, urllib.request

measured_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
entry = {"cdn": "${cdn}", "place": "country:JP", "availability": 99.9, "latencyMs": 42, "samples": 120, "measuredAt": measured_at}
body = json.dumps({"entries": [entry]}).encode()
at = str(int(time.time()))
signature = hmac.new(os.environ["FEED_KEY"].encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()
headers = {"Content-Type": "application/json", "Feed-Timestamp": at, "Feed-Signature": "v1=" + signature}
print(urllib.request.urlopen(urllib.request.Request("${url}", body, headers)).read().decode())`,
  }
}
