import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { ZoneFileFault } from '@fairway/contract'
import * as fc from 'fast-check'
import { labelsBelow, labelsOf } from '../rdata/name-text.ts'
import { isUnderstood } from '../rdata/rdata.ts'
import { readZoneFile, type ZoneFile } from './read-zone-file.ts'
import { ORIGIN, mutatedZones, narrowZones, zones } from './zone-samples.ts'

// The same files for us, for BIND's named-checkzone and for NLnet Labs' ldns-read-zone: who takes what, and what each
// of them reads in it.

type Tool = 'named-checkzone' | 'ldns-read-zone'
type Verdict = { accepts: boolean; said: string; printed: string }
type Explained = {
  tool: Tool
  we: 'accept' | 'refuse'
  fault?: readonly ZoneFileFault[]
  when?: (verdict: Verdict, text: string) => boolean
  why: string
}

/** Every difference that there may be. */
const EXPLAINED: readonly Explained[] = [
  {
    tool: 'named-checkzone',
    we: 'accept',
    when: ({ said }) =>
      /has no NS records|has 0 SOA records|not at top of zone|multiple (RRs of )?singleton|NS '[^']+' has no address records/.test(
        said,
      ),
    why: 'SOA and nameservers of a site are ours, so a file may lack them or have others: the import skips them',
  },
  {
    tool: 'named-checkzone',
    we: 'accept',
    when: ({ said }) => /CNAME and other data/.test(said),
    why: 'a rule across records, kept by validateZone when the file is put into a site',
  },
  {
    tool: 'named-checkzone',
    we: 'accept',
    when: ({ said }) => /invalid NS owner name \(wildcard\)/.test(said),
    why: 'a rule about the name of a record, kept by validateRecord',
  },
  {
    tool: 'named-checkzone',
    we: 'accept',
    when: ({ said }) => /no TTL specified/.test(said),
    why: 'a record without any TTL gets Auto',
  },
  {
    tool: 'named-checkzone',
    we: 'accept',
    when: ({ said }, text) => /extra input text/.test(said) && /\$(TTL|ORIGIN)[^\n]*$/i.test(text),
    why: 'named wants a line break after a directive, at the end of the file too',
  },
  {
    tool: 'named-checkzone',
    we: 'accept',
    when: (_, text) => hasUnread(text),
    why: 'a type that no site can hold is not read, since the import leaves it out',
  },
  { tool: 'ldns-read-zone', we: 'accept', when: (_, text) => hasUnread(text), why: 'the same' },
  {
    tool: 'ldns-read-zone',
    we: 'accept',
    when: (verdict, text) => /^(?:\\.|[^;\n\\])*\bIN\s+\d/im.test(linesOf(verdict, text)),
    why: 'ldns reads the TTL before the class only (RFC 1035 5.1 allows both orders)',
  },
  {
    tool: 'ldns-read-zone',
    we: 'accept',
    when: (verdict, text) => /\bCAA\b/i.test(linesOf(verdict, text)),
    why: 'ldns wants quotes around the value of a CAA (RFC 8659 4.1.1 does not)',
  },
  {
    tool: 'ldns-read-zone',
    we: 'accept',
    when: (verdict, text) => /\\#/.test(linesOf(verdict, text)),
    why: 'ldns wants one blank after \\# (RFC 3597 5 says white space)',
  },
  {
    tool: 'ldns-read-zone',
    we: 'accept',
    when: (_, text) => /\$(?:origin|ttl)/.test(text),
    why: 'ldns takes directives in lower case for names',
  },
  {
    tool: 'ldns-read-zone',
    we: 'accept',
    when: (_, text) => /\r(?!\n)/.test(text),
    why: 'ldns does not take a return alone for the end of a line, as BIND does',
  },
  {
    tool: 'ldns-read-zone',
    we: 'refuse',
    fault: [
      'unclosedParenthesis',
      'extraParenthesis',
      'unclosedQuote',
      'extraText',
      'noOwner',
      'noType',
      'unknownDirective',
    ],
    why: 'ldns closes what is open, ignores what is left over, and takes unknown directives for names',
  },
  {
    tool: 'ldns-read-zone',
    we: 'refuse',
    fault: ['unknownType', 'badTtl', 'metaType', 'wrongClass', 'missingField'],
    why: 'ldns reads words it does not know as TYPE0 or as TTL, and takes every class',
  },
  {
    tool: 'ldns-read-zone',
    we: 'refuse',
    fault: ['badHex', 'badGeneric', 'badNumber', 'unexpectedQuote', 'badEscape'],
    why: 'ldns does not check the length of digests, cuts numbers that are too large, and takes quotes and escapes as they stand',
  },
]

/** Checks that are about what the records say, not about how they are written. */
const UNCHECKED = `-i none ${['-k', '-m', '-M', '-n', '-S', '-r', '-T', '-W'].map((check) => `${check} ignore`).join(' ')}`
const COMMANDS: Readonly<Record<Tool, string>> = {
  'named-checkzone': `named-checkzone -D ${UNCHECKED} ${ORIGIN}`,
  'ldns-read-zone': 'ldns-read-zone -c',
}
const missing = Object.keys(COMMANDS).filter((tool) => spawnSync(tool, ['-h']).error !== undefined)
const skip =
  missing.length > 0 ? `NOT RUN, missing: ${missing.join(' ')} (Debian: apt-get install bind9utils ldnsutils)` : false

/** One shell for all files: a process of its own for each would cost more than the tools do. */
async function ask(tool: Tool, texts: readonly string[]): Promise<Verdict[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-zones-'))
  try {
    // ldns begins at the root.
    for (const [index, text] of texts.entries())
      fs.writeFileSync(
        path.join(folder, `${index}.zone`),
        tool === 'ldns-read-zone' ? `$ORIGIN ${ORIGIN}.\n${text}` : text,
      )
    await promisify(execFile)(
      'sh',
      ['-c', `for file in *.zone; do ${COMMANDS[tool]} $file >$file.out 2>$file.err; echo $? >$file.code; done`],
      { cwd: folder },
    )
    const part = (index: number, name: string) => fs.readFileSync(path.join(folder, `${index}.zone.${name}`), 'latin1')
    return texts.map((_, index) => ({
      accepts: part(index, 'code').trim() === '0',
      said: part(index, 'err') + part(index, 'out'),
      printed: part(index, 'out'),
    }))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The lines that ldns complains of: it counts an entry by its last line, and comments not always. */
function linesOf({ said }: Verdict, text: string): string {
  const number = Number(/at line (\d+)/.exec(said)?.[1] ?? 0) - 1
  return text
    .split(/\r?\n/)
    .slice(Math.max(0, number - 14), number + 1)
    .join('\n')
}

const hasUnread = (text: string): boolean =>
  readZoneFile(text, ORIGIN).records.some(({ type }) => !isUnderstood(type) && !type.startsWith('TYPE'))

/** Records inside of the zone; both tools say nothing of others. */
function recordsOf({ records }: ZoneFile): string[] {
  const inside = records.filter(({ name }) => labelsBelow(labelsOf(name), labelsOf(`${ORIGIN}.`)) !== null)
  return [...new Set(inside.map(({ name, type, rdata }) => `${name} ${type} ${rdata}`))].sort()
}

/**
 * Compares the verdicts and what was read (in damaged files ldns reads all kinds of things); answers which explanations
 * were needed.
 */
async function compare(tool: Tool, texts: readonly string[], isDamaged = false): Promise<Set<Explained>> {
  const needed = new Set<Explained>()
  for (const [index, verdict] of (await ask(tool, texts)).entries()) {
    const text = texts[index] ?? ''
    const ours = readZoneFile(text, ORIGIN)
    const we = ours.errors.length === 0 ? 'accept' : 'refuse'
    if (verdict.accepts === (we === 'accept')) {
      if (we === 'accept' && !(tool === 'ldns-read-zone' && isDamaged)) sameRecords(text, ours, verdict)
      continue
    }
    const why = EXPLAINED.find(
      (one) =>
        one.tool === tool &&
        one.we === we &&
        (one.fault?.some((fault) => ours.errors.some((error) => error.fault === fault)) ?? true) &&
        (one.when?.(verdict, text) ?? true),
    )
    assert.ok(
      why,
      `${tool} ${verdict.accepts ? 'accepts' : 'refuses'} what we ${we}: ${JSON.stringify(ours.errors[0])} ${verdict.said.slice(0, 300)}\n${text}`,
    )
    needed.add(why)
  }
  return needed
}

function sameRecords(text: string, ours: ZoneFile, { printed }: Verdict): void {
  const theirs = readZoneFile(printed.replaceAll(/^(?:zone .*|OK)$/gm, ''), ORIGIN)
  assert.deepEqual(
    { errors: theirs.errors, records: recordsOf(theirs) },
    { errors: [], records: recordsOf(ours) },
    text,
  )
}

const some = <T>(values: fc.Arbitrary<T>, count: number) => fc.sample(values, { numRuns: count, seed: 1035 })

test('named-checkzone accepts 300 random zones as we do, and reads the same in them', { skip }, async () => {
  assert.equal(
    (
      await compare(
        'named-checkzone',
        some(zones, 300).map(({ text }) => text),
      )
    ).size,
    0,
  )
})

test('ldns-read-zone accepts 300 random zones as we do, and reads the same in them', { skip }, async () => {
  assert.equal(
    (
      await compare(
        'ldns-read-zone',
        some(narrowZones, 300).map(({ text }) => text),
      )
    ).size,
    0,
  )
})

test('both tools accept and refuse 300 damaged zones as we do, or the table says why not', { skip }, async () => {
  const texts = some(mutatedZones, 300)
  const refused = texts.filter((text) => readZoneFile(text, ORIGIN).errors.length > 0).length
  assert.ok(refused > 60 && refused < 240, `${refused} of the damaged zones are refused`)
  for (const tool of ['named-checkzone', 'ldns-read-zone'] as const) await compare(tool, texts, true)
})
