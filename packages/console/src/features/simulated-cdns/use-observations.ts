import { routingStrategies } from '@fairway/contract'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/queries.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { SAMPLE_VISITORS } from '../why/sample-visitors.ts'
import type { Observation } from './stopwatch.ts'

const RACING_MS = 500
const CALM_MS = 2000
/** About five minutes of a race. */
const KEPT = 600

const COUNTRIES = Object.keys(SAMPLE_VISITORS)
const CLIENTS = Object.values(SAMPLE_VISITORS)

/** What the DNS node answers a visitor of each of some forty countries, again and again; oldest first. */
export function useObservations(place: Place | null, isRacing: boolean) {
  const { data, error } = useRead(
    routingStrategies.routes.simulateMany,
    { site: place?.site ?? '', domain: place?.domain ?? '', clients: CLIENTS },
    { enabled: place !== null, everyMs: isRacing ? RACING_MS : CALM_MS },
  )
  const [observations, setObservations] = useState<readonly Observation[]>([])
  useEffect(() => setObservations([]), [place?.domain])
  useEffect(() => {
    if (!data) return
    const cdnsOf = new Map(
      data.answers.map(({ client, shares }) => [countryOf(client), shares.map(({ cdnId }) => cdnId)]),
    )
    setObservations((before) =>
      before.at(-1)?.at === data.decidedAt ? before : [...before.slice(1 - KEPT), { at: data.decidedAt, cdnsOf }],
    )
  }, [data])
  const answers = data?.answers.map(({ client, shares }) => ({ country: countryOf(client), shares }))
  return { observations, answers, error }
}

const countryOf = (client: string): string => COUNTRIES[CLIENTS.indexOf(client)] ?? client
