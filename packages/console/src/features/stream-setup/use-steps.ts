import { liveStreams, signedUrls, streamAnalytics, streamAssets, streamBalancers } from '@fairway/contract'
import { useRead } from '../../api/queries.ts'

const SOON_MS = 5_000
const STEADY_MS = 30_000
const LOOKED_BACK_SECONDS = 30 * 86_400
const NEWEST = { page_size: 1, ordering: '-created_at' } as const
/** Our edge and another one. */
const SEVERAL = 2

/** The way of uploaded videos: what is done is computed from what is there, and undone when that goes; `id` is that of the newest. */
export function useAssetSteps() {
  const { data: assets, error } = useRead(streamAssets.routes.list, NEWEST, { everyMs: SOON_MS })
  const newest = assets?.data[0]
  const shared = useShared('assets', { kind: 'asset' })
  return {
    error,
    isLoading: assets === undefined,
    id: newest?.id,
    done: { upload: assets && newest !== undefined, encoded: newest?.isPlayable, ...shared },
  }
}

/** The way of a live stream, or of the newest one. */
export function useLiveSteps(sid: string | undefined) {
  const list = useRead(liveStreams.routes.list, NEWEST, { everyMs: SOON_MS, enabled: sid === undefined })
  const one = useRead(liveStreams.routes.get, { id: sid ?? '' }, { everyMs: SOON_MS, enabled: sid !== undefined })
  const stream = sid === undefined ? list.data?.data[0] : one.data
  const isKnown = sid === undefined ? list.data !== undefined : one.data !== undefined
  const shared = useShared(stream?.id, { kind: 'live', source: stream?.id })
  return {
    error: sid === undefined ? list.error : one.error,
    isLoading: !isKnown,
    id: stream?.id,
    isFetched: stream?.protocol === 'hls',
    done: {
      create: isKnown && stream !== undefined,
      running: stream?.transcoderStatus === 3,
      signal: stream?.input?.state === 'live' && !stream.input.isTest,
      ...shared,
    },
  }
}

function useShared(source: string | undefined, viewed: { kind: 'asset' | 'live'; source?: string | undefined }) {
  const isThere = source !== undefined
  const balancer = useRead(
    streamBalancers.routes.get,
    { source: source ?? '' },
    { everyMs: STEADY_MS, enabled: isThere },
  )
  const signed = useRead(signedUrls.routes.get, {}, { everyMs: STEADY_MS })
  const audience = useRead(
    streamAnalytics.routes.audience,
    { seconds: LOOKED_BACK_SECONDS, ...viewed },
    { everyMs: STEADY_MS, enabled: isThere },
  )
  return {
    cdns: isThere
      ? balancer.data && balancer.data.isOn && balancer.data.entries.filter(({ enabled }) => enabled).length >= SEVERAL
      : false,
    signed: signed.data?.on,
    page: isThere ? audience.data && audience.data.totals.views > 0 : false,
  }
}
