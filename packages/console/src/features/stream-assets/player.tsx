// oxlint-disable-next-line import/no-named-as-default -- its types have the default alone
import Hls from 'hls.js'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import classes from './stream-assets.module.css'

/** Plays what viewers get, from where they get it. hls.js first: some browsers claim more of HLS than they can. */
export function Player({
  src,
  poster,
  label,
  isLive = false,
  beside,
}: {
  src: string
  poster: string | undefined
  label: string
  isLive?: boolean
  /** What goes along with it, and can go elsewhere in it. */
  beside?: (place: { at: number; onSeek: (seconds: number) => void }) => ReactNode
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [at, setAt] = useState(0)
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
  const onSeek = (seconds: number) => {
    if (video.current) video.current.currentTime = seconds
    setAt(seconds)
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions come with the playlist */}
      <video
        ref={video}
        className={classes.video}
        controls
        playsInline
        muted={isLive}
        poster={poster}
        aria-label={label}
        onTimeUpdate={beside && (({ currentTarget }) => setAt(currentTarget.currentTime))}
      />
      {beside?.({ at, onSeek })}
    </>
  )
}
