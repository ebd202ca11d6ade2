import { type Site, type ZoneFileCounts, type ZoneFileError, type ZoneFileRow, zoneFiles } from '@fairway/contract'
import type { SplitZoneFile } from '@fairway/domain'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { change } from '../../api/use-change.ts'
import type { ImportSource } from './import-source.ts'

/** Lines that were left out, of which so many are shown. */
export const SHOWN_LEFT = 100

export type PartsImport =
  | { phase: 'reading'; read: number }
  | { phase: 'broken'; errors: ZoneFileError[] }
  | {
      phase: 'ready' | 'going' | 'stopping' | 'stopped' | 'done'
      split: SplitZoneFile
      /** Parts that are taken. */
      taken: number
      counts: ZoneFileCounts
      left: ZoneFileRow[]
      /** Why the part behind those could not be taken. */
      error: unknown
    }

const NOTHING: ZoneFileCounts = { added: 0, changed: 0, removed: 0, skipped: 0 }

/** A large file on its way into a site: read into parts, which are imported one after the other, and may be stopped. */
export function usePartsImport(site: Site, source: ImportSource) {
  const queryClient = useQueryClient()
  const [state, setState] = useState<PartsImport>({ phase: 'reading', read: 0 })
  const isWanted = useRef(false)
  const { isLarge, format, text } = source

  useEffect(() => {
    if (!isLarge) return
    const ending = new AbortController()
    setState({ phase: 'reading', read: 0 })
    const read = async () => {
      const { splitInTurns } = await import('./split-in-turns.ts')
      const split = await splitInTurns(
        { format, text, siteName: site.domainName },
        { onRead: (records) => setState({ phase: 'reading', read: records }), signal: ending.signal },
      )
      if (!split || ending.signal.aborted) return
      setState(
        split.errors.length > 0
          ? { phase: 'broken', errors: split.errors }
          : { phase: 'ready', split, taken: 0, counts: NOTHING, left: [], error: null },
      )
    }
    void read()
    return () => {
      isWanted.current = false
      ending.abort()
    }
  }, [isLarge, format, text, site.domainName])

  /** From the first part that is not taken yet; what is there already is left alone, so that any may come twice. */
  const run = async () => {
    if (!('split' in state)) return
    isWanted.current = true
    let now = { ...state, error: null as unknown }
    const { parts } = state.split
    for (const [index, part] of parts.entries()) {
      if (index < now.taken) continue
      if (!isWanted.current) return setState({ ...now, phase: 'stopped' })
      setState({ ...now, phase: 'going' })
      try {
        const { data } = await change(queryClient, zoneFiles.routes.apply, {
          site: site.id,
          format,
          text: part.text,
          mode: 'merge',
          force: true,
          part: { number: index + 1, of: parts.length },
        })
        now = {
          ...now,
          taken: index + 1,
          counts: sum(now.counts, data),
          left: [...now.left, ...missed(data.left, part.lines)],
        }
      } catch (error) {
        return setState({ ...now, phase: 'stopped', error })
      }
    }
    setState({ ...now, phase: 'done' })
  }
  const stop = () => {
    isWanted.current = false
    setState((old) => (old.phase === 'going' ? { ...old, phase: 'stopping' } : old))
  }
  return { state, run: () => void run(), stop }
}

const sum = (a: ZoneFileCounts, b: ZoneFileCounts): ZoneFileCounts => ({
  added: a.added + b.added,
  changed: a.changed + b.changed,
  removed: a.removed + b.removed,
  skipped: a.skipped + b.skipped,
})

/** What was left out, by its line of the whole file; what was there already is no news. */
const missed = (left: readonly ZoneFileRow[], lines: readonly number[]): ZoneFileRow[] =>
  left
    .filter(({ reason }) => reason !== 'same')
    .map((row) => ({ ...row, line: row.line === null ? null : (lines[row.line - 1] ?? null) }))
