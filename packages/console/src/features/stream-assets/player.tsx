// oxlint-disable-next-line import/no-named-as-default -- its types have the default alone
import Hls from 'hls.js'
import { useEffect, useRef } from 'react'
import classes from './stream-assets.module.css'

/** Plays what viewers get, from where they get it. hls.js first: some browsers claim more of HLS than they can. */
export function Player({
  src,
  poster,
  label,
  isLive = false,
}: {
  src: string
  poster: string | undefined
  label: string
  isLive?: boolean
}) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element) return
    if (!Hls.isSupported()) {
      element.src = src
      return
    }
    const hls = new Hls(
      isLive
        ? { capLevelToPlayerSize: true, maxLiveSyncPlaybackRate: 1.5 }
        : { startPosition: 0, capLevelToPlayerSize: true },
    )
    hls.loadSource(src)
    hls.attachMedia(element)
    return () => hls.destroy()
  }, [src, isLive])
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- captions come with the playlist
  return (
    <video
      ref={video}
      className={classes.video}
      controls
      playsInline
      muted={isLive}
      poster={poster}
      aria-label={label}
    />
  )
}
